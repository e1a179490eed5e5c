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
 * Writes a limit that is bound as a sum. SQLite looks at the value of a bare one as it plans, so it plans anew each time
 * one is bound, for ten times as long as a look-up takes.
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

/** Compiles only: our own driver holds the connections, and keeps what it prepared. */
const queries = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new PlannedOnceCompiler(),
  },
});

/** What SQLite does in its own way; each reason stands at {@link Dialect}. */
export const sqliteDialect: Dialect = {
  queries,
  batches: { kind: 'per_item' },
  lockRows: (query) => query,
  lockFreeRows: (query) => query,
  shortLockTimeout: null,
  strings: (json) => sql<string>`(select value from json_each(${json}))`,
  jsonList: (column) => sql<string>`json_group_array(${column})`,
  announceWork: null,
  storageNow: (processNow) => processNow,
  assertions: null,
};
