import type { SqliteTransaction } from '@partner-hiring/sqlite';
import { inBetterSqlite3 } from '@partner-hiring/sqlite/better-sqlite3';
import Sqlite, { type Database } from 'better-sqlite3';
import { type HostWork, idsOf } from '../library.js';
import { type SqliteLibrary, untyped } from './sqlite-library.js';

export const betterSqlite3Library: SqliteLibrary = {
  name: 'better-sqlite3',
  open: async (file) => {
    const database = new Sqlite(file);
    const insert = (on: Database, id: string) => on.prepare('insert into hire values (?)').run(id);
    const workIn = (): HostWork<SqliteTransaction> => ({
      hostTx: database,
      insert: async (id) => insert(database, id),
      run: async (text) => database.exec(text),
      nested: async (work) => {
        database.exec('savepoint inner_work');
        try {
          await work(workIn());
          database.exec('release inner_work');
        } catch (error) {
          database.exec('rollback to inner_work');
          throw error;
        }
      },
    });
    return {
      transaction: (work) => inBetterSqlite3(database)(() => work(workIn())),
      inbox: untyped({
        transaction: inBetterSqlite3(database),
        receive: (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: Database }) => {
          for (const { id } of idsOf(items)) insert(tx, id);
        },
      }),
      wrong: [
        // @ts-expect-error -- not the file, but a handle of it
        ['the file', (): SqliteTransaction => file],
      ],
      outside: [['a handle without a transaction', database]],
      close: async () => database.close(),
    };
  },
};
