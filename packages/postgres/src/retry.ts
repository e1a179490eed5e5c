import pRetry from 'p-retry';
import { isContention, isOutdated, isUnprepared } from './errors.js';

interface RetryWaits {
  readonly timeoutMs: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** How long a request is retried before it fails with 503. */
const PATIENCE_MS = 10_000;
/**
 * The first wait in milliseconds: about as long as the commit of the transaction that won. Later waits are longer and
 * random, so that retries do not collide.
 */
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 200;
const OF_REQUESTS: RetryWaits = {
  timeoutMs: PATIENCE_MS,
  firstWaitMs: FIRST_WAIT_MS,
  longestWaitMs: LONGEST_WAIT_MS,
};

export async function retryContention<T>(
  run: () => Promise<T>,
  { timeoutMs, firstWaitMs, longestWaitMs } = OF_REQUESTS,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  try {
    return await run();
  } catch (error) {
    if (!mayBeRunAgain(error)) throw error;
  }
  return pRetry(run, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: firstWaitMs,
    maxTimeout: longestWaitMs,
    factor: 2,
    randomize: true,
    shouldRetry: ({ error }) => mayBeRunAgain(error) && performance.now() < deadline,
  });
}

/**
 * Returns whether to retry after this error. Each of these errors guarantees that the transaction changed
 * nothing.
 */
function mayBeRunAgain(error: unknown): boolean {
  return isContention(error) || isOutdated(error) || isUnprepared(error);
}
