import pRetry from 'p-retry';
import { SECOND_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';

/** Covers a usual failover, and fits into `stopWithinMs` and the lease. */
const OUTAGE = { retries: 7, minTimeout: 200, factor: 2, maxRetryTime: 30 * SECOND_MS } as const;

/**
 * Retries during an outage: the host's accepted work would be repeated.
 * @param record - writes under its lease's token, so that it is safe to repeat.
 * @throws at once if the error is not an outage.
 */
export function recordThroughOutage<Result>(record: () => Promise<Result>): Promise<Result> {
  return pRetry(record, { ...OUTAGE, shouldRetry: ({ error }) => error instanceof StorageUnavailable });
}
