import type { Instant } from '../domain/time.js';

/**
 * Whether a planned instant has come, or the clock was set back by more than `plannedMs`. A smaller step back delays
 * it.
 */
export function isReached(now: Instant, at: Instant, plannedMs: number): boolean {
  const leftMs = at - now;
  return leftMs <= 0 || leftMs > plannedMs;
}
