import pRetry from 'p-retry';
import { isContention, isOutdated, isUnprepared } from './errors.js';

interface RetryWaits {
  readonly timeoutMs: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** Requests fail with 503 after this time. */
const PATIENCE_MS = 10_000;
/** About one commit of the winner. Later waits spread the retries. */
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

/** The errors guarantee that nothing was done. */
function mayBeRunAgain(error: unknown): boolean {
  return isContention(error) || isOutdated(error) || isUnprepared(error);
}
