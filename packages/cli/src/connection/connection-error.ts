/** The database cannot be used as the command line says. The message is one line and says how to fix it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
