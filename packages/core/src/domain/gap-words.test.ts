import { expect, it } from 'vitest';
import type { Gap } from './gap.js';
import { gapWords, shownGap } from './gap-words.js';

const GAP: Gap = {
  isPaced: true,
  ms: 60_000,
  since: 2,
  at: 9,
  until: 14,
  cause: { kind: 'answered', status: 503 },
};
const clock = (at: number) => `10:${String(at).padStart(2, '0')}`;
const wordsOf = (cause: Gap['cause'], waiting?: Parameters<typeof gapWords>[2]) =>
  gapWords({ ...GAP, cause }, clock, waiting).join('');

it('says since when and why sending is slow, when the next attempt is, and how many events wait', () => {
  expect(wordsOf(GAP.cause, { count: 121, isExact: true })).toBe(
    'Sending slowly since 10:02, because it answered 503: the next attempt at 10:14. 121 events wait.',
  );
  expect(wordsOf(GAP.cause, { count: 1, isExact: true })).toContain(' 1 event waits.');
  expect(wordsOf(GAP.cause, { count: 10_000, isExact: false })).toContain(' 10,000+ events wait.');
  expect(wordsOf({ kind: 'failed', failure: 'timed_out' })).toBe(
    'Sending slowly since 10:02, because it did not answer in time: the next attempt at 10:14.',
  );
});

it('does not say how a network failed, as partners could use this to explore it', () => {
  const [refused, ...others] = (['address_refused', 'name_not_resolved', 'connection_failed'] as const).map(
    (failure) => wordsOf({ kind: 'failed', failure }),
  );
  for (const other of others) expect(other).toBe(refused);
});

it('says the same of what a partner may know of a gap', () => {
  expect(Object.keys(shownGap(GAP)).toSorted()).toEqual(['cause', 'since', 'until']);
  expect(gapWords(shownGap(GAP), clock)).toEqual(gapWords(GAP, clock));
});
