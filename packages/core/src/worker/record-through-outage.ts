import pRetry from 'p-retry';
import { SECOND_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';

/** Half a minute covers a usual failover and fits into `stopWithinMs`. It includes slow tries, to end within the lease. */
const OUTAGE = { retries: 7, minTimeout: 200, factor: 2, maxRetryTime: 30 * SECOND_MS } as const;

/**
 * Records work that the host has already accepted, with retries during an outage. Unrecorded work would be repeated when
 * its lease expires.
 *
 * @param record - must write under the token of its lease, so that it is safe after a commit of unknown outcome.
 * @returns the result of the successful try.
 * @throws the error of the last try; at once if it is not an outage.
 */
export function recordThroughOutage<Result>(record: () => Promise<Result>): Promise<Result> {
  return pRetry(record, { ...OUTAGE, shouldRetry: ({ error }) => error instanceof StorageUnavailable });
}
