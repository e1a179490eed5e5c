import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ATTEMPT_DELAYS_MS, delayBeforeNext, MAX_ATTEMPTS } from './retry-schedule.js';

const MINUTE = 60_000;

const MINUTES = [0, 1, 5, 30, 120, 360, 720, 1440, 1440, 1440];

test('there are ten attempts', () => {
  expect(MAX_ATTEMPTS).toBe(10);
});

test.each(MINUTES.map((minutes, index) => [index + 1, minutes] as const))(
  'attempt %i comes after %i min, plus or minus 25 %',
  (attempt, minutes) => {
    const delay = minutes * MINUTE;
    expect(delayBeforeNext(attempt - 1, 0.5)).toBe(delay);
    expect(delayBeforeNext(attempt - 1, 0)).toBe(delay * 0.75);
    expect(delayBeforeNext(attempt - 1, 1 - Number.EPSILON / 2)).toBe(delay * 1.25);
  },
);

test.each([10, 11, 1_000])('no attempt follows after %i', (made) => {
  expect(delayBeforeNext(made, 0.5)).toBeNull();
});

test('the delays sum to 92.6 hours', () => {
  expect(ATTEMPT_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / (60 * MINUTE)).toBeCloseTo(92.6, 10);
});

test('any delay is an integer within a quarter of the table, and grows with the random value', () => {
  const fractions = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fractions, fractions, (made, low, high) => {
      const delay = delayBeforeNext(made, low) ?? Number.NaN;
      const base = (MINUTES[made] ?? 0) * MINUTE;
      expect(Number.isInteger(delay)).toBe(true);
      expect(Math.abs(delay - base)).toBeLessThanOrEqual(base / 4);
      if (low <= high) expect(delayBeforeNext(made, high)).toBeGreaterThanOrEqual(delay);
    }),
  );
});
