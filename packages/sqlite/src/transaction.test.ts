import { StorageUnavailable } from '@partner-hiring/core';
import type { Execute } from '@partner-hiring/storage-kysely';
import Sqlite, { type Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createConnection } from './connection.js';
import { runTransaction } from './transaction.js';

/** A writer whose disk fails at the first such statement. */
function failingAt(handle: Database, statement: string, code: string) {
  const connection = createConnection(handle);
  let isFailing = true;
  const execute: Execute = async (sql, sets) => {
    if (!isFailing || sql !== statement) return connection.execute(sql, sets);
    isFailing = false;
    throw new Sqlite.SqliteError('disk I/O error', code);
  };
  return { handle, execute, commitAs: () => {} };
}

const insert = (fail: (handle: Database) => ReturnType<typeof failingAt>) => {
  const handle = new Sqlite(':memory:');
  handle.exec('create table t (a)');
  const run = runTransaction(fail(handle), 'full', ({ execute }) =>
    execute('insert into t values (1)', [[]]),
  );
  return { handle, run };
};

it.each(['SQLITE_IOERR_FSYNC', 'SQLITE_FULL'])(
  'reports an unknown outcome after %s in the commit, and the writer stays usable',
  async (code) => {
    const { handle, run } = insert((opened) => failingAt(opened, 'commit', code));
    await expect(run).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(run).rejects.toMatchObject({
      message: expect.stringContaining('outcome is unknown'),
      mayBeDone: true,
      cause: { code },
    });
    expect(handle.inTransaction).toBe(false);
  },
);

it('reports no effect if the disk fails before the commit, and no outage if a constraint fails', async () => {
  const early = insert((opened) => failingAt(opened, 'insert into t values (1)', 'SQLITE_IOERR_READ'));
  await expect(early.run).rejects.toMatchObject({ code: 'SQLITE_IOERR_READ' });
  expect(early.handle.prepare('select count(*) from t').pluck().get()).toBe(0);
  const deferred = insert((opened) => failingAt(opened, 'commit', 'SQLITE_CONSTRAINT_FOREIGNKEY'));
  await expect(deferred.run).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
});
