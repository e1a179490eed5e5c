/** A failed step of the demo. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

/** @throws DemoFailure unless both are equal; `what` names the value. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  throw new DemoFailure(`${what} should be ${JSON.stringify(expected)}, but is ${JSON.stringify(actual)}`);
}

/** @throws DemoFailure unless the condition is true. */
export function expectThat(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new DemoFailure(rule);
}

/** Awaits the promise. @throws DemoFailure after a timeout. */
export async function within<Value>(ms: number, what: string, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DemoFailure(`${what} took longer than ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
