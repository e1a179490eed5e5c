/** Contract: 12.5 and 12.9. The gap between attempts, on a virtual clock. */
import { settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered, UNREACHABLE } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { AttemptOutcome } from '../../../packages/core/src/domain/delivery.js';
import type { KeyId } from '../../../packages/core/src/domain/ids.js';
import type { Environment } from '../../../packages/core/src/domain/partner-key.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { openStage } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());

const OK = answered(204);

/** Answers each attempt, and notes when it came and for which event. */
function receive(answer: (at: number) => AttemptOutcome) {
  const attempts: { readonly at: number; readonly id: string; readonly isAccepted: boolean }[] = [];
  stage.transport.answerWith(({ body }) => {
    const at = stage.clock.now();
    const outcome = answer(at);
    const { id } = JSON.parse(body) as { readonly id: string };
    attempts.push({ at, id, isAccepted: outcome.kind === 'answered' && outcome.status < 300 });
    return outcome;
  });
  return attempts;
}

/** A receiver that accepts so many requests in each second. */
function limitOf(perSecond: number, refusal: AttemptOutcome) {
  const counts = new Map<number, number>();
  return (at: number) => {
    const second = Math.floor(at / SECOND_MS);
    const count = (counts.get(second) ?? 0) + 1;
    counts.set(second, count);
    return count <= perSecond ? OK : refusal;
  };
}

async function pass(ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) await stage.clock.advance(stepMs);
}

/** How many events arrived. */
function acceptedOf(attempts: ReturnType<typeof receive>): number {
  return new Set(attempts.filter(({ isAccepted }) => isAccepted).map(({ id }) => id)).size;
}

/** The attempts of each event until it arrived. */
function refusalsOf(attempts: ReturnType<typeof receive>): ReadonlyMap<string, number> {
  const refused = new Map<string, number>();
  for (const { id, isAccepted } of attempts) refused.set(id, (refused.get(id) ?? 0) + (isAccepted ? 0 : 1));
  return refused;
}

const stateOf = async (keyId: KeyId) => (await stage.endpoint(keyId)).state.kind;

describe('a receiver that is away', () => {
  it('for 300 ms is not paused, and then gets each event', async () => {
    const { keyId, events } = await stage.keyWithEvents(300);
    const backAt = stage.clock.now() + 300;
    const attempts = receive((at) => (at < backAt ? answered(503) : OK));
    stage.start();
    await pass(5 * SECOND_MS, 50);
    await pass(3 * MINUTE_MS, 5 * SECOND_MS);
    expect(acceptedOf(attempts)).toBe(events.length);
    expect(attempts.filter(({ isAccepted }) => !isAccepted).length).toBeLessThanOrEqual(8);
    expect(await stateOf(keyId)).toBe('active');
  });

  it('for 20 minutes is not paused, and none of 1,000 events is sent more than four times', async () => {
    const { keyId, events } = await stage.keyWithEvents(1_000);
    const backAt = stage.clock.now() + 20 * MINUTE_MS;
    const attempts = receive((at) => (at < backAt ? UNREACHABLE : OK));
    stage.start();
    await pass(20 * MINUTE_MS, 5 * SECOND_MS);
    expect(await stateOf(keyId)).toBe('active');
    await pass(2 * HOUR_MS, MINUTE_MS);
    const refused = refusalsOf(attempts);
    expect(acceptedOf(attempts)).toBe(events.length);
    expect(Math.max(...refused.values())).toBeLessThanOrEqual(4);
  });

  it('for three days is paused after 25 to 60 minutes, and gets each event when it is resumed', async () => {
    const { keyId, events } = await stage.keyWithEvents(100);
    let isAway = true;
    const attempts = receive(() => (isAway ? UNREACHABLE : OK));
    const worker = stage.start();
    const startedAt = stage.clock.now();
    await pass(HOUR_MS, 10 * SECOND_MS);
    const { state, health } = await stage.endpoint(keyId);
    expect(state).toMatchObject({ kind: 'paused', reason: 'consecutive_failures' });
    expect(health.gap).toBeNull();
    const pausedAt = state.kind === 'paused' ? state.pausedAt : 0;
    expect(pausedAt - startedAt).toBeGreaterThanOrEqual(25 * MINUTE_MS);
    // A worker would poll each second of the three days.
    await worker.stop();
    await stage.clock.advance(3 * DAY_MS);
    isAway = false;
    stage.start();
    await stage.resume(keyId);
    await pass(MINUTE_MS, SECOND_MS);
    await pass(3 * HOUR_MS, 2 * MINUTE_MS);
    expect(acceptedOf(attempts)).toBe(events.length);
    expect(stage.alerts.map(({ kind }) => kind)).toContain('endpoint_recovered');
  });
});

