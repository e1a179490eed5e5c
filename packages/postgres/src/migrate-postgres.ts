import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '@partner-hiring/core';
import {
  checkOptionNames,
  type Migration,
  missingMigrations,
  type OptionNames,
} from '@partner-hiring/storage-kysely';
import { appliedMigrations } from './applied-migrations.js';
import { readConcurrentStep, runConcurrentStep } from './concurrent-index.js';
import type { Connection } from './connection.js';
import { assertWholeEncoding } from './encoding.js';
import { isForbidden, isOfServer, toStorageError } from './errors.js';
import { CREATE_LEASE_TABLE, takeMigrationLease } from './migration-lease.js';
import {
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
import { refusalOfStatementMode } from './statement-mode.js';
import { withDefaults } from './timeouts.js';
import { runTransaction } from './transaction.js';

/** Which database is migrated. */
export type PostgresMigrationOptions = PostgresConnection & {
  /** Where the tables lie. Default `partner_hiring`. */
  readonly schema?: string;
  /** Whether to change nothing, and only return the steps that are missing. Default false. */
  readonly dryRun?: boolean;
};

/** One step of a plan to migrate. */
export interface PostgresMigrationStep {
  readonly version: number;
  readonly name: string;
  /** Whether the step builds or drops an index concurrently, outside a transaction. */
  readonly isConcurrent: boolean;
  /** The oldest migration whose release may run on the schema once the step is applied; null if no older one may. */
  readonly oldestCompatible: number | null;
  readonly sql: string;
}

const OPTIONS: OptionNames<PostgresMigrationOptions> = { ...CONNECTION_OPTIONS, schema: true, dryRun: true };

/**
 * Brings the tables up to date and resolves when they are, e.g. in a deployment's own step. Any number of
 * processes may call it at once: one of them migrates, and the others wait for it.
 *
 * Requests go on meanwhile. On tables that exist, each step waits for its locks for a quarter of a second at a time,
 * for up to ten minutes.
 *
 * @returns the plan: the steps that were missing, in their order. With `dryRun`, none of them was run.
 * @throws OperatorError `MISCONFIGURED` if an option does not exist, the role may not create them, a trigger of the database refuses them, a newer
 *   release has migrated the database and does not name this one as compatible, its encoding lacks characters, or a
 *   pooler in statement mode forbids transactions.
 * @throws StorageUnavailable if the database cannot be reached, or other transactions hold a table for too long.
 */
export async function migratePostgres(
  options: PostgresMigrationOptions,
): Promise<readonly PostgresMigrationStep[]> {
  checkRecord(options);
  checkOptionNames('migratePostgres', options, OPTIONS);
  return migrateTo(postgresMigrations(), options);
}

/** The same with other migrations than the package's own. */
export async function migrateTo(
  migrations: readonly Migration[],
  options: PostgresMigrationOptions,
): Promise<readonly PostgresMigrationStep[]> {
  const { schema = DEFAULT_SCHEMA, dryRun = false } = options;
  quotedSchema(schema); // refused before anything is asked
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

/** Waits for other processes that migrate, and for indexes of large tables; also at the start of a storage. */
const MIGRATION_MS = 600_000;

/**
 * How long a step waits for a lock. Requests queue behind it meanwhile, so it is short; one that takes several locks
 * may meet it more than once, and still answers within a second.
 */
const LOCK_MS = 250;

/** Between two tries of a step, the requests that queued behind it get their turn. */
const BETWEEN_TRIES = { timeoutMs: MIGRATION_MS, firstWaitMs: 500, longestWaitMs: 2_000 };

/** How often a process looks whether another one has migrated. */
const NEXT_LOOK_MS = 250;

/** Applies what is missing. Where nothing is, it only reads, so a role that may not create is enough. */
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
      else if (!(await upgrade(connections, schema, missing))) await pause(NEXT_LOOK_MS);
    }
  } catch (error) {
    throw toRefusal(schema, error);
  }
}

/**
 * @throws OperatorError `MISCONFIGURED` if a migration is missing.
 */
export async function assertUpToDate(connections: Connections, schema: string): Promise<void> {
  try {
    if ((await findMissing(connections, schema, postgresMigrations())).length === 0) return;
  } catch (error) {
    throw toRefusal(schema, error);
  }
  throw new OperatorError(
    'MISCONFIGURED',
    `The schema ${quotedSchema(schema)} lacks migrations of this version of the package. Run migratePostgres, hand ` +
      "the SQL of postgresMigrationSql to whoever may run it, or open the storage with `migrate: 'at_start'`.",
  );
}

/** Refuses a newer release's database by the same rule as a migration does, and one that cannot hold all text. */
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

/** Begins a transaction that may have to wait for longer than a request does. */
const beginWith = (lockMs: number) =>
  `begin isolation level read committed read write; set local lock_timeout = ${lockMs}; set local statement_timeout = ${MIGRATION_MS}`;

/**
 * Makes the tables, all or none, up to the first step that cannot run in a transaction. Nobody uses them yet, so it may
 * wait for the others that do the same.
 */
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
        // Creating a schema is forbidden to most roles, also when it is there.
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

/**
 * Applies steps to tables that are in use, each by itself.
 *
 * @returns false if another process holds the lease.
 */
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

/** Brings the tables that say what was applied, and who migrates, up to date themselves. */
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

/** One transaction that gives way to requests, and is tried again. */
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

/** What a host has to know of tables that cannot be looked at or made. */
function toRefusal(schema: string, error: unknown): unknown {
  if (isForbidden(error)) return refusal(forbidden(schema), error);
  const ofPooler = refusalOfStatementMode(error);
  if (ofPooler !== null) return ofPooler;
  const told = toStorageError(error);
  return isOfServer(told) ? refusal(refused(schema), told) : told;
}

function refusal(message: string, cause: unknown): OperatorError {
  const error = new OperatorError('MISCONFIGURED', message);
  error.cause = cause;
  return error;
}

const THE_SQL = 'the SQL of postgresMigrationSql({ schema, from, grantTo: role }) to whoever may run it';

function forbidden(schema: string): string {
  return (
    `The role may not read or create the tables in the schema ${quotedSchema(schema)}. Hand ${THE_SQL}, where \`from\` is ` +
    'the highest version in `ph_schema_migration`, or 0 if there are no tables yet.'
  );
}

function refused(schema: string): string {
  return (
    `The database refused the migrations of the schema ${quotedSchema(schema)}, for the reason that is this error's cause. ` +
    'The step that was refused changed nothing. If it is an event trigger or a policy of yours that does so, switch it off ' +
    `meanwhile, or hand ${THE_SQL}.`
  );
}
