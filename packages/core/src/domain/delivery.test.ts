import { describe, expect, test } from 'vitest';
import {
  type AttemptEnd,
  type AttemptOutcome,
  afterAttempt,
  attemptToKeep,
  cancel,
  deliveryWithoutRow,
  isGone,
  isSuccess,
  lastAttempt,
  newDelivery,
  restart,
  type StoredDelivery,
} from './delivery.js';

const MINUTE = 60_000;
const EVENT = { keyId: 'key_1', id: 'evt_1', at: 500 } as const;

function answered(status: number): AttemptOutcome {
  return { kind: 'answered', status, excerpt: '' };
}
const FAILED: AttemptOutcome = { kind: 'failed', failure: 'timed_out', message: '' };

function ended(outcome: AttemptOutcome, endedAt: number): AttemptEnd {
  return { outcome, endedAt, latencyMs: 45 };
}

function cycleOfFailures(delivery: StoredDelivery, random = 0.5): StoredDelivery[] {
  const made: StoredDelivery[] = [];
  let current = delivery;
  while (current.dueAt !== null) {
    current = afterAttempt(current, ended(answered(500), current.dueAt + 1_000), random);
    made.push(current);
  }
  return made;
}

describe('success is any 2xx and nothing else', () => {
  test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    expect(isSuccess(answered(status))).toBe(true);
  });
  test.each([100, 199, 300, 301, 302, 304, 400, 404, 408, 410, 429, 500, 503, 0])('%i is not', (status) => {
    expect(isSuccess(answered(status))).toBe(false);
  });
  test('no response is not', () => {
    expect(isSuccess(FAILED)).toBe(false);
  });
});

test('only HTTP 410 means that the endpoint is gone', () => {
  expect(isGone(answered(410))).toBe(true);
  expect([404, 409, 411, 500].map(answered).some(isGone)).toBe(false);
  expect(isGone(FAILED)).toBe(false);
});

describe('a delivery', () => {
  const fresh = newDelivery(EVENT, 1_000);

  test('starts as the first of ten attempts', () => {
    expect(fresh).toMatchObject({
      eventId: 'evt_1',
      eventAt: 500,
      state: 'pending',
      attempts: 0,
      cycle: 1,
      dueAt: 1_000,
    });
  });

  test.each([answered(200), answered(204)])('is delivered by %j, and nothing more is due', (outcome) => {
    expect(afterAttempt(fresh, ended(outcome, 2_000), 0.5)).toEqual({
      ...fresh,
      state: 'delivered',
      attempts: 1,
      dueAt: null,
      lastAttemptAt: 2_000,
      lastOutcome: outcome,
      lastLatencyMs: 45,
    });
  });

  test.each([answered(302), answered(410), answered(500), FAILED])('is retried after %j', (outcome) => {
    expect(afterAttempt(fresh, ended(outcome, 2_000), 0.5)).toMatchObject({
      state: 'pending',
      attempts: 1,
      dueAt: 2_000 + MINUTE,
      lastOutcome: outcome,
    });
  });

  test('is dead after ten attempts, and keeps the last outcome', () => {
    const cycle = cycleOfFailures(fresh);
    expect(cycle.map(({ state }) => state)).toEqual([...Array<string>(9).fill('pending'), 'dead']);
    expect(cycle.at(-1)).toMatchObject({ attempts: 10, dueAt: null, lastOutcome: answered(500) });
  });

  test('waits from the end of the previous attempt: ~1 min, ~5 min, ~30 min, ~2 h, ~6 h, ~12 h, ~24 h three times', () => {
    const waits = cycleOfFailures(fresh).flatMap(({ dueAt, lastAttemptAt }) =>
      dueAt === null || lastAttemptAt === null ? [] : [(dueAt - lastAttemptAt) / MINUTE],
    );
    expect(waits).toEqual([1, 5, 30, 120, 360, 720, 1440, 1440, 1440]);
  });

  test('can succeed on its tenth attempt', () => {
    const nine = cycleOfFailures(fresh)[8] ?? fresh;
    expect(afterAttempt(nine, ended(answered(200), 9_000), 0.5)).toMatchObject({
      state: 'delivered',
      attempts: 10,
    });
  });

  test('that is dead gets a new cycle of ten when it is resent, due immediately', () => {
    const dead = cycleOfFailures(fresh).at(-1) ?? fresh;
    const again = restart(dead, 7_000);
    expect(again).toMatchObject({ eventId: 'evt_1', state: 'pending', attempts: 0, cycle: 2, dueAt: 7_000 });
    expect(cycleOfFailures(again)).toHaveLength(10);
  });

  test('that is cancelled is no longer due, and keeps its last outcome', () => {
    const failed = afterAttempt(fresh, ended(answered(500), 2_000), 0.5);
    expect(cancel(failed)).toEqual({ ...failed, state: 'cancelled', dueAt: null });
  });

  test.each([
    [answered(200), 'delivered'],
    [answered(500), 'cancelled'],
    [FAILED, 'cancelled'],
  ] as const)(
    'that is cancelled during an attempt that ends with %j is %s, and the attempt counts',
    (outcome, state) => {
      expect(afterAttempt(cancel(fresh), ended(outcome, 2_000), 0.5)).toMatchObject({
        state,
        attempts: 1,
        dueAt: null,
        lastOutcome: outcome,
      });
    },
  );

  test('that is cancelled can be resent', () => {
    expect(restart(cancel(fresh), 7_000)).toMatchObject({ state: 'pending', cycle: 2, dueAt: 7_000 });
  });

  test('without a row is delivered if the watermark has passed it, and otherwise pending', () => {
    expect(deliveryWithoutRow(EVENT, true)).toMatchObject({ state: 'delivered', attempts: 1, dueAt: null });
    expect(deliveryWithoutRow(EVENT, false)).toMatchObject({ state: 'pending', attempts: 0, dueAt: 500 });
  });
});

describe('an attempt', () => {
  const fresh = newDelivery(EVENT, 1_000);

  test('is available from its delivery until a resend', () => {
    expect(lastAttempt(fresh)).toBeNull();
    const failed = afterAttempt(fresh, ended(answered(500), 2_000), 0.5);
    expect(lastAttempt(failed)).toEqual({
      keyId: 'key_1',
      eventId: 'evt_1',
      number: 1,
      cycle: 1,
      outcome: answered(500),
      endedAt: 2_000,
      latencyMs: 45,
    });
    expect(lastAttempt(restart(failed, 3_000))).toBeNull();
  });

  test('is recorded, unless it is a success on the first attempt', () => {
    const delivered = afterAttempt(fresh, ended(answered(200), 2_000), 0.5);
    expect(attemptToKeep(delivered)).toBeNull();
    expect(attemptToKeep(fresh)).toBeNull();
    const failed = afterAttempt(fresh, ended(answered(500), 2_000), 0.5);
    expect(attemptToKeep(failed)).toEqual(lastAttempt(failed));
    const late = afterAttempt(failed, ended(answered(200), 3_000), 0.5);
    expect(attemptToKeep(late)).toMatchObject({ number: 2, outcome: answered(200) });
  });
});