describe('a receiver that limits', () => {
  it.each([
    [1, answered(429)],
    [1, { ...answered(429), retryAfterMs: 1_000 }],
    [5, answered(429)],
    [20, { ...answered(503), retryAfterMs: 0 }],
  ] as const)(
    'to %i a second is refused at most a tenth of the time, and no event four times',
    async (perSecond, refusal) => {
      const keyId = await stage.key();
      const count = 200 + 10 * perSecond;
      const events = await stage.record(keyId, count);
      const attempts = receive(limitOf(perSecond, refusal));
      stage.start();
      await pass((3 * count * SECOND_MS) / perSecond, 100 / perSecond + 10);
      await pass(HOUR_MS, 30 * SECOND_MS);
      const refused = attempts.filter(({ isAccepted }) => !isAccepted).length;
      expect(acceptedOf(attempts)).toBe(events.length);
      expect(refused / attempts.length).toBeLessThanOrEqual(0.1);
      expect(Math.max(...refusalsOf(attempts).values())).toBeLessThanOrEqual(4);
      expect(await stateOf(keyId)).toBe('active');
    },
  );
});

describe('a gap', () => {
  /** An endpoint that has failed until its gap is at least this long. */
  async function withGap(minMs: number, environment: Environment = 'production') {
    const keyId = await stage.key({}, environment);
    await stage.record(keyId, 20);
    const attempts = receive(() => answered(500));
    stage.start();
    while (((await stage.endpoint(keyId)).health.gap?.ms ?? 0) < minMs) await stage.clock.advance(500);
    await settle(20);
    return { keyId, attempts };
  }

  it.each(['production', 'sandbox'] as const)(
    'in %s is not shortened by a new event, by another worker or by a restart',
    async (environment) => {
      const { keyId, attempts } = await withGap(32 * SECOND_MS, environment);
      const { gap } = (await stage.endpoint(keyId)).health;
      const before = attempts.length;
      const other = stage.start();
      await stage.record(keyId, 1);
      other.wake();
      await stage.clock.advance((gap?.until ?? 0) - stage.clock.now() - 500);
      expect(attempts.length).toBe(before);
      await pass(3 * SECOND_MS, 500);
      expect(attempts.length).toBe(before + 1);
    },
  );

  it('ends at once for one attempt when somebody tries now', async () => {
    const { keyId, attempts } = await withGap(32 * SECOND_MS);
    const before = attempts.length;
    await stage.resume(keyId);
    await pass(5 * SECOND_MS, 500);
    expect(attempts.length).toBe(before + 1);
    expect((await stage.endpoint(keyId)).health.gap).toMatchObject({ ms: MINUTE_MS });
  });

  it('sends the event that has been due longest, and then starts with one attempt at a time', async () => {
    const { keyId, attempts } = await withGap(32 * SECOND_MS);
    const { gap } = (await stage.endpoint(keyId)).health;
    const sentBefore = new Set(attempts.map(({ id }) => id));
    const inFlight: number[] = [];
    let running = 0;
    const order: string[] = [];
    stage.transport.answerWith(async ({ body }) => {
      running += 1;
      inFlight.push(running);
      order.push((JSON.parse(body) as { readonly id: string }).id);
      await stage.clock.sleep(10);
      running -= 1;
      return OK;
    });
    await pass((gap?.until ?? 0) - stage.clock.now() + 3 * SECOND_MS, 5);
    expect(inFlight.slice(0, 4)).toEqual([1, 1, 1, 2]);
    expect(Math.max(...inFlight)).toBe(4);
    expect(order[0]).toSatisfy((id: string) => !sentBefore.has(id) || id === attempts[0]?.id);
  });

  it('counts what waits behind it as scheduled', async () => {
    const { keyId } = await withGap(32 * SECOND_MS);
    const [backlog] = await stage.storage.direct.endpoints.backlogs(keyId, stage.clock.now(), 100);
    expect(backlog?.gapUntil).toBe((await stage.endpoint(keyId)).health.gap?.until);
    expect(await stage.storage.direct.endpoints.countSlowed(10)).toBe(1);
  });
});
