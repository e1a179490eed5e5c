import type { Instant } from '../domain/time.js';

/**
 * Whether a planned instant has come. So it has when it lies further ahead than it was ever planned: then the
 * clock was set back. By less than that, it comes as much later: nothing waits longer than a second time.
 */
export function isReached(now: Instant, at: Instant, plannedMs: number): boolean {
  const leftMs = at - now;
  return leftMs <= 0 || leftMs > plannedMs;
}
