import type { SqliteTransaction } from '@partner-hiring/sqlite';
import { fromKyselySqlite } from '@partner-hiring/sqlite/kysely';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql, type Transaction } from 'kysely';
import type { HireRow, HostWork } from '../library.js';
import type { SqliteLibrary } from './sqlite-library.js';

interface Tables {
  hire: HireRow;
}

export const kyselySqliteLibrary: SqliteLibrary = {
  name: 'Kysely',
  open: async (file) => {
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Sqlite(file) }) });
    const workIn = (trx: Transaction<Tables>): HostWork<SqliteTransaction> => ({
      hostTx: fromKyselySqlite(trx),
      insert: (id) => trx.insertInto('hire').values({ id }).execute(),
      run: (text) => sql.raw(text).execute(trx),
    });
    return {
      transaction: (work) => db.transaction().execute((trx) => work(workIn(trx))),
      wrong: [
        // @ts-expect-error -- not the instance, but a transaction of it
        ['the instance', () => fromKyselySqlite(db)],
      ],
      close: () => db.destroy(),
    };
  },
};
