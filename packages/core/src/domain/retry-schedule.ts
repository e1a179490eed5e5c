import { HOUR_MS, MINUTE_MS } from './time.js';

/** Each delay starts at the end of the previous attempt. Contract: 12.5. */
export const ATTEMPT_DELAYS_MS = [
  0,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
] as const;

export const MAX_ATTEMPTS = ATTEMPT_DELAYS_MS.length;

/**
 * Varies each delay by up to this fraction, so that deliveries that failed together are not all retried
 * together.
 */
export const JITTER = 0.25;

/** Returns null after the last attempt. `random` is in [0, 1). */
export function delayBeforeNext(attemptsMade: number, random: number): number | null {
  const delay = ATTEMPT_DELAYS_MS[attemptsMade];
  if (delay === undefined) return null;
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
