import { describe, expect, test } from 'vitest';
import { afterRateHeaders, afterRefusal, type RateWindow, windowAt } from './bucket-queues.js';

const NOW = 1_000_000;
const window: RateWindow = { limit: 10, remaining: 4, reset: 100, endsAt: NOW + 5_000 };
const headers = { limit: 10, remaining: 6, reset: 100, resetsInMs: 7_000 };

describe('a response', () => {
  test('creates an unknown window', () => {
    const known = { limit: 10, remaining: 6, reset: 100, endsAt: NOW + 7_000 };
    expect(afterRateHeaders(null, headers, NOW)).toEqual(known);
  });

  test('lowers the count of the same window, and does not change its end', () => {
    expect(afterRateHeaders(window, headers, NOW)).toEqual(window);
    expect(afterRateHeaders(window, { ...headers, remaining: 3 }, NOW)).toEqual({ ...window, remaining: 3 });
  });

  test('starts the next window, and ignores responses of the previous one', () => {
    const next = { limit: 10, remaining: 6, reset: 160, endsAt: NOW + 7_000 };
    expect(afterRateHeaders(window, { ...headers, reset: 160 }, NOW)).toEqual(next);
    expect(afterRateHeaders(window, { ...headers, reset: 40 }, NOW)).toBe(window);
  });

  test('replaces an assumed window', () => {
    const supposed = { ...window, reset: null };
    const known = { limit: 10, remaining: 6, reset: 100, endsAt: NOW + 7_000 };
    expect(afterRateHeaders(supposed, headers, NOW)).toEqual(known);
  });
});

describe('a 429', () => {
  test('closes the window for the given time', () => {
    const closed = { remaining: 0, reset: null, endsAt: NOW + 2_000 };
    expect(afterRefusal(window, 2_000, NOW)).toEqual({ ...closed, limit: 10 });
    expect(afterRefusal(null, 2_000, NOW)).toEqual({ ...closed, limit: Number.POSITIVE_INFINITY });
  });

  test('does not open a used-up window before it ends', () => {
    const usedUp = { ...window, remaining: 0 };
    expect(afterRefusal(usedUp, 2_000, NOW).endsAt).toBe(usedUp.endsAt);
    expect(afterRefusal(usedUp, 9_000, NOW).endsAt).toBe(NOW + 9_000);
  });
});

describe('a window', () => {
  test('is replaced when it ends by an assumed fresh one of a minute', () => {
    expect(windowAt(window, window.endsAt - 1)).toBe(window);
    const fresh = { limit: 10, remaining: 10, reset: null, endsAt: window.endsAt + 60_000 };
    expect(windowAt(window, window.endsAt)).toEqual(fresh);
    const later = window.endsAt + 600_000;
    expect(windowAt(window, later)).toEqual({ ...fresh, endsAt: later + 60_000 });
    expect(windowAt(null, NOW)).toBeNull();
  });
});
