import { type RateHeaders, WINDOW_MS } from '../answer.js';

/** The current window of a bucket, as far as the client knows it. */
export interface RateWindow {
  readonly limit: number;
  /** The number of requests left, as the service last reported it. It may omit requests under way. */
  readonly remaining: number;
  /** The window's end in Unix seconds on the service's clock, which identifies it. Null for an assumed window. */
  readonly reset: number | null;
  readonly endsAt: number;
}

/** Responses may arrive out of order, so the lowest count is the latest. */
export function afterRateHeaders(window: RateWindow | null, headers: RateHeaders, now: number): RateWindow {
  const { limit, remaining, reset, resetsInMs } = headers;
  if (window?.reset === reset) {
    return { ...window, limit, remaining: Math.min(window.remaining, remaining) };
  }
  const isOlder = window !== null && window.reset !== null && reset < window.reset;
  return isOlder ? window : { limit, remaining, reset, endsAt: now + resetsInMs };
}

export function afterRefusal(window: RateWindow | null, waitMs: number, now: number): RateWindow {
  const endsAt = Math.max(now + waitMs, window?.remaining === 0 ? window.endsAt : 0);
  return { limit: window?.limit ?? Number.POSITIVE_INFINITY, remaining: 0, reset: null, endsAt };
}

/** Assumes a fresh window when the last has ended. */
export function windowAt(window: RateWindow | null, now: number): RateWindow | null {
  if (window === null || now < window.endsAt) return window;
  return { limit: window.limit, remaining: window.limit, reset: null, endsAt: now + WINDOW_MS };
}
