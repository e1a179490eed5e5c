import type { Clock } from '@partner-hiring/core/ports';
import type { Assertions, ColumnKind, Columns, Dialect, Schema } from '@partner-hiring/storage-kysely';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { isDivisionByZero } from './errors.js';
import { workChannel } from './work-channel.js';

/** As long as a few commits of other processes. A longer wait means a host's transaction. */
const BRIEF_LOCK_MS = 100;

/** An insert converts them to the column's type. */
const TYPES: Readonly<Record<ColumnKind, RawBuilder<unknown>>> = {
  text: sql`text`,
  integer: sql`bigint`,
  real: sql`double precision`,
};

export interface PostgresDialectOptions {
  /** Names the schema in every statement, because the search path belongs to the host. */
  readonly schema: string;
  readonly announceWork: boolean;
  /** Null for the server's clock. */
  readonly clock: Pick<Clock, 'now'> | null;
}

export function createPostgresDialect(options: PostgresDialectOptions): Dialect {
  const { schema, announceWork, clock } = options;
  return {
    queries: compiler.withSchema(schema),
    batches: {
      kind: 'json',
      unnest: (json, columns) =>
        sql<never>`json_to_recordset(${json}::json)`.as<'item'>(sql`item(${columnList(columns)})`),
    },
    // Permits foreign key checks against the locked rows.
    lockRows: (query) => query.forNoKeyUpdate(),
    lockFreeRows: (query, of) =>
      of === undefined
        ? query.forNoKeyUpdate().skipLocked()
        : // Kysely would add the schema, which PostgreSQL rejects here.
          query.modifyEnd(sql`for no key update of ${sql.id(of)} skip locked`),
    // A separate scalar sub-select runs once, before any row is locked.
    shortLockTimeout: sql<boolean>`(select set_config('lock_timeout', ${sql.lit(String(BRIEF_LOCK_MS))}, true)) is not null`,
    strings: (json) => sql<string>`(select json_array_elements_text(${json}::json))`,
    jsonList: (column) => sql<string>`json_agg(${column})::text`,
    // The server sends duplicates once, at the commit.
    announceWork: announceWork
      ? { compile: () => sql`select pg_notify(${workChannel(schema)}, '')`.compile(compiler) }
      : null,
    // One instant for the whole statement, so that a window's start and count agree.
    storageNow: (processNow) =>
      clock === null
        ? sql<number>`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`
        : sql<number>`${processNow}::bigint`,
    assertions: CASE_ASSERTIONS,
  };
}

/** Compiles only. The driver holds the connections. */
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

/** PostgreSQL evaluates the arms of a `case` in order, only as far as needed. A null condition fails. */
const CASE_ASSERTIONS: Assertions = {
  all: (conditions) => {
    const arms = conditions.map((holds) => sql`when (${holds}) is not true then 0`);
    const held: RawBuilder<number> = sql`1 / case ${sql.join(arms, sql` `)} else 1 end`;
    return held;
  },
  isFailure: isDivisionByZero,
};
