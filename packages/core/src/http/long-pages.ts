import type { KeyId } from '../domain/ids.js';

/** Runs the work on a long page when no other long page of the key is under way. */
export type WorkOnLongPage = <T>(keyId: KeyId, work: () => Promise<T>) => Promise<T>;

/**
 * Creates the queues of long pages, one for each key. A page of 200 rows holds the event loop for milliseconds, and a
 * client may ask for forty at once. Therefore a key's long pages run one at a time, and before the next one starts, the
 * event loop is free for as long as the last one took.
 */
export function createLongPageQueues(): WorkOnLongPage {
  const last = new Map<KeyId, Promise<void>>();

  return async (keyId, work) => {
    const before = last.get(keyId);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    last.set(keyId, ended);
    await before;
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(() => {
        if (last.get(keyId) === ended) last.delete(keyId);
        end();
      }, performance.now() - startedAt);
    }
  };
}
