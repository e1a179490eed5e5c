import type { Dialect, Schema } from '@partner-hiring/storage-kysely';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

/** Compiles only: our own driver holds the connections, and keeps what it prepared. */
const queries = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** What SQLite does in its own way; each reason stands at {@link Dialect}. */
export const sqliteDialect: Dialect = {
  queries,
  batches: { kind: 'one_by_one' },
  lockRows: (query) => query,
  lockFreeRows: (query) => query,
  announceWork: null,
  storageNow: (processNow) => processNow,
  presumptions: null,
};
