import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { hasCode } from './private-file.js';
import { SetupError } from './setup-error.js';

/** Converts a database error into a SetupError with a fix. Returns other errors unchanged. */
export function unusableDatabase(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isDriverUnloadable(error)) {
    // The message can have many lines, such as a list of searched paths. The first part is enough.
    const reason = error.message.replace(/ Tried:.*$/s, '').replace(/\s+/g, ' ');
    return new SetupError(
      `Cannot load better-sqlite3: ${reason} Run npm rebuild better-sqlite3 with the Node version that runs this program.`,
      { cause: error },
    );
  }
  if (!isOfDatabase(error)) return error;
  return new SetupError(`Cannot use the database ${file}: ${reasonWithFix(error)}`, { cause: error });
}

/**
 * Returns whether better-sqlite3 failed to load its native module. It fails after a change of the Node
 * version, or if install scripts did not run.
 */
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
    return 'Restore it from a backup, or set DATABASE_FILE to another file to start over.';
  }
  if (/locked/.test(reason))
    return 'Another process is writing to it. Try again later, or stop that process.';
  return 'Set DATABASE_FILE to a file in a folder that you may write to and that has free space.';
}
