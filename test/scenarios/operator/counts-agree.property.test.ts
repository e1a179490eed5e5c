/** `deliveries.count` and `deliveries.list` agree in every state, whatever has happened, and every success has evidence. */
import type {
  Delivery,
  DeliveryState,
  EventId,
  KeyId,
  ResendTarget,
  StoredDelivery,
} from '@partner-hiring/core';
import { passUntil } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { answered } from '@partner-hiring/test-support/transport';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { OperatorError } from '../../../packages/core/src/errors.js';
import { hang, until } from '../worker/stage.js';

const KEYS = 2;
const RUNS = 25;

/** A command on a delivery is refused in some states: the model need not know which. */
type Step =
  | { readonly do: 'record'; readonly key: number; readonly count: number }
  | { readonly do: 'answer'; readonly failing: number; readonly status: number }
  | { readonly do: 'drain' }
  | { readonly do: 'look while sending' }
  | { readonly do: 'pass'; readonly ms: number; readonly drains: boolean }
  | { readonly do: 'cancel' | 'resend'; readonly key: number; readonly pick: number }
  | { readonly do: 'pause' | 'resume' | 'retryNow' | 'resendUndelivered' | 'setUrl'; readonly key: number }
  | {
      readonly do: 'resendSince';
      readonly key: number;
      readonly ago: number;
      readonly only?: 'undelivered' | undefined;
    };

const key = fc.nat(KEYS - 1);
const pick = fc.nat(20);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('record' as const), key, count: fc.integer({ min: 1, max: 7 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      failing: fc.integer({ min: 0, max: 4 }),
      status: fc.constantFrom(500, 503, 410),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('drain' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look while sending' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1_000, MINUTE_MS, HOUR_MS, 6 * DAY_MS),
      drains: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'resend' as const), key, pick }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'pause' as const,
        'resume' as const,
        'retryNow' as const,
        'resendUndelivered' as const,
        'setUrl' as const,
      ),
      key,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('resendSince' as const),
      key,
      ago: fc.constantFrom(MINUTE_MS, HOUR_MS, 40 * DAY_MS),
      only: fc.constantFrom(undefined, 'undelivered' as const),
    }),
  },
);

it('counts and lists agree after every step of a random history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
      const scene = await openScene();
      try {
        for (const step of steps) {
          await scene.take(step);
          await scene.expectAgreement(step.do);
        }
      } finally {
        await scene.close();
      }
    }),
    { numRuns: RUNS },
  );
}, 240_000);

