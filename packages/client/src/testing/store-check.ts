import { stableJson } from '../json.js';

/** One requirement on a store. Run each: `for (const { name, run } of checks) test(name, run)`. */
export interface StoreCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Ignores the order of keys, which a database may change. */
export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const is = stableJson(actual);
  const shouldBe = stableJson(expected);
  if (is !== shouldBe) throw new Error(`${what}: expected ${shouldBe}, got ${is}.`);
}
