export interface BoundedCache<Value> {
  find(name: string): Value | undefined;
  learn(name: string, value: Value): void;
  forget(name: string): void;
}

/** Creates a cache that drops its oldest entry when it holds more than `max` entries. */
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
