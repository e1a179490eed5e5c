import type { KeyId } from '../domain/ids.js';

/** Runs work on a large body when it is the key's turn. */
export type WorkOnLargeBody = <T>(keyId: KeyId, work: () => T) => Promise<T>;

/** Large bodies get a quarter of the event loop: a flood of them then goes on beside everybody else. */
const REST = 3;

/**
 * Creates the queue of large bodies. Reading one as JSON holds the event loop for milliseconds, and everybody else with
 * it. Therefore one large body is read at a time, the keys take turns, and after each one the event loop is free for
 * three times as long as the work took.
 */
export function createLargeBodyQueue(): WorkOnLargeBody {
  const waiting = new Map<KeyId, (() => void)[]>();
  let isBusy = false;

  async function workOff(): Promise<void> {
    isBusy = true;
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const [keyId, works] = next;
      // The key goes to the end of the line.
      waiting.delete(keyId);
      const [work, ...rest] = works;
      if (rest.length > 0) waiting.set(keyId, rest);
      const startedAt = performance.now();
      work?.();
      await sleep(REST * (performance.now() - startedAt));
    }
    isBusy = false;
  }

  return (keyId, work) =>
    new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      waiting.set(keyId, [...(waiting.get(keyId) ?? []), run]);
      if (!isBusy) void workOff();
    });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
