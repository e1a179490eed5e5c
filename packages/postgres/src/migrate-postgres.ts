import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '@partner-hiring/core';
import {
  checkOptionNames,
  type Migration,
  missingMigrations,
  type OptionNames,
} from '@partner-hiring/storage-kysely';
import { readConcurrentStep, runConcurrentStep } from './concurrent-index.js';
import type { Connection } from './connection.js';
import { assertWholeEncoding } from './encoding.js';
import { toRefusal } from './migration-errors.js';
import { CREATE_LEASE_TABLE, takeMigrationLease } from './migration-lease.js';
import {
  appliedMigrations,
  CREATE_MIGRATION_TABLE,
  EXTEND_MIGRATION_TABLE,
  LOCK_MIGRATIONS,
  postgresMigrations,
} from './migrations.js';
import { checkRecord } from './options.js';
import { CONNECTION_OPTIONS, type Connections, openConnections, type PostgresConnection } from './pool.js';
import { createSend } from './query.js';
import { retryContention } from './retry.js';
import { DEFAULT_SCHEMA, quotedSchema } from './schema-name.js';
import { withDefaults } from './timeouts.js';
import { runTransaction } from './transaction.js';

/** The options of {@link migratePostgres}. */
export type PostgresMigrationOptions = PostgresConnection & {
  /** The schema of the tables. Default `partner_hiring`. */
  readonly schema?: string;
  /** Whether to only return the missing steps. Default false. */
  readonly dryRun?: boolean;
};

/** One step of a migration plan. */
export interface PostgresMigrationStep {
  readonly version: number;
  readonly name: string;
  /** Whether the step builds or drops an index concurrently, outside a transaction. */
  readonly isConcurrent: boolean;
  /** The oldest migration whose release can run on the schema after this step; null if none can. */
  readonly oldestCompatible: number | null;
  readonly sql: string;
}

const OPTIONS: OptionNames<PostgresMigrationOptions> = { ...CONNECTION_OPTIONS, schema: true, dryRun: true };

/**
 * Migrates the tables without blocking requests. If several processes call it, one migrates and the others
 * wait. A step waits for its locks for a quarter of a second at a time, for up to ten minutes.
 * @example
 * ```ts
 * await migratePostgres({ connectionString: process.env.DATABASE_URL ?? '' });
 * ```
 * @returns the missing steps in order. With `dryRun`, it does not run them.
 * @throws OperatorError `MISCONFIGURED` if an option is unknown, the role or a trigger prevents a step, an
 *   incompatible newer release has migrated the database, the encoding lacks characters, or a pooler in
 *   statement mode forbids transactions.
 * @throws StorageUnavailable if the database is unreachable, or other transactions lock a table for too long.
 */
export async function migratePostgres(
  options: PostgresMigrationOptions,
): Promise<readonly PostgresMigrationStep[]> {
  checkRecord(options);
  checkOptionNames('migratePostgres', options, OPTIONS);
  return migrateTo(postgresMigrations(), options);
}

export async function migrateTo(
  migrations: readonly Migration[],
  options: PostgresMigrationOptions,
): Promise<readonly PostgresMigrationStep[]> {
  const { schema = DEFAULT_SCHEMA, dryRun = false } = options;
  quotedSchema(schema);
  const send = createSend({ prepared: false, statementMs: MIGRATION_MS });
  const connections = openConnections(options, withDefaults({ statementMs: MIGRATION_MS }), send);
  try {
    const plan = await findMissing(connections, schema, migrations).catch((error: unknown) => {
      throw toRefusal(schema, error);
    });
    if (!dryRun) await bringUpToDate(connections, schema, migrations);
    return plan;
  } finally {
    await connections.close();
  }
}

/** Long enough for migrations of other processes and for indexes of large tables. */
const MIGRATION_MS = 600_000;

/** Short, because requests queue behind the lock. A step with several locks may wait several times. */
const LOCK_MS = 250;

/** Lets queued requests run between attempts. */
const BETWEEN_TRIES = { timeoutMs: MIGRATION_MS, firstWaitMs: 500, longestWaitMs: 2_000 };

const POLL_MS = 250;

/** Only reads if no migration is missing, so a role without the right to create suffices. */
export async function bringUpToDate(
  connections: Connections,
  schema: string,
  migrations = postgresMigrations(),
): Promise<void> {
  try {
    for (;;) {
      const missing = await findMissing(connections, schema, migrations);
      if (missing.length === 0) return;
      if (missing.length === migrations.length) await install(connections, schema, migrations);
      else if (!(await upgrade(connections, schema, missing))) await pause(POLL_MS);
    }
  } catch (error) {
    throw toRefusal(schema, error);
  }
}

