/**
 * Ends the call of somebody who set it up wrongly.
 *
 * @throws TypeError with the message unless the condition holds.
 */
export function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new TypeError(message);
}
