import type { Instant } from '../domain/time.js';

/** Also true when the clock was set back by more than `plannedMs`. */
export function isReached(now: Instant, at: Instant, plannedMs: number): boolean {
  const leftMs = at - now;
  return leftMs <= 0 || leftMs > plannedMs;
}
