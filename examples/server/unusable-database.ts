import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { hasCode } from './private-file.js';
import { SetupError } from './setup-error.js';

/** Converts a database error into a SetupError with a fix. Returns other errors unchanged. */
export function unusableDatabase(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isDriverUnloadable(error)) {
    // The message has many lines, such as a list of searched paths.
    const reason = error.message.replace(/ Tried:.*$/s, '').replace(/\s+/g, ' ');
    return new SetupError(
      `Cannot load better-sqlite3: ${reason} Run npm rebuild better-sqlite3, with the Node that starts this.`,
      { cause: error },
    );
  }
  if (!isOfDatabase(error)) return error;
  return new SetupError(`Cannot use the database ${file}: ${reasonWithFix(error)}`, { cause: error });
}

/** After a change of the Node version, or if install scripts did not run. */
function isDriverUnloadable(error: Error): boolean {
  return hasCode(error, 'ERR_DLOPEN_FAILED') || /^Could not locate the bindings file/.test(error.message);
}

/** Whether the error is from the storage, SQLite or the system. */
function isOfDatabase(error: Error): boolean {
  if (error instanceof OperatorError || error instanceof StorageUnavailable) return true;
  return 'code' in error && /^(?:SQLITE_|E[A-Z0-9]+$)/.test(String(error.code));
}

function reasonWithFix(error: Error): string {
  // These errors contain their fix.
  const isWhole = error instanceof OperatorError || (error instanceof StorageUnavailable && !error.cause);
  if (isWhole) return error.message;
  const message = error.message.replace(/\.$/, '');
  const reason = error.cause instanceof Error ? `${message} (${error.cause.message})` : message;
  return `${reason}. ${fixFor(reason)}`;
}

function fixFor(reason: string): string {
  if (/malformed|not a database/.test(reason)) {
    return 'Bring back a copy of it, or set DATABASE_FILE to another file to start afresh.';
  }
  if (/locked/.test(reason))
    return 'Another process is writing to it. Try again later, or stop that process.';
  return 'Set DATABASE_FILE to a file in a folder that you may write to, where there is room.';
}
