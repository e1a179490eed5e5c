import type { Clock } from '@partner-hiring/core/ports';
import type { ColumnKind, Columns, Dialect, Schema } from '@partner-hiring/storage-kysely';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { PRESUMPTIONS } from './assertions.js';
import { workChannel } from './work-channel.js';

/** Some commits of another process: who waits for longer than that waits for a host. */
const BRIEF_LOCK_MS = 100;

/** Types wide enough for every column of a kind; an insert narrows them. */
const TYPES: Readonly<Record<ColumnKind, RawBuilder<unknown>>> = {
  text: sql`text`,
  integer: sql`bigint`,
  real: sql`double precision`,
};

/** What the statements of one storage depend on. */
export interface PostgresDialectOptions {
  /**
   * Where the tables lie. Every statement names it, so that none depends on the search path of the connection, which
   * is the host's.
   */
  readonly schema: string;
  /** Whether other processes are told of events. */
  readonly announceWork: boolean;
  /** The storage's clock; null for the server's. */
  readonly clock: Pick<Clock, 'now'> | null;
}

/** What PostgreSQL does in its own way; each reason stands at {@link Dialect}. */
export function createPostgresDialect(options: PostgresDialectOptions): Dialect {
  const { schema, announceWork, clock } = options;
  return {
    queries: compiler.withSchema(schema),
    batches: {
      kind: 'json',
      unnest: (json, columns) =>
        sql<never>`json_to_recordset(${json}::json)`.as<'item'>(sql`item(${columnList(columns)})`),
    },
    // Rows of other tables may refer to a locked one meanwhile: only its key must stay.
    lockRows: (query) => query.forNoKeyUpdate(),
    lockFreeRows: (query, of) =>
      of === undefined
        ? query.forNoKeyUpdate().skipLocked()
        : // Kysely would name the schema here too, which PostgreSQL does not take.
          query.modifyEnd(sql`for no key update of ${sql.id(of)} skip locked`),
    // A scalar sub-select of its own is evaluated once, before the first row is looked at, let alone locked.
    shortLockTimeout: sql<boolean>`(select set_config('lock_timeout', ${sql.lit(String(BRIEF_LOCK_MS))}, true)) is not null`,
    strings: (json) => sql<string>`(select json_array_elements_text(${json}::json))`,
    jsonList: (column) => sql<string>`json_agg(${column})::text`,
    // The server sends it at the commit, and once however often a transaction said it.
    announceWork: announceWork
      ? { compile: () => sql`select pg_notify(${workChannel(schema)}, '')`.compile(compiler) }
      : null,
    // One instant for the whole statement: a window's start and the time that it was counted at belong together.
    storageNow: (processNow) =>
      clock === null
        ? sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`
        : sql<number>`${processNow}::bigint`,
    assertions: PRESUMPTIONS,
  };
}

/** Compiles only: our own driver holds the connections. */
const compiler = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

function columnList<Item>(columns: Columns<Item>): RawBuilder<unknown> {
  const definitions = Object.entries<ColumnKind>(columns).map(
    ([name, kind]) => sql`${sql.ref(name)} ${TYPES[kind]}`,
  );
  return sql.join(definitions);
}
