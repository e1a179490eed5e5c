import type { KeyId } from '../domain/ids.js';

/** Large bodies: those of one key wait for one another, so that nobody else has to. */
export interface LargeBodies {
  /**
   * Does what there is to do with a body when the key has a free place for one, within what is left of `timeoutMs` then.
   * Answers `timed_out` if the key has none in time: nothing was done then.
   */
  take<T>(keyId: KeyId, timeoutMs: number, use: (leftMs: number) => Promise<T>): Promise<T | 'timed_out'>;
  /** Runs work on a body when it is the key's turn. */
  work<T>(keyId: KeyId, work: () => T): Promise<T>;
}

/** Large bodies of one key that are held at a time. What the others send stays with their clients. */
export const MAX_LARGE_PER_KEY = 8;
/** Work on large bodies gets a quarter of the event loop: a flood of them then goes on beside everybody else. */
const REST = 3;

/**
 * Creates the queues of large bodies. A process would hold hundreds of bodies that one key sends at once. Reading one as
 * JSON holds the event loop for milliseconds, and everybody else with it. Therefore a key has few places for bodies, one
 * body is worked on at a time, the keys take turns, and after each body the event loop is free for three times as long
 * as the work took.
 */
export function createLargeBodies(): LargeBodies {
  return { take: createSemaphore(), work: createWorkQueue() };
}

function createSemaphore(): LargeBodies['take'] {
  const keys = new Map<KeyId, { taken: number; readonly waiting: Set<() => void> }>();

  function enter(keyId: KeyId, timeoutMs: number): Promise<boolean> {
    const places = keys.get(keyId) ?? { taken: 0, waiting: new Set() };
    keys.set(keyId, places);
    if (places.taken < MAX_LARGE_PER_KEY) {
      places.taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const proceed = () => end(true);
      const timer = setTimeout(() => end(false), timeoutMs);
      const end = (hasPlace: boolean) => {
        clearTimeout(timer);
        places.waiting.delete(proceed);
        resolve(hasPlace);
      };
      places.waiting.add(proceed);
    });
  }

  function leave(keyId: KeyId): void {
    const places = keys.get(keyId);
    const [next] = places?.waiting ?? [];
    if (next !== undefined) {
      // The place passes to whoever waits for it.
      next();
    } else if (places !== undefined) {
      places.taken -= 1;
      if (places.taken === 0) keys.delete(keyId);
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
