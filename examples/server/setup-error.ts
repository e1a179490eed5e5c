/** Something about the machine or the settings is not as the example needs it; the message names the fix. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
