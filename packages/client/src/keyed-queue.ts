/** Runs work of one key in order, such as of a name or a store, and of different keys concurrently. */
export type KeyedQueue = <Result>(key: unknown, work: () => Promise<Result>) => Promise<Result>;

/** Builds a keyed queue. If work fails, the next work of the same key still runs. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<unknown, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
