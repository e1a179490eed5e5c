import pRetry from 'p-retry';
import { isContention, isOutdated, isUnprepared } from './errors.js';

/** How a transaction that keeps losing is begun again. */
interface RetryWaits {
  readonly timeoutMs: number;
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** How long a transaction that keeps losing is begun again, before it is given up: 503 is then due. */
const PATIENCE_MS = 10_000;
/** The first wait is about one commit of the winner; later ones spread a crowd. */
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 200;
const OF_REQUESTS: RetryWaits = {
  timeoutMs: PATIENCE_MS,
  firstWaitMs: FIRST_WAIT_MS,
  longestWaitMs: LONGEST_WAIT_MS,
};

/**
 * Runs a whole transaction again while it loses against others, or what it had prepared is of no use any more, within
 * bounds.
 */
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

/** Nothing was done, and another time it may be. */
function mayBeRunAgain(error: unknown): boolean {
  return isContention(error) || isOutdated(error) || isUnprepared(error);
}
