import { type RateReading, WINDOW_MS } from '../answer.js';

/** What is known of a bucket's current window. */
export interface RateWindow {
  readonly limit: number;
  /** Requests left, as the service last told; those under way may or may not be among those it counted. */
  readonly remaining: number;
  /** The window's mark on the service's clock; null of a window that is only supposed. */
  readonly reset: number | null;
  readonly endsAt: number;
}

/** The window after an answer was counted in it. Answers may overtake one another; the lowest count is the last. */
export function afterReading(window: RateWindow | null, reading: RateReading, now: number): RateWindow {
  const { limit, remaining, reset, resetsInMs } = reading;
  if (window?.reset === reset) {
    return { ...window, limit, remaining: Math.min(window.remaining, remaining) };
  }
  const isOlder = window !== null && window.reset !== null && reset < window.reset;
  return isOlder ? window : { limit, remaining, reset, endsAt: now + resetsInMs };
}

/** The window after a 429: nothing goes for that long. */
export function afterRefusal(window: RateWindow | null, waitMs: number, now: number): RateWindow {
  const endsAt = Math.max(now + waitMs, window?.remaining === 0 ? window.endsAt : 0);
  return { limit: window?.limit ?? Number.POSITIVE_INFINITY, remaining: 0, reset: null, endsAt };
}

/** The window that holds now: the next one, supposed to be fresh, if this one has ended. */
export function windowAt(window: RateWindow | null, now: number): RateWindow | null {
  if (window === null || now < window.endsAt) return window;
  return { limit: window.limit, remaining: window.limit, reset: null, endsAt: now + WINDOW_MS };
}
