import type { KeyId } from '../domain/ids.js';

export interface LargeBodies {
  /** Runs `use` when the key may hold another body. After `timeoutMs`, returns `timed_out`. */
  take<T>(keyId: KeyId, timeoutMs: number, use: (leftMs: number) => Promise<T>): Promise<T | 'timed_out'>;
  work<T>(keyId: KeyId, work: () => T): Promise<T>;
}

/** Bounds the memory of a key. The sockets of further bodies are not read. */
export const MAX_LARGE_PER_KEY = 8;
/** A flood of large bodies gets a quarter of the event loop. */
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
    setTimeout(resolve, ms);
  });
}
