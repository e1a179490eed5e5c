import { StorageUnavailable } from '@partner-hiring/core';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { fromSqliteError, isBusy } from './errors.js';

describe('errors', () => {
  it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL'])(
    'retries %s, and reports an outage if it lasts',
    (code) => {
      const error = new Sqlite.SqliteError('message', code);
      expect(isBusy(error)).toBe(true);
      expect(fromSqliteError(error)).toBeInstanceOf(StorageUnavailable);
    },
  );

  it.each(['SQLITE_FULL', 'SQLITE_IOERR_FSYNC', 'SQLITE_CORRUPT', 'SQLITE_CANTOPEN', 'SQLITE_NOTADB'])(
    'reports %s as an outage with its cause',
    (code) => {
      const error = new Sqlite.SqliteError('message', code);
      expect(isBusy(error)).toBe(false);
      expect(fromSqliteError(error)).toBeInstanceOf(StorageUnavailable);
      expect(fromSqliteError(error)).toMatchObject({ cause: error });
    },
  );

  it('returns other errors unchanged', () => {
    for (const error of [
      new Sqlite.SqliteError('m', 'SQLITE_CONSTRAINT_UNIQUE'),
      new TypeError('x'),
      'text',
    ]) {
      expect(fromSqliteError(error)).toBe(error);
    }
  });
});
