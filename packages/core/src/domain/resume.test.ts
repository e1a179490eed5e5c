import { expect, test } from 'vitest';
import { nextResumeRound, RESUME_DELAYS_MS } from './resume.js';

test('a résumé is fetched immediately, then half a minute and ten minutes after a failure', () => {
  expect(RESUME_DELAYS_MS[0]).toBe(0);
  expect(nextResumeRound(1, 1_000)).toBe(31_000);
  expect(nextResumeRound(2, 1_000)).toBe(601_000);
  expect(nextResumeRound(3, 1_000)).toBeNull();
});
