import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { hasCode } from './private-file.js';
import { SetupError } from './setup-error.js';

/** What went wrong with the database, and what to do about it. What is no failure of a database stays what it is. */
export function unusableDatabase(file: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isDriverUnloadable(error)) {
    // Many lines, some of them a list of all places where it is not.
    const reason = error.message.replace(/ Tried:.*$/s, '').replace(/\s+/g, ' ');
    return new SetupError(
      `Cannot load better-sqlite3: ${reason} Run npm rebuild better-sqlite3, with the Node that starts this.`,
      { cause: error },
    );
  }
  if (!isOfDatabase(error)) return error;
  return new SetupError(`Cannot use the database ${file}: ${reasonWithFix(error)}`, { cause: error });
}

/** As after another release of Node was installed, or where install scripts were not run. */
function isDriverUnloadable(error: Error): boolean {
  return hasCode(error, 'ERR_DLOPEN_FAILED') || /^Could not locate the bindings file/.test(error.message);
}

/** One of the storage, of SQLite, or of the system. */
function isOfDatabase(error: Error): boolean {
  if (error instanceof OperatorError || error instanceof StorageUnavailable) return true;
  return 'code' in error && /^(?:SQLITE_|E[A-Z0-9]+$)/.test(String(error.code));
}

function reasonWithFix(error: Error): string {
  // These name their own.
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
  if (/locked/.test(reason)) return 'Try again once whoever writes to it is done, or end that process.';
  return 'Set DATABASE_FILE to a file in a folder that you may write to, where there is room.';
}