async function openScene() {
  const fixture = await createFixture();
  const { operator, clock, transport, partnerHiring } = fixture;
  const keys: { keyId: KeyId; companyId: `co_${string}` }[] = [];
  for (let made = 0; made < KEYS; made += 1) {
    const { keyId } = await createPartner(fixture);
    keys.push({ keyId, companyId: (await createEmployer(fixture, { keyId })).companyId });
  }
  let failing = 0;
  let status = 500;
  let posts = 0;
  const answer = () => {
    posts += 1;
    return answered(posts % 4 < failing ? status : 200);
  };
  transport.answerWith(answer);
  const keyOf = (index: number) => keys[index]?.keyId ?? 'key_';

  async function anEvent(index: number, at: number): Promise<EventId> {
    const { items: deliveries } = await operator.deliveries.list({ keyId: keyOf(index), limit: 1_000 });
    return deliveries[at % Math.max(1, deliveries.length)]?.eventId ?? 'evt_none';
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case 'record':
        await clock.advance(10);
        await operator.jobs.publish(
          Array.from({ length: step.count }, () => ({
            ...WAREHOUSE_JOB,
            companyId: keys[step.key]?.companyId ?? 'co_',
          })),
        );
        return;
      case 'answer':
        failing = step.failing;
        status = step.status;
        return;
      case 'drain':
        return drained();
      case 'look while sending':
        return lookWhileSending();
      case 'pass':
        await clock.advance(step.ms);
        if (step.drains) await drained();
        return;
      case 'cancel':
      case 'resend': {
        const { deliveries } = operator;
        const [keyId, eventId] = [keyOf(step.key), await anEvent(step.key, step.pick)];
        if (step.do === 'cancel') return orRefused(deliveries.cancel({ keyId, eventId }));
        return orRefused(deliveries.resend({ keyId, eventIds: [eventId] }));
      }
      case 'pause':
        return orRefused(operator.endpoints.pause({ keyId: keyOf(step.key) }));
      case 'resume':
      case 'retryNow': {
        const target = { keyId: keyOf(step.key), retryNow: step.do === 'retryNow' };
        const { count } = await operator.endpoints.resume({ ...target, dryRun: true });
        expect((await operator.endpoints.resume(target)).count).toBe(count);
        return;
      }
      case 'resendUndelivered':
        return resendAsCounted({ keyId: keyOf(step.key), only: 'undelivered' });
      case 'resendSince': {
        const { only, ago } = step;
        return resendAsCounted({ keyId: keyOf(step.key), since: clock.now() - ago, only });
      }
      case 'setUrl':
        await operator.endpoints.setUrl({ keyId: keyOf(step.key), url: `https://ats.example/${posts}` });
    }
  }

  async function resendAsCounted(target: ResendTarget): Promise<void> {
    const counted = await operator.deliveries.resend({ ...target, dryRun: true });
    expect(await operator.deliveries.resend(target)).toEqual(counted);
  }

  const drained = () => passUntil(clock, partnerHiring.worker.drain());

  /** Attempts in flight are pending, and count as due. */
  async function lookWhileSending(): Promise<void> {
    const { overall } = await operator.deliveries.count();
    const hanging = hang(transport);
    const draining = partnerHiring.worker.drain();
    if (overall.due > 0) await until(() => hanging.count() > 0);
    await expectAgreement('while sending');
    transport.answerWith(answer);
    await hanging.endWith(answered(200));
    await passUntil(clock, draining);
  }

  async function expectAgreement(after: string): Promise<void> {
    const counts = await operator.deliveries.count();
    const now = clock.now();
    for (const { keyId } of keys) {
      const { endpoints } = await operator.deliveries.count({ keyId });
      const counted = counts.endpoints.find((each) => each.keyId === keyId);
      expect([after, endpoints[0]]).toEqual([after, counted]);
      const pending = await readAll(fixture, { keyId, state: 'pending' });
      const { state, health } = (await operator.endpoints.find({ keyId })) ?? {};
      const isPaused = state?.kind === 'paused';
      const ready = pending.filter(({ dueAt, attempts }) => attempts === 0 || (dueAt ?? 0) <= now).length;
      // One event at a time is due behind a gap.
      const most = health?.gap == null ? ready : health.gap.until <= now ? 1 : 0;
      const due = Math.min(ready, most);
      const listed = {
        due: isPaused ? 0 : due,
        scheduled: isPaused ? 0 : pending.length - due,
        paused: isPaused ? pending.length : 0,
        dead: (await readAll(fixture, { keyId, state: 'dead' })).length,
      };
      expect([after, counted]).toMatchObject([after, listed]);
      await expectPartition(keyId);
    }
    const { overall } = counts;
    const pending = await readAll(fixture, { state: 'pending' });
    expect([after, pending.length]).toEqual([after, overall.due + overall.scheduled + overall.paused]);
    expect([after, (await readAll(fixture, { state: 'dead' })).length]).toEqual([after, overall.dead]);
    const ofEach = await Promise.all(keys.map(({ keyId }) => readAll(fixture, { keyId, state: 'pending' })));
    expect(new Set(pending.map(idOf))).toEqual(new Set(ofEach.flat().map(idOf)));
  }

  /** Each event of the log is in one list. Whatever is delivered has evidence. */
  async function expectPartition(keyId: KeyId): Promise<void> {
    const lists = await Promise.all(STATES.map((state) => readAll(fixture, { keyId, state })));
    const all = await readAll(fixture, { keyId });
    expect(lists.flat().map(idOf).toSorted()).toEqual(all.map(idOf).toSorted());
    for (const { state, cycle, evidence } of all) {
      if (state === 'delivered') expect([state, evidence?.status]).toEqual([state, 200]);
      else if (cycle === 1) expect([state, evidence]).toEqual([state, null]);
    }
  }

  return { take, expectAgreement, close: fixture.close };
}

const STATES = ['pending', 'delivered', 'dead', 'cancelled'] as const satisfies readonly DeliveryState[];

function idOf({ eventId }: StoredDelivery): EventId {
  return eventId;
}

/** Reads all pages, which are small. */
async function readAll(
  { operator }: Pick<Fixture, 'operator'>,
  filter: { readonly keyId?: KeyId; readonly state?: DeliveryState },
): Promise<readonly Delivery[]> {
  const all: Delivery[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await operator.deliveries.list({ ...filter, limit: 20, ...(cursor ? { cursor } : {}) });
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

async function orRefused(command: Promise<unknown>): Promise<void> {
  await command.catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
  });
}
