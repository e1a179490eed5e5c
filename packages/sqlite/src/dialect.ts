import type { Dialect, Schema } from '@partner-hiring/storage-kysely';
import {
  DummyDriver,
  Kysely,
  type LimitNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  ValueNode,
} from 'kysely';

/**
 * Compiles queries for SQLite. Writes a bound limit as `? + 0`, because SQLite would plan the statement again for each
 * new value of a bare parameter.
 */
class PlannedOnceCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    if (!isLiteral(node)) this.append(' + 0');
  }
}

function isLiteral({ limit }: LimitNode): boolean {
  return ValueNode.is(limit) && limit.immediate === true;
}

/** Only compiles queries. The driver holds the connections. */
const queries = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new PlannedOnceCompiler(),
  },
});

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  databaseVersion: sql<string>`sqlite_version()`,
  queries,
  batches: { kind: 'per_item' },
  lockRows: (query) => query,
  lockKeptRows: (query) => query,
  keepRows: (query) => query,
  lockFreeRows: (query) => query,
  shortLockTimeout: null,
  lockTimeout: null,
  strings: (json) => sql<string>`(select value from json_each(${json}))`,
  jsonList: (column) => sql<string>`json_group_array(${column})`,
  announceWork: null,
  storageNow: (processNow) => processNow,
  storagePlace: (path) => path,
  whenSelected: null,
  canReturnNow: true,
  assertions: null,
};
