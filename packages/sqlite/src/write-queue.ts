import { StorageUnavailable } from '@partner-hiring/core';

/**
 * Lets calls take turns: each begins when the one before it has ended, in the order they came.
 *
 * @throws StorageUnavailable if the turn does not come in time. The work is then never begun.
 */
export type WriteQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** One line of calls. The next one begins as soon as the one before has ended, without a turn of the event loop. */
export function createWriteQueue(timeoutMs: number): WriteQueue {
  let last: Promise<void> = Promise.resolve();
  return (work) =>
    new Promise((resolve, reject) => {
      let hasGivenUp = false;
      const timer = setTimeout(() => {
        hasGivenUp = true;
        reject(new StorageUnavailable(GIVEN_UP));
      }, timeoutMs);
      last = last.then(() => {
        if (hasGivenUp) return;
        clearTimeout(timer);
        return work().then(resolve, reject);
      });
    });
}

const GIVEN_UP =
  'Another transaction of this process does not end. Either it waits for another connection that has the file locked, as ' +
  'other lines then say. Or somebody called from inside it what waits for it, and so for itself: there, use the ' +
  'repositories that it hands over.';
