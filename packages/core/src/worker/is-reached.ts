import type { Instant } from '../domain/time.js';

/**
 * Whether a planned instant has come. It has also come if it is further ahead than it was planned, because the clock
 * was set back. A smaller change delays it by at most `plannedMs`.
 */
export function isReached(now: Instant, at: Instant, plannedMs: number): boolean {
  const leftMs = at - now;
  return leftMs <= 0 || leftMs > plannedMs;
}
