import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../domain/time.js';

/** OpenTelemetry's default bucket bounds, extended to 30 seconds, the longest attempt. */
export const EXCHANGE_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 30,
];

/** Bucket bounds in seconds, from an immediate delivery to one that succeeds after all retry delays. */
export const LATENCY_SECONDS: readonly number[] = [
  10,
  25,
  50,
  100,
  250,
  500,
  SECOND_MS,
  5 * SECOND_MS,
  15 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  DAY_MS,
  4 * DAY_MS,
].map((ms) => ms / SECOND_MS);

export const BATCH_SIZES: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
