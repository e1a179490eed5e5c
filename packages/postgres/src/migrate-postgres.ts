import { setTimeout as pause } from 'node:timers/promises';
import {
  checkStorageOptionNames,
  type Migration,
  missingMigrations,
  type StorageOptionNames,
  storageMisconfiguration,
} from '@partner-hiring/storage-kysely';
import { readConcurrentStep, runConcurrentStep, sqlForNewTables } from './concurrent-index.js';
import type { ServerConnection } from './connection.js';
import { CREATE_LEASE_TABLE, takeMigrationLease } from './migration-lease.js';
import { BETWEEN_TRIES, LOCK_MIGRATIONS, toRefusal, untilFree } from './migration-lock.js';
import { splitStatements } from './migration-sql.js';
import { appliedInPostgres, CREATE_MIGRATIONS, isApplied, postgresMigrations } from './migrations.js';
import { checkRecord } from './options.js';
import { assertPipelines } from './pipeline-check.js';
import { openPool, POOL_OPTIONS, type PoolConnections, type PostgresConnection } from './pool.js';
import { createSend } from './query.js';
import { retryContention } from './retry.js';
import { quotedSchema } from './schema-name.js';
import { type PostgresSchemas, readSchemas } from './schemas.js';
import { assertWholeEncoding } from './server-settings.js';
import { withDefaultTimeouts } from './timeouts.js';
import { runPostgresTransaction } from './transaction.js';

/** The options of {@link migratePostgres}. */
export type PostgresMigrationOptions = PostgresConnection &
  PostgresSchemas & {
    /** Whether to only return the missing steps. Default false. */
    readonly dryRun?: boolean | undefined;
  };

/** One step of a migration plan. */
export interface PostgresMigrationStep {
  readonly version: number;
  readonly name: string;
  /** Whether the step builds or drops an index concurrently. Such a step runs outside a transaction. */
  readonly isConcurrent: boolean;
  /**
   * The oldest migration that a release must know to run on the schema after this step. Null if no older
   * release can.
   */
  readonly oldestCompatible: number | null;
  readonly sql: string;
}

const OPTIONS: StorageOptionNames<PostgresMigrationOptions> = {
  ...POOL_OPTIONS,
  schema: true,
  schemas: true,
  dryRun: true,
};

/**
 * Migrates the tables without blocking requests. If several processes call it, one migrates and the others
 * wait. Each attempt of a step waits at most a quarter of a second for a lock. The step is retried for up to
 * ten minutes.
 * @example
 * ```ts
 * await migratePostgres({ connectionString: process.env.DATABASE_URL ?? '' });
 * ```
 * @returns the missing steps in order. With several schemas, the steps that one of them lacks. With `dryRun`, it does
 *   not run them.
 * @throws OperatorError `MISCONFIGURED` if an option is unknown, the role or a trigger prevents a step, the schema
 *   was made before 0.1.0, an incompatible newer release has migrated the database, the encoding lacks
 *   characters, or a pooler in statement mode forbids transactions.
 * @throws StorageUnavailable if the database is unreachable, or other transactions lock a table for too long.
 */
export async function migratePostgres(
  options: PostgresMigrationOptions,
): Promise<readonly PostgresMigrationStep[]> {
  checkRecord(options);
  checkStorageOptionNames('migratePostgres', options, OPTIONS);
  return migrateTo(postgresMigrations(), options);
}

/**
 * Returns all migrations of this release in order, with their SQL.
 * @example
 * ```ts
 * const newest = listPostgresMigrations().at(-1)?.version;
 * ```
 */
export function listPostgresMigrations(): readonly PostgresMigrationStep[] {
  return postgresMigrations();
}

export async function migrateTo(
  migrations: readonly Migration[],
  options: PostgresMigrationOptions,
): Promise<readonly PostgresMigrationStep[]> {
  const { dryRun = false } = options;
  const schemas = readSchemas(options);
  const send = createSend({ prepared: false, statementMs: MIGRATION_MS });
  const connections = openPool(options, withDefaultTimeouts({ statementMs: MIGRATION_MS }), send, null);
  try {
    await assertPipelines(connections);
    const missing = new Set<number>();
    for (const schema of schemas) {
      const plan = await findMissing(connections, schema, migrations).catch((error: unknown) => {
        throw toRefusal(schema, error, connections.place);
      });
      for (const { version } of plan) missing.add(version);
      if (!dryRun) await bringUpToDate(connections, schema, migrations);
    }
    return migrations.filter(({ version }) => missing.has(version));
  } finally {
    await connections.close();
  }
}

/** Long enough to wait for another process's migration, and to build indexes on large tables. */
const MIGRATION_MS = 600_000;

/**
 * The longest wait for a lock, in milliseconds. It is short, because requests queue behind the waiting migration. A
 * step that takes several locks may wait this long for each.
 */
const LOCK_MS = 250;

/**
 * The longest wait for a lock if there are no tables yet. The next attempt sees whether another process has created
 * them.
 */
const INSTALL_LOCK_MS = 10_000;

const POLL_MS = 250;

interface Target {
  readonly connections: PoolConnections;
  readonly schema: string;
  readonly waitMs: number;
}

/**
 * Applies the missing migrations. If none is missing, only reads, so a role without the right to create
 * tables suffices.
 * @param waitMs - how long a step is retried while others hold its locks.
 */
