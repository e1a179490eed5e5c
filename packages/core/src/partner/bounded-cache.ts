/** What the storage said last. Never the last word: it only lets work begin earlier. */
export interface BoundedCache<Value> {
  /** Undefined if nothing of that name is remembered. */
  find(name: string): Value | undefined;
  /** Null if there is no longer anything to remember. */
  learn(name: string, value: Value | null): void;
}

/** An empty memory. When it holds more than `max`, what came in first is forgotten first. */
export function createBoundedCache<Value>(max: number): BoundedCache<Value> {
  const values = new Map<string, Value>();
  return {
    find: (name) => values.get(name),
    learn: (name, value) => {
      if (value === null) {
        values.delete(name);
        return;
      }
      values.set(name, value);
      if (values.size <= max) return;
      for (const oldest of values.keys()) {
        values.delete(oldest);
        return;
      }
    },
  };
}
