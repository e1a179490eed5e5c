import pRetry from 'p-retry';
import { isBusy } from './errors.js';

/** How long a call contends in all, the wait for its turn included, before it is given up: 503 is then due. */
export const PATIENCE_MS = 5_000;
/** The first wait is about one commit of another process; later ones leave room for a host's transaction. */
const FIRST_WAIT_MS = 4;
const LONGEST_WAIT_MS = 100;

/** The instant, on the monotonic clock, at which a call that begins now is given up. */
export function timeoutFromNow(): number {
  return performance.now() + PATIENCE_MS;
}

/**
 * Runs work again while the database is busy, until the deadline; at least once. It waits on a timer, not in
 * SQLite, whose own waiting would stop the event loop.
 */
export async function retryBusy<T>(work: () => Promise<T>, deadline: number): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isBusy(error) || performance.now() >= deadline) throw error;
  }
  return pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: FIRST_WAIT_MS,
    maxTimeout: LONGEST_WAIT_MS,
    factor: 1.5,
    randomize: true,
    shouldRetry: ({ error }) => isBusy(error) && performance.now() < deadline,
  });
}
