/** The command cannot continue. The message says why, and how to fix it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}
