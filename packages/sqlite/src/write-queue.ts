import { StorageUnavailable } from '@partner-hiring/core';

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
