/** Thrown if the database cannot be used as the command line says. The message is one line and contains the fix. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
