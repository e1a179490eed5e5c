/** A cache with a fixed number of entries. */
export interface BoundedCache<Value> {
  /** Returns undefined if the cache does not hold the name. */
  find(name: string): Value | undefined;
  learn(name: string, value: Value): void;
  forget(name: string): void;
}

/** Creates an empty cache. When it holds more than `max` entries, it drops the oldest one. */
export function createBoundedCache<Value>(max: number): BoundedCache<Value> {
  const values = new Map<string, Value>();
  return {
    find: (name) => values.get(name),
    learn: (name, value) => {
      values.set(name, value);
      if (values.size <= max) return;
      for (const oldest of values.keys()) {
        values.delete(oldest);
        return;
      }
    },
    forget: (name) => {
      values.delete(name);
    },
  };
}
