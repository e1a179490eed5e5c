import pRetry from 'p-retry';
import { SECOND_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';

/** Retries longer than a usual failover lasts, but shorter than `stopWithinMs` and the lease. */
const OUTAGE = { retries: 7, minTimeout: 200, factor: 2, maxRetryTime: 30 * SECOND_MS } as const;

/**
 * Repeats `record` during an outage, so `record` must be safe to repeat. Errors other than an outage are
 * thrown immediately.
 */
export function recordThroughOutage<Result>(record: () => Promise<Result>): Promise<Result> {
  return pRetry(record, { ...OUTAGE, shouldRetry: ({ error }) => error instanceof StorageUnavailable });
}
