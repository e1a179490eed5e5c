import { StorageUnavailable } from '@partner-hiring/core';

/** Another connection holds the lock: the whole transaction may be tried again. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, BUSY);
}

/** The error as the ports have it: an outage becomes `StorageUnavailable`, a bug stays what it is. */
export function toStorageError(error: unknown): unknown {
  if (isBusy(error)) {
    return new StorageUnavailable('The SQLite database is locked by another connection.', { cause: error });
  }
  return hasCode(error, OUTAGES)
    ? new StorageUnavailable('The SQLite database cannot be used.', { cause: error })
    : error;
}

/**
 * What is said of a commit that failed. Once all of it is in the log, whoever opens the file next may find it whole, though
 * the disk did not say so.
 */
export function ofCommit(error: unknown): unknown {
  if (!hasCode(error, OUTAGES)) return error;
  return new StorageUnavailable('The SQLite database failed during the commit: its outcome is unknown.', {
    cause: error,
    mayBeDone: true,
  });
}

/** Extended codes begin with their primary one, e.g. `SQLITE_BUSY_SNAPSHOT`. PROTOCOL: a race for the WAL. */
const BUSY = /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/;
const OUTAGES = /^SQLITE_(?:FULL|IOERR|CORRUPT|CANTOPEN|NOTADB|READONLY|NOMEM)/;

function hasCode(error: unknown, codes: RegExp): error is Error {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.test(error.code)
  );
}
