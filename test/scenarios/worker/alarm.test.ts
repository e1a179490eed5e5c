/**
 * The alarm that `docs/observe.md` recommends, over partners of many kinds. It rings for each failing one, and for
 * no healthy one.
 */
import { readFileSync } from 'node:fs';
import type { AttemptOutcome } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { createRecordingTelemetry } from '@partner-hiring/test-support/telemetry';
import { answered, type ReceivedEvent } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { TransportFailure } from '../../../packages/core/src/domain/delivery.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';

/** The alarm as the page has it, so that page and test cannot differ. */
const PAGE = readFileSync(new URL('../../../docs/observe.md', import.meta.url), 'utf8');
const MAX_AGE_S = Number(/^max\(partner_hiring_delivery_due_age_seconds\) > (\d+)$/m.exec(PAGE)?.[1]);
const COUNTS_PAUSES = /endpoint_pauses_total\{partner_hiring_pause_reason!="operator"\}/.test(PAGE);

interface Attempt {
  readonly type: string;
  readonly id: string;
  /** Since the partner began. */
  readonly atMs: number;
  /** The number of the attempt, from 1. */
  readonly number: number;
  /** A random number in [0, 1), the same in each run. */
  readonly chance: number;
}

interface Reply {
  readonly outcome: AttemptOutcome;
  readonly afterMs?: number;
}

interface Partner {
  reply(attempt: Attempt): Reply;
  /** How many events each minute has, by its number. By default, one in each of the first 20 minutes. */
  readonly events?: (minute: number) => number;
  /** What happens before, while the partner answers 200. */
  readonly prepare?: (fixture: Fixture, keyId: `key_${string}`) => Promise<void>;
  readonly hours?: number;
}

const OK: Reply = { outcome: answered(200) };
const status = (code: number, afterMs = 0): Reply => ({ outcome: answered(code), afterMs });
const failed = (failure: TransportFailure, afterMs = 0): Reply => ({
  outcome: { kind: 'failed', failure, message: 'It failed.' },
  afterMs,
});
const always = (reply: Reply): Partner => ({ reply: () => reply });
const downFor = (ms: number): Partner => ({ reply: ({ atMs }) => (atMs < ms ? status(502) : OK) });

const FAILING: Readonly<Record<string, Partner>> = {
  'answers 500': always(status(500)),
  'answers 503 after 20 seconds': always(status(503, 20 * SECOND_MS)),
  'answers 404': always(status(404)),
  'answers 401': always(status(401)),
  'answers 429': always(status(429)),
  'answers 410': always(status(410)),
  redirects: always(status(302)),
  'never answers': always(failed('timed_out', 30 * SECOND_MS)),
  'refuses connections': always(failed('connection_failed')),
  'has an expired certificate': always(failed('tls_failed')),
  'has no DNS entry': always(failed('name_not_resolved')),
  'has a private address': always(failed('address_refused')),
  'does not speak HTTP': always(failed('protocol_error')),
  'fails for its only event': { ...always(status(500)), events: (minute) => (minute === 0 ? 1 : 0) },
  'fails 60 times at once': { ...always(status(500)), events: (minute) => (minute === 0 ? 60 : 0) },
  'fails one in two times': { reply: ({ chance }) => (chance < 0.5 ? status(500) : OK), events: () => 2 },
  'fails every second time': {
    reply: ({ number }) => (number % 2 === 1 ? status(500) : OK),
    events: (minute) => (minute % 3 === 0 ? 5 : 2),
  },
  'fails nine in ten times': { reply: ({ chance }) => (chance < 0.9 ? status(500) : OK) },
  'fails for one type of event': {
    reply: ({ type }) => (type === 'job.closed' ? status(422) : OK),
  },
  'answers so slowly that events pile up': {
    ...always(status(200, 29 * SECOND_MS)),
    events: (minute) => (minute < 60 ? 14 : 0),
  },
  'goes down after an hour': {
    reply: ({ atMs }) => (atMs < HOUR_MS ? OK : failed('connection_failed')),
    events: (minute) => (minute % 10 === 0 ? 1 : 0),
  },
  'is down again after it was resumed': {
    ...always(status(500)),
    events: () => 0,
    prepare: async (fixture, keyId) => {
      await fixture.operator.endpoints.pause({ keyId });
      await toggle(fixture, 1);
      await fixture.clock.advance(2 * DAY_MS);
      await fixture.operator.endpoints.resume({ keyId });
    },
  },
};

