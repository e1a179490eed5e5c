import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import type { DatabaseTarget } from './database-target.js';
import { describeDatabaseError } from './describe-database-error.js';

const POSTGRES: DatabaseTarget = {
  kind: 'postgres',
  connectionString: 'postgres://ada:s3cret@db/x',
  schema: undefined,
  source: 'DATABASE_URL',
};
const SQLITE: DatabaseTarget = { kind: 'sqlite', file: '/var/x.sqlite', source: '--database' };

const coded = (message: string, code: string, more = {}) =>
  Object.assign(new Error(message), { code, ...more });
const outage = (cause?: Error) => new StorageUnavailable('The database cannot be used.', cause && { cause });

test.each<[string, DatabaseTarget, Error, string]>([
  [
    'a lock',
    SQLITE,
    outage(coded('database is locked', 'SQLITE_BUSY')),
    'Another process is writing to /var/x.sqlite.',
  ],
  [
    'damage',
    SQLITE,
    outage(coded('database disk image is malformed', 'SQLITE_CORRUPT')),
    'Restore it from a backup.',
  ],
  [
    'a full disk',
    SQLITE,
    outage(coded('disk I/O error', 'SQLITE_IOERR')),
    'Cannot use /var/x.sqlite: disk I/O error. Check',
  ],
  ['no cause', SQLITE, outage(), 'Cannot use /var/x.sqlite: The database cannot be used. Check'],
  [
    'a server that cannot be reached',
    POSTGRES,
    new StorageUnavailable('Cannot connect to x: it is off. Check the host in the connection string.', {
      cause: coded('connect ECONNREFUSED ::1:5432', 'ECONNREFUSED'),
    }),
    'Cannot connect to x: it is off. Check the host in DATABASE_URL.',
  ],
  [
    'a busy server',
    POSTGRES,
    outage(coded('sorry, too many clients already', '53300', { severity: 'FATAL' })),
    'The database cannot be used. Reason: sorry, too many clients already.',
  ],
  ['a password', POSTGRES, new StorageUnavailable('s3cret is wrong.'), '*** is wrong.'],
  ['advice of the storage', POSTGRES, outage(), 'The database cannot be used.'],
])('explains %s in one line', (_what, target, error, expected) => {
  const text = describeDatabaseError(error, target);
  expect(text).toContain(expected);
  expect(text).not.toContain('\n');
});

test('leaves other errors to others', () => {
  for (const error of [new OperatorError('KEY_NOT_FOUND', 'No.'), new TypeError('x'), 'text', null]) {
    for (const target of [POSTGRES, SQLITE]) expect(describeDatabaseError(error, target)).toBeNull();
  }
});
