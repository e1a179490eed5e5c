import { performance } from 'node:perf_hooks';
import * as timers from 'node:timers';
import { fromPostgresError, isContention, isOutdated, isUnprepared } from './errors.js';
import type { PoolConnections } from './pool.js';

/** The real timer, even if a test replaces the global one. That of a library such as p-retry would be the fake one. */
const { setTimeout } = timers;

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
  for (let waitMs = firstWaitMs; ; waitMs *= 2) {
    try {
      return await run();
    } catch (error) {
      if (!mayBeRunAgain(error) || performance.now() >= deadline) throw error;
    }
    const ms = Math.min(waitMs * (1 + Math.random()), longestWaitMs);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** Retries contention, and converts the error that remains. */
export async function inStorage<T>(
  connections: PoolConnections,
  run: () => Promise<T>,
  waits = OF_REQUESTS,
): Promise<T> {
  try {
    return await retryContention(run, waits);
  } catch (error) {
    throw fromPostgresError(error, connections);
  }
}

/** Runs one statement that reads, and returns its rows. */
export async function askServer(
  connections: PoolConnections,
  sql: string,
  parameters: readonly unknown[],
): Promise<readonly unknown[]> {
  const ask = () => connections.lend(({ statement }) => statement(sql, parameters));
  return (await inStorage(connections, ask)).rows;
}

/**
 * Returns whether to retry after this error. Each of these errors guarantees that the transaction changed
 * nothing.
 */
function mayBeRunAgain(error: unknown): boolean {
  return isContention(error) || isOutdated(error) || isUnprepared(error);
}