export async function assertUpToDate(connections: Connections, schema: string): Promise<void> {
  try {
    if ((await findMissing(connections, schema, postgresMigrations())).length === 0) return;
  } catch (error) {
    throw toRefusal(schema, error);
  }
  throw new OperatorError(
    'MISCONFIGURED',
    `The schema ${quotedSchema(schema)} lacks migrations of this release. Call migratePostgres, have an administrator run ` +
      "the SQL of postgresMigrationSql, or open the storage with `migrate: 'at_start'`.",
  );
}

function findMissing(
  connections: Connections,
  schema: string,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  return retryContention(() =>
    connections.lend(async (connection) => {
      await assertWholeEncoding(connection);
      return missingMigrations(await appliedMigrations(connection, schema), migrations);
    }),
  );
}

const beginWith = (lockMs: number) =>
  `begin isolation level read committed read write; set local lock_timeout = ${lockMs}; set local statement_timeout = ${MIGRATION_MS}`;

/** Waits for locks without a limit, because no request uses the tables yet. */
async function install(
  connections: Connections,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  const firstConcurrent = migrations.findIndex(({ isConcurrent }) => isConcurrent);
  const steps = firstConcurrent === -1 ? migrations : migrations.slice(0, firstConcurrent);
  await retryContention(() =>
    connections.lend((connection) =>
      runTransaction(connection, beginWith(0), async () => {
        await connection.command(LOCK_MIGRATIONS, MIGRATION_MS);
        const quoted = quotedSchema(schema);
        // Most roles may not create a schema, even if it exists.
        const { rows } = await connection.statement('select 1 from pg_namespace where nspname = $1', [
          schema,
        ]);
        if (rows.length === 0) await connection.command(`create schema ${quoted}`);
        await connection.command(`set local search_path = ${quoted}`);
        await connection.command(CREATE_MIGRATION_TABLE);
        if ((await appliedMigrations(connection, schema)).length > 0) return;
        for (const step of steps) await applyIn(connection, step);
      }),
    ),
  );
}

async function applyIn(connection: Connection, migration: Migration): Promise<void> {
  await connection.command(migration.sql, MIGRATION_MS);
  await record(connection, 'ph_schema_migration', migration);
}

async function record(
  connection: Connection,
  table: string,
  { version, name, oldestCompatible }: Migration,
): Promise<void> {
  const insert =
    `insert into ${table} (version, name, applied_at, oldest_compatible) values ($1, $2, $3, $4) ` +
    'on conflict (version) do nothing';
  await connection.statement(insert, [version, name, Date.now(), oldestCompatible]);
}

/** @returns false if another process holds the lease. */
async function upgrade(
  connections: Connections,
  schema: string,
  missing: readonly Migration[],
): Promise<boolean> {
  await prepareRecord(connections, schema);
  const lease = await takeMigrationLease(connections, schema);
  if (lease === null) return false;
  try {
    for (const migration of missing) {
      if (lease.isLost()) break;
      await (migration.isConcurrent ? applyConcurrently : applyOnline)(connections, schema, migration);
    }
  } finally {
    await lease.release();
  }
  return true;
}

async function prepareRecord(connections: Connections, schema: string): Promise<void> {
  const quoted = quotedSchema(schema);
  const isPrepared =
    'select 1 from pg_attribute where attrelid = to_regclass($1) ' +
    "and attname = 'oldest_compatible' and to_regclass($2) is not null";
  const names = [`${quoted}.ph_schema_migration`, `${quoted}.ph_migration_lease`];
  const { rows } = await connections.lend(({ statement }) => statement(isPrepared, names));
  if (rows.length > 0) return;
  await inStep(connections, schema, async (connection) => {
    await connection.command(EXTEND_MIGRATION_TABLE);
    await connection.command(CREATE_LEASE_TABLE);
  });
}

async function applyOnline(connections: Connections, schema: string, migration: Migration): Promise<void> {
  await inStep(connections, schema, async (connection) => {
    if (!(await isApplied(connection, schema, migration))) await applyIn(connection, migration);
  });
}

async function inStep(
  connections: Connections,
  schema: string,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const step = () =>
    connections.lend((connection) =>
      runTransaction(connection, beginWith(LOCK_MS), async () => {
        await connection.command(LOCK_MIGRATIONS, MIGRATION_MS);
        await connection.command(`set local search_path = ${quotedSchema(schema)}`);
        await work(connection);
      }),
    );
  await retryContention(step, BETWEEN_TRIES);
}

async function applyConcurrently(
  connections: Connections,
  schema: string,
  migration: Migration,
): Promise<void> {
  const step = readConcurrentStep(migration, schema);
  const run = () =>
    connections.lend(async (connection) => {
      if (await isApplied(connection, schema, migration)) return;
      await runConcurrentStep(connection, step);
      await record(connection, `${quotedSchema(schema)}.ph_schema_migration`, migration);
    });
  await retryContention(run, BETWEEN_TRIES);
}

async function isApplied(connection: Connection, schema: string, { version }: Migration): Promise<boolean> {
  return (await appliedMigrations(connection, schema)).some((applied) => applied.version === version);
}