const HEALTHY: Readonly<Record<string, Partner>> = {
  'answers 200': always(OK),
  'answers 204 after 5 seconds': always(status(204, 5 * SECOND_MS)),
  'answers after 25 seconds': always(status(200, 25 * SECOND_MS)),
  'gets no events': { ...always(OK), events: () => 0 },
  'gets a hundred events at once': {
    ...always(status(200, SECOND_MS)),
    events: (minute) => (minute === 0 ? 100 : 0),
  },
  'fails one in fifty times': { reply: ({ chance }) => (chance < 0.02 ? status(500) : OK), events: () => 2 },
  'is deployed for a minute': downFor(MINUTE_MS),
  'is down for four minutes': downFor(4 * MINUTE_MS),
  'was paused for a week and is resumed': {
    ...always(status(200, 25 * SECOND_MS)),
    events: () => 0,
    prepare: async (fixture, keyId) => {
      await fixture.operator.endpoints.pause({ keyId });
      await toggle(fixture, 9);
      await fixture.clock.advance(7 * DAY_MS);
      await fixture.operator.endpoints.resume({ keyId });
    },
  },
  'gets the events of the last week again': {
    ...always(status(200, 5 * SECOND_MS)),
    events: () => 0,
    prepare: async (fixture, keyId) => {
      await toggle(fixture, 9);
      await fixture.partnerHiring.worker.drain();
      await fixture.clock.advance(7 * DAY_MS);
      const { count } = await fixture.operator.deliveries.resend({ keyId, since: 0 });
      expect(count).toBeGreaterThan(9);
    },
  },
};

const JOBS = 100;
const jobs = new WeakMap<Fixture, { readonly ids: readonly `job_${string}`[]; open: number }>();

/** Causes events: closes jobs, or reopens those that are closed. */
async function toggle(fixture: Fixture, count: number): Promise<void> {
  const all = jobs.get(fixture);
  if (all === undefined || count === 0) return;
  for (let done = 0; done < count; done += 1) {
    const id = all.ids[all.open % JOBS] ?? 'job_none';
    const isClosing = Math.floor(all.open / JOBS) % 2 === 0;
    all.open += 1;
    await (isClosing ? fixture.operator.jobs.close({ id }) : fixture.operator.jobs.reopen({ id }));
  }
}

/** The generator of Park and Miller: a test must have the same chances in each run. */
function createChances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Runs a partner for some hours, and returns the minute in which the alarm rang; null if it never did. */
async function minuteOfAlarm(partner: Partner): Promise<number | null> {
  const telemetry = createRecordingTelemetry();
  const chances = createChances(20_260);
  const options = { telemetry, worker: { pollEveryMs: MINUTE_MS } };
  const fixture = await createFixture(options, { fraction: createChances(7) });
  const { keyId } = await createPartner(fixture);
  const { companyId } = await createEmployer(fixture, { keyId });
  const inputs = Array.from({ length: JOBS }, () => ({ ...WAREHOUSE_JOB, companyId }));
  const ids = (await fixture.operator.jobs.publish(inputs)).map(({ id }) => id);
  jobs.set(fixture, { ids, open: 0 });
  await fixture.partnerHiring.worker.drain();
  await partner.prepare?.(fixture, keyId);
  const [beganAt, sentBefore] = [fixture.clock.now(), fixture.transport.attempts.length];
  fixture.transport.answerWith(async ({ body }) => {
    const { type, id } = JSON.parse(body) as ReceivedEvent;
    const number = fixture.transport.attempts.length - sentBefore;
    const { outcome, afterMs = 0 } = partner.reply({
      type,
      id,
      number,
      chance: chances(),
      atMs: fixture.clock.now() - beganAt,
    });
    if (afterMs > 0) await fixture.clock.sleep(afterMs);
    return outcome;
  });
  fixture.partnerHiring.worker.start();
  const found = await watch(fixture, partner, async () => {
    const { 'partner_hiring.delivery.due.age s': age } = await telemetry.collect();
    const pauses = telemetry.measured.filter(
      ({ name, attributes }) =>
        name === 'partner_hiring.endpoint.pauses' && attributes['partner_hiring.pause.reason'] !== 'operator',
    );
    return (age ?? 0) > MAX_AGE_S || (COUNTS_PAUSES && pauses.length > 0);
  });
  fixture.transport.answerWith(() => answered(200));
  const closed = fixture.close();
  await fixture.clock.advance(MINUTE_MS);
  await closed;
  return found;
}

async function watch(
  fixture: Fixture,
  { events = (minute) => (minute < 20 ? 1 : 0), hours = 3 }: Partner,
  isRinging: () => Promise<boolean>,
): Promise<number | null> {
  for (let minute = 0; minute < hours * 60; minute += 1) {
    await toggle(fixture, events(minute));
    if (await isRinging()) return minute;
    await fixture.clock.advance(MINUTE_MS);
    if (await isRinging()) return minute;
  }
  return null;
}

describe('the recommended alarm', () => {
  it('is on the page', () => {
    expect(MAX_AGE_S).toBe(600);
    expect(COUNTS_PAUSES).toBe(true);
  });

  it.each(Object.entries(FAILING))('rings for a partner that %s', async (_, partner) => {
    expect(await minuteOfAlarm(partner)).not.toBeNull();
  });

  it.each(Object.entries(HEALTHY))('does not ring for a partner that %s', async (_, partner) => {
    expect(await minuteOfAlarm(partner)).toBeNull();
  });
});
