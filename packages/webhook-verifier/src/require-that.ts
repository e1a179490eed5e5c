/** @throws TypeError with the message unless the condition is true. */
export function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}
