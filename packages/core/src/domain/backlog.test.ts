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
  scheduled: 5,
  dead: 1,
};

function count(changes: Partial<EndpointBacklog> = {}) {
  return countBacklog({ ...BACKLOG, ...changes }, RULES);
}

describe('the backlog of an endpoint', () => {
  test('is due by log and by rows, since the oldest of both', () => {
    expect(count()).toEqual({
      ...{ due: 5, inFlight: 0, scheduled: 5, paused: 0, dead: 1 },
      ...{ oldestDueAt: 4_000, oldestDueMs: 6_000, isExact: true },
    });
    expect(count({ due: 0, oldestDueAt: null }).oldestDueAt).toBe(7_000);
    expect(count({ unsent: 0, oldestUnsentAt: null }).oldestDueMs).toBe(6_000);
  });

  test('is in flight up to the cap while a worker holds the endpoint', () => {
    expect(count({ isHeld: true }).inFlight).toBe(4);
    expect(count({ isHeld: true, unsent: 1 }).inFlight).toBe(3);
  });

  test('of a paused one is all paused, and nothing of it is due', () => {
    expect(count({ state: 'paused' })).toEqual({
      ...{ due: 0, inFlight: 0, scheduled: 0, paused: 10, dead: 1 },
      ...{ oldestDueAt: null, oldestDueMs: null, isExact: true },
    });
  });

  test.each(['unsent', 'due', 'scheduled', 'dead'] as const)(
    'is not exact if %s reached the bound',
    (what) => {
      expect(count({ [what]: 99 }).isExact).toBe(true);
      expect(count({ [what]: 100 }).isExact).toBe(false);
    },
  );

  test('no event is younger than nothing: stamps may run ahead of the clock', () => {
    expect(count({ oldestUnsentAt: 10_002, due: 0, oldestDueAt: null }).oldestDueMs).toBe(0);
  });
});

describe('all backlogs together', () => {
  test('are their sums, due since the oldest', () => {
    const paused = count({ state: 'paused', unsent: 100 });
    const held = count({ isHeld: true, oldestDueAt: 1_000 });
    expect(sumBacklogs([count({ isHeld: true }), paused, held], RULES.now)).toEqual({
      ...{ due: 10, inFlight: 8, scheduled: 10, paused: 107, dead: 3 },
      ...{ oldestDueAt: 1_000, oldestDueMs: 9_000, isExact: false },
    });
  });

  test('are exact if each of them is', () => {
    expect(sumBacklogs([count(), count()], RULES.now).isExact).toBe(true);
  });

  test('are due since never while all are paused', () => {
    const paused = count({ state: 'paused' });
    expect(sumBacklogs([paused, paused], RULES.now)).toMatchObject({ oldestDueAt: null, oldestDueMs: null });
  });

  test('of no endpoint are nothing', () => {
    expect(sumBacklogs([], RULES.now)).toMatchObject({ due: 0, dead: 0, oldestDueAt: null, isExact: true });
  });
});
