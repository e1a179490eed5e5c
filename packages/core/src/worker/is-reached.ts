import type { Instant } from '../domain/time.js';

/**
 * Whether a planned instant has come. So it has when it lies further ahead than it was ever planned: then the
 * clock was set back.
 */
export function isReached(now: Instant, at: Instant, plannedMs: number): boolean {
  const leftMs = at - now;
  return leftMs <= 0 || leftMs > plannedMs;
}
