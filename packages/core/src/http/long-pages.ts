import type { KeyId } from '../domain/ids.js';
import { onTimeout } from '../real-timers.js';

export type WorkOnLongPage = <T>(keyId: KeyId, work: () => Promise<T>) => Promise<T>;

/**
 * Runs the long pages of a key one at a time, because each blocks the event loop for milliseconds. After a
 * page, the queue pauses for as long as the page took.
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
      onTimeout(() => {
        if (last.get(keyId) === ended) last.delete(keyId);
        end();
      }, performance.now() - startedAt);
    }
  };
}
