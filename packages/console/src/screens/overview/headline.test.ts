import { expect, it } from 'vitest';
import { headlineOf } from './headline.js';
import type { OverviewFigures } from './read-figures.js';

const COUNTS = { due: 0, scheduled: 0, paused: 0, dead: 0, oldestDueMs: null, isExact: true };
const QUIET: OverviewFigures = {
  counts: COUNTS,
  slowed: 0,
  inbox: { isOn: true, changes: 'staff', unread: 0, parked: 0, isExact: true, oldestUnreadAt: null },
  inboxLagMs: 0,
  running: 0,
  workersAlive: 1,
};
const FAILING = { failing: 2, isExact: true, all: 14, isAllExact: true };

it.each([
  [QUIET, null, 'good', 'All is well: nothing fails, and nothing is held back.'],
  [
    { ...QUIET, counts: { ...COUNTS, scheduled: 9 } },
    FAILING,
    'bad',
    '2 of 14 partners have failing endpoints; 9 deliveries are scheduled for later.',
  ],
  [
    { ...QUIET, counts: { ...COUNTS, paused: 1, oldestDueMs: 240_000 } },
    { ...FAILING, failing: 0 },
    'warn',
    '1 delivery is held by a pause; the oldest delivery is 4 minutes late.',
  ],
  [
    { ...QUIET, workersAlive: 0, counts: { ...COUNTS, dead: 20_000, isExact: false } },
    { failing: 1, isExact: true, all: null, isAllExact: true },
    'bad',
    'No worker runs, so nothing is sent; 1 partner has failing endpoints; 20,000+ deliveries have failed ten times.',
  ],
  [
    QUIET,
    { failing: 10, isExact: false, all: 200, isAllExact: false },
    'bad',
    '10+ of 200+ partners have failing endpoints.',
  ],
  [
    { ...QUIET, inboxLagMs: 4 * 3_600_000 },
    { ...FAILING, failing: 0 },
    'bad',
    'An inbox item has waited for 4 hours.',
  ],
] as const)('of %j and %j is %s: %s', (figures, failing, tone, text) => {
  expect(headlineOf(figures, failing)).toEqual({ tone, text });
});

it('names the troubles of the job sync', () => {
  const text = 'The job sync is held; the job sync refuses 2 rows.';
  const troubles = ['the job sync is held', 'the job sync refuses 2 rows'];
  expect(headlineOf(QUIET, null, troubles)).toEqual({ tone: 'warn', text });
});

it('says nothing to somebody who may see nothing of it', () => {
  const nothing = { ...QUIET, counts: null, inbox: null, workersAlive: null };
  expect(headlineOf(nothing, null)).toBeNull();
});
