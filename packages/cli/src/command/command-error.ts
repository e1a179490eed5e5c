/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command failed, and its message is one line that says why and how to go on. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
