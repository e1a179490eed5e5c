/** Throws a TypeError with this message if the condition is false. */
export function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}
