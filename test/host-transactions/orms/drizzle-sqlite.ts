import type { SqliteTransaction } from '@partner-hiring/sqlite';
import { fromDrizzleSqlite, inDrizzleSqlite } from '@partner-hiring/sqlite/drizzle';
import type { Database } from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { type SqliteLibrary, untyped } from '../libraries/sqlite-library.js';
import { type HostWork, idsOf } from '../library.js';

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
