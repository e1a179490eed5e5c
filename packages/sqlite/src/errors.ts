import { StorageUnavailable } from '@partner-hiring/core';
import { isAnyError } from '@partner-hiring/storage-kysely';

/** Returns whether another connection holds the lock. If so, the transaction can be retried. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, BUSY);
}

/** Turns outages into `StorageUnavailable`. */
export function fromSqliteError(error: unknown): unknown {
  if (isBusy(error)) {
    return new StorageUnavailable('The SQLite database is locked by another connection.', {
      cause: error,
      isBusy: true,
    });
  }
  return hasCode(error, OUTAGES)
    ? new StorageUnavailable('The SQLite database is full, corrupt, read-only or not accessible.', {
        cause: error,
      })
    : error;
}

/** Converts the error of a commit. A failed commit may still take effect when the file is next opened. */
export function ofCommit(error: unknown): unknown {
  if (!hasCode(error, OUTAGES)) return error;
  return new StorageUnavailable('The SQLite database failed during the commit: its outcome is unknown.', {
    cause: error,
    mayBeDone: true,
  });
}

/**
 * Matches errors that a retry can resolve. An extended code starts with the primary one, for example
 * `SQLITE_BUSY_SNAPSHOT`. PROTOCOL means that a race for the write-ahead log was lost.
 */
const BUSY = /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/;
const OUTAGES = /^SQLITE_(?:FULL|IOERR|CORRUPT|CANTOPEN|NOTADB|READONLY|NOMEM)/;

function hasCode(error: unknown, codes: RegExp): error is Error {
  return isAnyError(error) && 'code' in error && typeof error.code === 'string' && codes.test(error.code);
}
