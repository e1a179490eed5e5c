import type { SqliteTransaction } from '@partner-hiring/sqlite';
import { fromBetterSqlite3, inBetterSqlite3 } from '@partner-hiring/sqlite/better-sqlite3';
import { fromDrizzleSqlite, inDrizzleSqlite } from '@partner-hiring/sqlite/drizzle';
import Sqlite, { type Database } from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { type HostWork, idsOf } from '../library.js';
import { type SqliteLibrary, untyped } from './sqlite-library.js';

export const betterSqlite3Library: SqliteLibrary = {
  name: 'better-sqlite3',
  open: async (file) => {
    const database = new Sqlite(file);
    const insert = (on: Database, id: string) => on.prepare('insert into hire values (?)').run(id);
    const workIn = (): HostWork<SqliteTransaction> => ({
      hostTx: fromBetterSqlite3(database),
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
        ['the file', () => fromBetterSqlite3(file)],
        ['a handle without a transaction', () => fromBetterSqlite3(database)],
      ],
      close: async () => database.close(),
    };
  },
};

export const drizzleSqliteLibrary: SqliteLibrary = {
  name: 'Drizzle on better-sqlite3',
  open: async (file) => {
    const hire = sqliteTable('hire', { id: text('id').primaryKey() });
    const db = drizzle(file);
    type Db = BetterSQLite3Database & { $client: Database };
    const workIn = (): HostWork<SqliteTransaction> => ({
      hostTx: fromDrizzleSqlite(db),
      insert: async (id) => db.insert(hire).values({ id }).run(),
      run: async (statement) => db.run(sql.raw(statement)),
    });
    return {
      transaction: (work) => inDrizzleSqlite(db)(() => work(workIn())),
      inbox: untyped({
        transaction: inDrizzleSqlite(db),
        receive: (items: Parameters<typeof idsOf>[0], { tx }: { readonly tx: Db }) => {
          tx.insert(hire).values(idsOf(items)).run();
        },
      }),
      wrong: [
        ['a database without a transaction', () => fromDrizzleSqlite(db)],
        [
          'a transaction of Drizzle, which is synchronous',
          () =>
            db.transaction((tx) => {
              // @ts-expect-error -- it does not give out its handle
              return fromDrizzleSqlite(tx);
            }),
        ],
      ],
      close: async () => db.$client.close(),
    };
  },
};
