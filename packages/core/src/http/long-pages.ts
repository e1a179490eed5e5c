import type { KeyId } from '../domain/ids.js';

export type WorkOnLongPage = <T>(keyId: KeyId, work: () => Promise<T>) => Promise<T>;

/** Queues long pages by key. Each blocks the event loop for milliseconds, and the next waits as long. */
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
