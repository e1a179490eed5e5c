import type { KeyId } from '../domain/ids.js';
import { onTimeout } from '../real-timers.js';

export interface LargeBodies {
  /**
   * Runs `use` when the key has a free permit to hold a large body in memory. Returns `timed_out` if no
   * permit is free within `timeoutMs`.
   */
  take<T>(keyId: KeyId, timeoutMs: number, use: (leftMs: number) => Promise<T>): Promise<T | 'timed_out'>;
  work<T>(keyId: KeyId, work: () => T): Promise<T>;
}

/**
 * The maximum number of large bodies that a key may have in memory. The server does not read the next large body of the
 * key until it is done with one of these.
 */
export const MAX_LARGE_PER_KEY = 8;
/**
 * Pauses for three times as long as a body took to parse. A flood of large bodies then takes at most a
 * quarter of the event loop's time.
 */
const PAUSE_FACTOR = 3;

export function createLargeBodies(): LargeBodies {
  return { take: createSemaphore(), work: createWorkQueue() };
}

function createSemaphore(): LargeBodies['take'] {
  const keys = new Map<KeyId, { taken: number; readonly waiting: Set<() => void> }>();

  function enter(keyId: KeyId, timeoutMs: number): Promise<boolean> {
    const permits = keys.get(keyId) ?? { taken: 0, waiting: new Set() };
    keys.set(keyId, permits);
    if (permits.taken < MAX_LARGE_PER_KEY) {
      permits.taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const proceed = () => end(true);
      const timer = setTimeout(() => end(false), timeoutMs);
      const end = (hasPermit: boolean) => {
        clearTimeout(timer);
        permits.waiting.delete(proceed);
        resolve(hasPermit);
      };
      permits.waiting.add(proceed);
    });
  }

  function leave(keyId: KeyId): void {
    const permits = keys.get(keyId);
    const [next] = permits?.waiting ?? [];
    if (next !== undefined) {
      next();
    } else if (permits !== undefined) {
      permits.taken -= 1;
      if (permits.taken === 0) keys.delete(keyId);
    }
  }

  return async (keyId, timeoutMs, use) => {
    const startedAt = performance.now();
    if (!(await enter(keyId, timeoutMs))) return 'timed_out';
    try {
      return await use(Math.max(1, timeoutMs - (performance.now() - startedAt)));
    } finally {
      leave(keyId);
    }
  };
}

function createWorkQueue(): LargeBodies['work'] {
  const waiting = new Map<KeyId, (() => void)[]>();
  let isBusy = false;

  async function drain(): Promise<void> {
    isBusy = true;
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const [keyId, works] = next;
      waiting.delete(keyId);
      const [work, ...rest] = works;
      if (rest.length > 0) waiting.set(keyId, rest);
      const startedAt = performance.now();
      work?.();
      await sleep(PAUSE_FACTOR * (performance.now() - startedAt));
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
      if (!isBusy) void drain();
    });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    onTimeout(resolve, ms);
  });
}
