/** The machine or the settings do not fit the example. The message says how to fix it. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
