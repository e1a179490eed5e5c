import { describe, expect, test } from 'vitest';
import { afterReading, afterRefusal, type RateWindow, windowAt } from './rate-window.js';

const NOW = 1_000_000;
const window: RateWindow = { limit: 10, remaining: 4, reset: 100, endsAt: NOW + 5_000 };
const reading = { limit: 10, remaining: 6, reset: 100, resetsInMs: 7_000 };

describe('an answer', () => {
  test('tells of the window that is not known yet', () => {
    const known = { limit: 10, remaining: 6, reset: 100, endsAt: NOW + 7_000 };
    expect(afterReading(null, reading, NOW)).toEqual(known);
  });

  test('of the same window moves its count down only, and never its end', () => {
    expect(afterReading(window, reading, NOW)).toEqual(window);
    expect(afterReading(window, { ...reading, remaining: 3 }, NOW)).toEqual({ ...window, remaining: 3 });
  });

  test('of the next window begins it, and one of the window before is late and tells nothing', () => {
    const next = { limit: 10, remaining: 6, reset: 160, endsAt: NOW + 7_000 };
    expect(afterReading(window, { ...reading, reset: 160 }, NOW)).toEqual(next);
    expect(afterReading(window, { ...reading, reset: 40 }, NOW)).toBe(window);
  });

  test('takes the place of a window that was only supposed', () => {
    const supposed = { ...window, reset: null };
    const known = { limit: 10, remaining: 6, reset: 100, endsAt: NOW + 7_000 };
    expect(afterReading(supposed, reading, NOW)).toEqual(known);
  });
});

describe('a 429', () => {
  test('closes the window for as long as it asks, and until then no count is known', () => {
    const closed = { remaining: 0, reset: null, endsAt: NOW + 2_000 };
    expect(afterRefusal(window, 2_000, NOW)).toEqual({ ...closed, limit: 10 });
    expect(afterRefusal(null, 2_000, NOW)).toEqual({ ...closed, limit: Number.POSITIVE_INFINITY });
  });

  test('opens none that is used up before it ends', () => {
    const usedUp = { ...window, remaining: 0 };
    expect(afterRefusal(usedUp, 2_000, NOW).endsAt).toBe(usedUp.endsAt);
    expect(afterRefusal(usedUp, 9_000, NOW).endsAt).toBe(NOW + 9_000);
  });
});

describe('a window', () => {
  test('holds until it ends, and is then supposed to be fresh for a minute', () => {
    expect(windowAt(window, window.endsAt - 1)).toBe(window);
    const fresh = { limit: 10, remaining: 10, reset: null, endsAt: window.endsAt + 60_000 };
    expect(windowAt(window, window.endsAt)).toEqual(fresh);
    const later = window.endsAt + 600_000;
    expect(windowAt(window, later)).toEqual({ ...fresh, endsAt: later + 60_000 });
    expect(windowAt(null, NOW)).toBeNull();
  });
});
