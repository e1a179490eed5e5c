import type { Clock } from '@partner-hiring/core/ports';
import type {
  Assertions,
  ColumnKind,
  Dialect,
  LockTimeout,
  Schema,
  ShortLockTimeout,
  TableColumns,
} from '@partner-hiring/storage-kysely';
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
import { workChannel } from './listen-for-work.js';

/**
 * Long enough for a few commits of other processes, in milliseconds. A longer wait means that a host's transaction
 * holds the lock.
 */
const BRIEF_LOCK_MS = 100;

/** The types of the JSON values. An insert converts each value to the type of its column. */
const TYPES: Readonly<Record<ColumnKind, RawBuilder<unknown>>> = {
  text: sql`text`,
  integer: sql`bigint`,
  real: sql`double precision`,
};

export interface PostgresDialectOptions {
  /** The schema's name. Every statement contains it, because the host controls the search path. */
  readonly schema: string;
  readonly announceWork: boolean;
  /** The schema whose channel is notified. Default: the schema itself. */
  readonly announceOn?: string;
  /** Replaces the server's clock in tests; null to use the server's clock. */
  readonly clock: Pick<Clock, 'now'> | null;
  /**
   * Whether Citus keeps the tables as one shard on a node. The statements then avoid what Citus refuses. Default false.
   */
  readonly isOnNode?: boolean;
  /** Whether statements may set a lock timeout. Default true. */
  readonly sessionSettings?: boolean;
}

export function createPostgresDialect(options: PostgresDialectOptions): Dialect {
  const {
    schema,
    announceWork,
    announceOn = schema,
    clock,
    isOnNode = false,
    sessionSettings = true,
  } = options;
  return {
    name: 'postgres',
    databaseVersion: sql<string>`pg_catalog.current_setting('server_version')`,
    queries: compiler.withSchema(schema),
    batches: {
      kind: 'json',
      unnest: (json, columns) =>
        sql<never>`pg_catalog.json_to_recordset(${json}::json)`.as<'item'>(sql`item(${columnList(columns)})`),
    },
    // This lock mode does not block foreign key checks against the locked rows.
    lockRows: (query) => query.forNoKeyUpdate(),
    lockKeptRows: (query) => query.forUpdate(),
    keepRows: (query) => query.forKeyShare(),
    lockFreeRows: (query, of) =>
      of === undefined
        ? query.forNoKeyUpdate().skipLocked()
        : // Kysely would add the schema, which PostgreSQL rejects here.
          query.modifyEnd(sql`for no key update of ${sql.id(of)} skip locked`),
    shortLockTimeout: !sessionSettings ? null : isOnNode ? BRIEFLY_ON_NODE : BRIEFLY,
    lockTimeout: sessionSettings ? LOCK_TIMEOUT : null,
    strings: (json) => sql<string>`(select pg_catalog.json_array_elements_text(${json}::json))`,
    jsonList: (column) => sql<string>`pg_catalog.json_agg(${column})::text`,
    // If a transaction notifies several times, the server sends one notification, at the commit.
    announceWork: announceWork
      ? { compile: () => sql`select pg_catalog.pg_notify(${workChannel(announceOn)}, '')`.compile(compiler) }
      : null,
    // With a test's clock, the statement still contains the server's clock, so that tests notice if a server refuses
    // it.
    storageNow: (processNow) =>
      clock === null ? SERVER_NOW : sql<number>`(${SERVER_NOW} * 0 + ${processNow}::bigint)`,
    storagePlace: () => SERVER_PLACE,
    whenSelected: isOnNode ? NOT_PUSHED_DOWN : null,
    // Citus allows only immutable expressions there.
    canReturnNow: !isOnNode,
    // On Citus, a combined statement would write the rows of each part to a file.
    assertions: isOnNode ? null : CASE_ASSERTIONS,
  };
}

/** `statement_timestamp()` is the same everywhere in a statement, so a rate window's start and count agree. */
const SERVER_NOW = sql<number>`pg_catalog.floor(extract(epoch from pg_catalog.statement_timestamp()) * 1000::numeric)::bigint`;

/** The same after a failover and a minor upgrade, and another one where a dump was restored. */
const SERVER_PLACE = sql<string>`((select system_identifier::text from pg_catalog.pg_control_system()) || '/'::text ||
  (select oid::text from pg_catalog.pg_database where datname = pg_catalog.current_database()))`;

const BRIEF_LOCK = sql.lit(String(BRIEF_LOCK_MS));

const LOCK_TIMEOUT: LockTimeout = {
  currentMs: sql<string>`(select setting from pg_catalog.pg_settings where name::text = 'lock_timeout'::text)`,
  set: (ms) => sql<string>`pg_catalog.set_config('lock_timeout'::text, ${ms}::text, true)`,
};

/** PostgreSQL evaluates a separate scalar sub-select once, before it locks any row. */
const BRIEFLY: ShortLockTimeout = {
  kind: 'condition',
  condition: sql<boolean>`(select pg_catalog.set_config('lock_timeout', ${BRIEF_LOCK}, true)) is not null`,
};

/** Citus runs `set local` on the node too, but not `set_config`. */
const BRIEFLY_ON_NODE: ShortLockTimeout = {
  kind: 'statement',
  statement: { compile: () => sql`set local lock_timeout = ${BRIEF_LOCK}`.compile(compiler) },
};

/**
 * Citus 13.2 sends an `insert … select` with parameters to a node, and there writes its condition `… is not null` as the
 * invalid `( IS NOT NULL)`. This condition has a volatile function, so Citus first selects the rows, and then inserts
 * them.
 */
const NOT_PUSHED_DOWN = sql<boolean>`pg_catalog.clock_timestamp() is not null`;

/** Only compiles queries. The driver holds the connections. */
const compiler = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

function columnList<Item>(columns: TableColumns<Item>): RawBuilder<unknown> {
  const definitions = Object.entries<ColumnKind>(columns).map(
    ([name, kind]) => sql`${sql.ref(name)} ${TYPES[kind]}`,
  );
  return sql.join(definitions);
}

/**
 * Evaluates the conditions in a `case`, because PostgreSQL stops at the first arm that matches. A null
 * condition counts as false.
 */
const CASE_ASSERTIONS: Assertions = {
  all: (conditions) => {
    const arms = conditions.map((holds) => sql`when (${holds}) is not true then 0`);
    const held: RawBuilder<number> = sql`1 / case ${sql.join(arms, sql` `)} else 1 end`;
    return held;
  },
  isFailure: isDivisionByZero,
};
