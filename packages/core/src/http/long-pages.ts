import type { KeyId } from '../domain/ids.js';

/** Runs the work on a long page after the key's earlier ones. */
export type WorkOnLongPage = <T>(keyId: KeyId, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue of long pages for each key. Each blocks the event loop for milliseconds, which is then free for as
 * long before the key's next one.
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
