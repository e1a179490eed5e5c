import { StorageUnavailable } from '../../errors.js';

/** Runs work in a place of its own, once one is free. */
export type InPlace = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Places for so much work at one time; the rest waits, and gets them in the order it came. Work that has no place when
 * its timeout ends is never begun, and rejects with `StorageUnavailable`.
 *
 * @param timeout - resolves when a wait has lasted long enough, or when the signal says that it is over.
 */
export function createSemaphore(total: number, timeout: (signal: AbortSignal) => Promise<void>): InPlace {
  const waiting = new Set<() => void>();
  let free = total;

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const isTurn = new AbortController();
      const begin = () => {
        waiting.delete(begin);
        isTurn.abort();
        resolve();
      };
      waiting.add(begin);
      void timeout(isTurn.signal).then(() => {
        if (waiting.delete(begin)) reject(new StorageUnavailable('Others held the feeds of too many keys.'));
      });
    });
  }

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  }

  return async (work) => {
    if (free > 0) free -= 1;
    else await wait();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
