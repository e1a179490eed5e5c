import { StorageUnavailable } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { unusableDatabase } from '../../examples/server/unusable-database.js';

test('an outage of the database is told with its cause and the fix', () => {
  const outage = new StorageUnavailable('The SQLite database is locked by another connection.', {
    cause: new Error('database is locked'),
  });
  expect(unusableDatabase('x.sqlite', outage).message).toBe(
    'Cannot use the database x.sqlite: The SQLite database is locked by another connection (database is locked). ' +
      'Try again once whoever writes to it is done, or end that process.',
  );
});

test('an outage that names its own fix is given no other', () => {
  const outage = new StorageUnavailable('The database file was moved. Bring it back.');
  expect(unusableDatabase('x.sqlite', outage).message).toMatch(
    /: The database file was moved\. Bring it back\.$/,
  );
});
