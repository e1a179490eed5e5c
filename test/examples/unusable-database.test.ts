import { StorageUnavailable } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { unusableDatabase } from '../../examples/server/unusable-database.js';

test('an outage of the database is told with its cause and the fix', () => {
  const outage = new StorageUnavailable('The SQLite database is locked by another connection.', {
    cause: new Error('database is locked'),
  });
  expect(unusableDatabase('x.sqlite', outage)).toHaveProperty(
    'message',
    'Cannot use the database x.sqlite: The SQLite database is locked by another connection (database is locked). ' +
      'Another process is writing to it. Try again later, or stop that process.',
  );
});

test('an outage that names its own fix is given no other', () => {
  const outage = new StorageUnavailable('The database file was moved. Bring it back.');
  expect(unusableDatabase('x.sqlite', outage)).toMatchObject({
    message: expect.stringMatching(/: The database file was moved\. Bring it back\.$/),
  });
});

test.each([
  // As after another release of Node was installed.
  Object.assign(new Error('The module /x\nwas compiled against a different Node.js version.'), {
    code: 'ERR_DLOPEN_FAILED',
  }),
  // As where install scripts were not run.
  new Error('Could not locate the bindings file. Tried:\n → /x/build/better_sqlite3.node'),
])('a driver that cannot be loaded is told as that, not as a database: %s', (failure) => {
  expect(unusableDatabase('x.sqlite', failure)).toMatchObject({
    message: expect.stringMatching(
      /^Cannot load better-sqlite3: .*(?:version|file)\. Run npm rebuild better-sqlite3/,
    ),
  });
});

test('what is no failure of the database stays what it is', () => {
  const bug = new TypeError('Cannot read properties of undefined');
  expect(unusableDatabase('x.sqlite', bug)).toBe(bug);
});