export async function bringUpToDate(
  connections: PoolConnections,
  schema: string,
  migrations = postgresMigrations(),
  waitMs = MIGRATION_MS,
): Promise<void> {
  const at: Target = { connections, schema, waitMs };
  try {
    for (;;) {
      const missing = await findMissing(connections, schema, migrations);
      if (missing.length === 0) return;
      if (missing.length === migrations.length) await install(at, migrations);
      else if (!(await upgrade(at, missing))) await pause(POLL_MS);
    }
  } catch (error) {
    throw toRefusal(schema, error, connections.place);
  }
}

export async function assertUpToDate(
  connections: PoolConnections,
  schema: string,
  migrations = postgresMigrations(),
): Promise<void> {
  const missing = await findMissing(connections, schema, migrations).catch((error: unknown) => {
    throw toRefusal(schema, error, connections.place);
  });
  if (missing.length === 0) return;
  const isNew = missing.length === migrations.length;
  const problem = isNew ? 'has no tables of the partner API' : 'lacks migrations of this release';
  throw storageMisconfiguration(
    `The schema ${quotedSchema(schema)} ${problem}. Call migratePostgres, have an administrator run ` +
      "the SQL of postgresMigrationSql, or open the storage with `migrate: 'at_start'`.",
  );
}

function findMissing(
  connections: PoolConnections,
  schema: string,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  return retryContention(() =>
    connections.lend(async (connection) => {
      await assertWholeEncoding(connection);
      return missingMigrations(await appliedInPostgres(connection, schema), migrations, {
        schema: quotedSchema(schema),
      });
    }),
  );
}

const beginWith = (lockMs: number) =>
  `begin isolation level read committed read write; set local lock_timeout = ${lockMs}; set local statement_timeout = ${MIGRATION_MS}`;

/** Creates the tables. Waits long for locks, because no request uses the tables yet. */
async function install(
  { connections, schema, waitMs }: Target,
  migrations: readonly Migration[],
): Promise<void> {
  const lockMs = Math.min(INSTALL_LOCK_MS, waitMs);
  const step = () =>
    connections.lend((connection) =>
      runPostgresTransaction(connection, beginWith(lockMs), async () => {
        await connection.command(LOCK_MIGRATIONS, MIGRATION_MS);
        const quoted = quotedSchema(schema);
        // Most roles may not run `create schema`, not even for a schema that exists.
        const { rows } = await connection.statement('select 1 from pg_namespace where nspname = $1', [
          schema,
        ]);
        if (rows.length === 0) await connection.command(`create schema ${quoted}`);
        await connection.command(`set local search_path = ${quoted}`);
        await connection.command(CREATE_MIGRATIONS);
        if ((await appliedInPostgres(connection, schema)).length > 0) return;
        for (const each of migrations) await applyIn(connection, each, sqlForNewTables(each));
      }),
    );
  await untilFree(connections, waitMs, step);
}

async function applyIn(
  connection: ServerConnection,
  migration: Migration,
  sql: string = migration.sql,
): Promise<void> {
  for (const statement of splitStatements(sql)) await connection.command(statement, MIGRATION_MS);
  await record(connection, 'ph_schema_migration', migration);
}

async function record(
  connection: ServerConnection,
  table: string,
  { version, name, oldestCompatible }: Migration,
): Promise<void> {
  const insert =
    `insert into ${table} (version, name, applied_at, oldest_compatible) values ($1, $2, $3, $4) ` +
    'on conflict (version) do nothing';
  await connection.statement(insert, [version, name, Date.now(), oldestCompatible]);
}

/** @returns false if another process holds the migration lease. */
async function upgrade(at: Target, missing: readonly Migration[]): Promise<boolean> {
  await prepareLease(at);
  const lease = await takeMigrationLease(at.connections, at.schema);
  if (lease === null) return false;
  try {
    for (const migration of missing) {
      if (lease.isLost()) break;
      await (migration.isConcurrent ? applyConcurrently : applyOnline)(at, migration);
    }
  } finally {
    await lease.release();
  }
  return true;
}

async function prepareLease(at: Target): Promise<void> {
  const isPrepared = 'select 1 where pg_catalog.to_regclass($1) is not null';
  const names = [`${quotedSchema(at.schema)}.ph_migration_lease`];
  const { rows } = await at.connections.lend(({ statement }) => statement(isPrepared, names));
  if (rows.length > 0) return;
  await inStep(at, async (connection) => void (await connection.command(CREATE_LEASE_TABLE)));
}

async function applyOnline(at: Target, migration: Migration): Promise<void> {
  await inStep(at, async (connection) => {
    if (!(await isApplied(connection, at.schema, migration))) await applyIn(connection, migration);
  });
}

async function inStep(
  { connections, schema, waitMs }: Target,
  work: (connection: ServerConnection) => Promise<void>,
): Promise<void> {
  const step = () =>
    connections.lend((connection) =>
      runPostgresTransaction(connection, beginWith(LOCK_MS), async () => {
        await connection.command(LOCK_MIGRATIONS, MIGRATION_MS);
        await connection.command(`set local search_path = ${quotedSchema(schema)}`);
        await work(connection);
      }),
    );
  await untilFree(connections, waitMs, step);
}

async function applyConcurrently(
  { connections, schema, waitMs }: Target,
  migration: Migration,
): Promise<void> {
  const step = readConcurrentStep(migration, schema);
  const run = () =>
    connections.lend(async (connection) => {
      if (await isApplied(connection, schema, migration)) return;
      await runConcurrentStep(connection, step);
      await record(connection, `${quotedSchema(schema)}.ph_schema_migration`, migration);
    });
  await retryContention(run, { ...BETWEEN_TRIES, timeoutMs: waitMs });
}
