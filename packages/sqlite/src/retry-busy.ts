import pRetry from 'p-retry';
import { isBusy } from './errors.js';

/** How long a call waits at most, for the write queue and for locks together. */
export const TIMEOUT_MS = 5_000;
/** About as long as one commit of another process. */
const FIRST_WAIT_MS = 4;
const LONGEST_WAIT_MS = 100;

/** Returns the deadline of a call that starts now, in ms of the monotonic clock. */
export function timeoutFromNow(): number {
  return performance.now() + TIMEOUT_MS;
}

/**
 * Runs work, and repeats it until the deadline while the database is busy. Waits with timers, because
 * SQLite's own busy timeout would block the event loop.
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
