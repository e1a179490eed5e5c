import { describe, expect, test } from 'vitest';
import { countBacklog, type EndpointBacklog, sumBacklogs } from './backlog.js';

const RULES = { now: 10_000, bound: 100, maxInFlight: 4 };
const BACKLOG: EndpointBacklog = {
  keyId: 'key_1',
  state: 'active',
  isHeld: false,
  unsent: 3,
  oldestUnsentAt: 7_000,
  due: 2,
  oldestDueAt: 4_000,
  oldestPendingAt: 3_000,
  resumedAt: null,
  gapUntil: null,
  scheduled: 5,
  dead: 1,
};

function count(changes: Partial<EndpointBacklog> = {}) {
  return countBacklog({ ...BACKLOG, ...changes }, RULES);
}

describe('the backlog of an endpoint', () => {
  test('sums the log and the rows, and has the age of the oldest', () => {
    expect(count()).toEqual({
      due: 5,
      inFlight: 0,
      scheduled: 5,
      paused: 0,
      dead: 1,
      oldestDueAt: 4_000,
      oldestDueMs: 6_000,
      isExact: true,
      oldestWaitingAt: 3_000,
      oldestWaitingMs: 7_000,
    });
    expect(count({ due: 0, oldestDueAt: null }).oldestDueAt).toBe(7_000);
    expect(count({ unsent: 0, oldestUnsentAt: null }).oldestDueMs).toBe(6_000);
  });

  test('is in flight up to the cap while a worker holds the lease', () => {
    expect(count({ isHeld: true }).inFlight).toBe(4);
    expect(count({ isHeld: true, unsent: 1 }).inFlight).toBe(3);
  });

  test('of a paused endpoint is paused, and nothing is due', () => {
    expect(count({ state: 'paused' })).toEqual({
      due: 0,
      inFlight: 0,
      scheduled: 0,
      paused: 10,
      dead: 1,
      oldestDueAt: null,
      oldestDueMs: null,
      isExact: true,
      oldestWaitingAt: null,
      oldestWaitingMs: null,
    });
  });

  test('has the age of the oldest that waits for a retry, but not from before the endpoint was resumed', () => {
    const retrying = { unsent: 0, oldestUnsentAt: null, due: 0, oldestDueAt: null };
    expect(count(retrying)).toMatchObject({ oldestDueMs: null, oldestWaitingMs: 7_000 });
    expect(count({ ...retrying, resumedAt: 9_000 }).oldestWaitingMs).toBe(1_000);
    expect(count({ ...retrying, resumedAt: 2_000 }).oldestWaitingMs).toBe(7_000);
    expect(count({ oldestUnsentAt: 1_000 }).oldestWaitingMs).toBe(9_000);
  });

  test.each(['unsent', 'due', 'scheduled', 'dead'] as const)(
    'is not exact if %s reached the bound',
    (what) => {
      expect(count({ [what]: 99 }).isExact).toBe(true);
      expect(count({ [what]: 100 }).isExact).toBe(false);
    },
  );

  test('has no negative age if stamps run ahead of the clock', () => {
    expect(count({ oldestUnsentAt: 10_002, due: 0, oldestDueAt: null }).oldestDueMs).toBe(0);
  });
});

describe('all backlogs together', () => {
  test('are summed, with the age of the oldest', () => {
    const paused = count({ state: 'paused', unsent: 100 });
    const held = count({ isHeld: true, oldestDueAt: 1_000 });
    expect(sumBacklogs([count({ isHeld: true }), paused, held], RULES.now)).toEqual({
      due: 10,
      inFlight: 8,
      scheduled: 10,
      paused: 107,
      dead: 3,
      oldestDueAt: 1_000,
      oldestDueMs: 9_000,
      isExact: false,
      oldestWaitingAt: 3_000,
      oldestWaitingMs: 7_000,
    });
  });

  test('are exact if each one is', () => {
    expect(sumBacklogs([count(), count()], RULES.now).isExact).toBe(true);
  });

  test('have no age while all are paused', () => {
    const paused = count({ state: 'paused' });
    expect(sumBacklogs([paused, paused], RULES.now)).toMatchObject({ oldestDueAt: null, oldestDueMs: null });
  });

  test('are zero without endpoints', () => {
    expect(sumBacklogs([], RULES.now)).toMatchObject({ due: 0, dead: 0, oldestDueAt: null, isExact: true });
  });
});
