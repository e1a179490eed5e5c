import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { SetupError } from './setup-error.js';

/** What went wrong with the database, and what to do about it. */
export function unusableDatabase(file: string, error: unknown): SetupError {
  if (error instanceof SetupError) return error;
  return new SetupError(`Cannot use the database ${file}: ${reasonWithFix(error)}`, { cause: error });
}

function reasonWithFix(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
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
