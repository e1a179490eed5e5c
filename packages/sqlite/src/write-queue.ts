import { performance } from 'node:perf_hooks';
import * as timers from 'node:timers';
import { StorageUnavailable } from '@partner-hiring/core';
import { isBusy } from './errors.js';

/** The real timers, even if a test replaces the global ones. Those of a library such as p-retry would be fake ones. */
const { setTimeout, clearTimeout } = timers;

/** How long a call waits at most, for the write queue and for locks together. */
export const TIMEOUT_MS = 5_000;
/** About as long as one commit of another process. */
const FIRST_WAIT_MS = 4;
const LONGEST_WAIT_MS = 100;
const WAIT_FACTOR = 1.5;

/** Returns the deadline of a call that starts now, in ms of the monotonic clock. */
export function timeoutFromNow(): number {
  return performance.now() + TIMEOUT_MS;
}

/**
 * Runs work, and repeats it until the deadline while the database is busy. Waits with timers, because
 * SQLite's own busy timeout would block the event loop.
 */
export async function retryBusy<T>(work: () => Promise<T>, deadline: number): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= WAIT_FACTOR) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    const ms = Math.min(waitMs * (1 + Math.random()), LONGEST_WAIT_MS);
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** Runs calls one at a time. A call that waits too long gets `StorageUnavailable` and never runs. */
export type WriteQueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createWriteQueue(timeoutMs: number): WriteQueue {
  let last: Promise<void> = Promise.resolve();
  return (work) =>
    new Promise((resolve, reject) => {
      let hasTimedOut = false;
      const timer = setTimeout(() => {
        hasTimedOut = true;
        reject(new StorageUnavailable(TIMED_OUT));
      }, timeoutMs);
      last = last.then(() => {
        if (hasTimedOut) return;
        clearTimeout(timer);
        return work().then(resolve, reject);
      });
    });
}

const TIMED_OUT =
  'Timed out waiting for another transaction of this process. ' +
  'Either another connection has locked the file, or code inside a transaction waits for another transaction. ' +
  'If the file is locked, other log lines say so. ' +
  'Inside a transaction, use the repositories that are passed to it.';
