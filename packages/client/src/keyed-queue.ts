/** Runs what has the same name one after another, and everything else side by side. */
export type KeyedQueue = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Nobody has a turn yet. */
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
