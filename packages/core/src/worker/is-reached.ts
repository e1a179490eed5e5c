import type { Instant } from '../domain/time.js';

/** Returns whether `at` is reached. Also returns true if the clock was set back by more than `plannedMs`. */
export function isReached(now: Instant, at: Instant, plannedMs: number): boolean {
  const leftMs = at - now;
  return leftMs <= 0 || leftMs > plannedMs;
}
