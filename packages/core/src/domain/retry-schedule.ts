import { HOUR_MS, MINUTE_MS } from './time.js';

/**
 * The delay before each of the ten attempts. The first is immediate; the others run from the end of the
 * attempt before. They sum to 92.6 hours. Spec: Delivery, retries, pausing.
 */
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

/** Attempts before a delivery becomes a dead letter. Spec: Delivery, retries, pausing. */
export const MAX_ATTEMPTS = ATTEMPT_DELAYS_MS.length;

/** Delays vary by this share either way, so that a herd of failures does not return as one. */
export const JITTER = 0.25;

/**
 * The delay before the attempt that follows `attemptsMade`, or null when none is left.
 *
 * @param random - uniform in [0, 1); 0 gives the shortest delay, values towards 1 the longest.
 */
export function delayBeforeNext(attemptsMade: number, random: number): number | null {
  const delay = ATTEMPT_DELAYS_MS[attemptsMade];
  if (delay === undefined) return null;
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random));
}
