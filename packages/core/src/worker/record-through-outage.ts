import pRetry from 'p-retry';
import { SECOND_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';

/** Longer than a usual failover, shorter than `stopWithinMs` and the lease. */
const OUTAGE = { retries: 7, minTimeout: 200, factor: 2, maxRetryTime: 30 * SECOND_MS } as const;

/** `record` must be safe to repeat. Other errors than an outage are thrown at once. */
export function recordThroughOutage<Result>(record: () => Promise<Result>): Promise<Result> {
  return pRetry(record, { ...OUTAGE, shouldRetry: ({ error }) => error instanceof StorageUnavailable });
}
