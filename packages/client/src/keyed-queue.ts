/** Runs work of one name in order, and of different names concurrently. */
export type KeyedQueue = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Builds a keyed queue. If work fails, the next work of the same name still runs. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
