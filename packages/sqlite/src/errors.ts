import { StorageUnavailable } from '@partner-hiring/core';

/** Another connection holds the lock, so the transaction can be retried. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, BUSY);
}

/** Turns outages into `StorageUnavailable`. */
export function toStorageError(error: unknown): unknown {
  if (isBusy(error)) {
    return new StorageUnavailable('The SQLite database is locked by another connection.', { cause: error });
  }
  return hasCode(error, OUTAGES)
    ? new StorageUnavailable('The SQLite database is full, corrupt, read-only or not accessible.', {
        cause: error,
      })
    : error;
}

/** A failed commit may still take effect when the file is next opened. */
export function ofCommit(error: unknown): unknown {
  if (!hasCode(error, OUTAGES)) return error;
  return new StorageUnavailable('The SQLite database failed during the commit: its outcome is unknown.', {
    cause: error,
    mayBeDone: true,
  });
}

/** Extended codes start with the primary one, e.g. `SQLITE_BUSY_SNAPSHOT`. PROTOCOL is a race for the WAL. */
const BUSY = /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/;
const OUTAGES = /^SQLITE_(?:FULL|IOERR|CORRUPT|CANTOPEN|NOTADB|READONLY|NOMEM)/;

function hasCode(error: unknown, codes: RegExp): error is Error {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.test(error.code)
  );
}
