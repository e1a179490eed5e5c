/**
 * One thing that a store must do. Run each as a test of your own:
 * `for (const { name, run } of checks) test(name, run)`.
 */
export interface StoreCheck {
  readonly name: string;
  /** Rejects with what is wrong. */
  readonly run: () => Promise<void>;
}

/** Whether two values are the same JSON, whatever the order of what may come in any order. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [is, shouldBe] = [serialize(actual), serialize(expected)];
  if (is !== shouldBe) throw new Error(`${what}: expected ${shouldBe}, got ${is}.`);
}

/** Keys in their order: a database may give a row's fields in another one. */
function serialize(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
