import { expect, test } from 'vitest';
import { nextResumeRound, RESUME_DELAYS_MS } from './resume.js';
import { HOUR_MS, MINUTE_MS } from './time.js';

test('a résumé is fetched immediately, then half a minute and ten minutes after a failure', () => {
  expect(RESUME_DELAYS_MS[0]).toBe(0);
  expect(nextResumeRound(1, 1_000)).toBe(31_000);
  expect(nextResumeRound(2, 1_000)).toBe(601_000);
  expect(nextResumeRound(3, 1_000)).toBeNull();
});

test('a résumé that the server does not give now is fetched after 1, 10 and 60 minutes', () => {
  const rounds = [1, 2, 3, 4].map((made) => nextResumeRound(made, 1_000, 'bad_status'));
  expect(rounds).toEqual([1_000 + MINUTE_MS, 1_000 + 10 * MINUTE_MS, 1_000 + HOUR_MS, null]);
  expect(nextResumeRound(3, 1_000, 'timed_out')).toBeNull();
});
