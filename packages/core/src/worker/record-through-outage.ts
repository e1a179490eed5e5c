import pRetry from 'p-retry';
import { SECOND_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';

/**
 * Half a minute: a failover takes no longer, as a rule, and a stop of the worker waits for longer. Tries that wait for
 * a row count too, or they would outlast the claim.
 */
const OUTAGE = { retries: 7, minTimeout: 200, factor: 2, maxRetryTime: 30 * SECOND_MS } as const;

/**
 * Records what a host has already taken, again while the storage is away: unrecorded, it would be handed over a second
 * time once its claim has run out.
 *
 * @param record - writes under its claim's token, so that after a commit of unknown outcome it does nothing.
 * @returns what the try that went well answered.
 * @throws what the last try threw; at once what is no outage.
 */
export function recordThroughOutage<Result>(record: () => Promise<Result>): Promise<Result> {
  return pRetry(record, { ...OUTAGE, shouldRetry: ({ error }) => error instanceof StorageUnavailable });
}
