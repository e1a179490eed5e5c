import { OperatorError } from '@partner-hiring/core';
import {
  checkOptionNames,
  type MigrationTarget,
  migrate,
  missingMigrations,
  type OptionNames,
} from '@partner-hiring/storage-kysely';
import { appliedMigrations } from './applied-migrations.js';
import type { Connection } from './connection.js';
import { assertWholeEncoding } from './encoding.js';
import { isForbidden, isOfServer, toStorageError } from './errors.js';
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
import { withDefaults } from './timeouts.js';
import { runTransaction } from './transaction.js';

/** Which database is migrated. */
export type PostgresMigrationOptions = PostgresConnection & {
  /** Where the tables lie. Default `partner_hiring`. */
  readonly schema?: string;
};

const OPTIONS: OptionNames<PostgresMigrationOptions> = { ...CONNECTION_OPTIONS, schema: true };

/**
 * Brings the tables up to date and resolves when they are, e.g. in a deployment's own step. Any number of
 * processes may do so at once.
 *
 * @throws OperatorError `MISCONFIGURED` if an option does not exist, the role may not create them, a trigger of the database refuses them, a newer
 *   version of this package has used the database, or its encoding lacks characters.
 * @throws StorageUnavailable if the database cannot be reached.
 */
export async function migratePostgres(options: PostgresMigrationOptions): Promise<void> {
  checkRecord(options);
  checkOptionNames('migratePostgres', options, OPTIONS);
  const { schema = DEFAULT_SCHEMA } = options;
  quotedSchema(schema); // refused before anything is asked
  const send = createSend({ prepared: false, statementMs: MIGRATION_MS });
  const connections = openConnections(options, withDefaults({ statementMs: MIGRATION_MS }), send);
  try {
    await bringUpToDate(connections, schema);
  } finally {
    await connections.close();
  }
}

/** Waits for other processes that migrate, and for indexes of large tables; also at the start of a storage. */
const MIGRATION_MS = 600_000;

/** Applies what is missing. Where nothing is, it only reads, so a role that may not create is enough. */
export async function bringUpToDate(connections: Connections, schema: string): Promise<void> {
  try {
    if (await isUpToDate(connections, schema)) return;
    await retryContention(() =>
      connections.lend((connection) => runTransaction(connection, BEGIN, () => applyAll(connection, schema))),
    );
  } catch (error) {
    throw toRefusal(schema, error);
  }
}

/**
 * @throws OperatorError `MISCONFIGURED` if a migration is missing.
 */
export async function assertUpToDate(connections: Connections, schema: string): Promise<void> {
  try {
    if (await isUpToDate(connections, schema)) return;
  } catch (error) {
    throw toRefusal(schema, error);
  }
  throw new OperatorError(
    'MISCONFIGURED',
    `The schema ${quotedSchema(schema)} lacks migrations of this version of the package. Run migratePostgres, hand ` +
      "the SQL of postgresMigrationSql to whoever may run it, or open the storage with `migrate: 'at_start'`.",
  );
}

/** Refuses a newer version's database, by the same rule as a migration does, and one that cannot hold all text. */
async function isUpToDate(connections: Connections, schema: string): Promise<boolean> {
  const look = () =>
    connections.lend(async (connection) => {
      await assertWholeEncoding(connection);
      return appliedMigrations(connection, schema);
    });
  const applied = await retryContention(look);
  return missingMigrations(applied, postgresMigrations()).length === 0;
}

/** A migration may have to wait for longer than a request does. */
const BEGIN = `begin isolation level read committed read write; set local lock_timeout = 0; set local statement_timeout = ${MIGRATION_MS}`;

async function applyAll(connection: Connection, schema: string): Promise<void> {
  const quoted = quotedSchema(schema);
  await connection.command(LOCK_MIGRATIONS, MIGRATION_MS);
  // Creating a schema is forbidden to most roles, also when it is there.
  const { rows } = await connection.statement('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rows.length === 0) await connection.command(`create schema ${quoted}`);
  await connection.command(`set local search_path = ${quoted}`);
  const target: MigrationTarget = {
    applied: async () => {
      await connection.command(CREATE_MIGRATION_TABLE);
      await connection.command(EXTEND_MIGRATION_TABLE);
      return appliedMigrations(connection, schema);
    },
    apply: async ({ version, name, sql, oldestCompatible }, at) => {
      await connection.command(sql, MIGRATION_MS);
      const record =
        'insert into ph_schema_migration (version, name, applied_at, oldest_compatible) values ($1, $2, $3, $4)';
      await connection.statement(record, [version, name, at, oldestCompatible]);
    },
  };
  await migrate(target, postgresMigrations(), Date.now());
}

/** What a host has to know of tables that cannot be looked at or made. */
function toRefusal(schema: string, error: unknown): unknown {
  if (isForbidden(error)) return refusal(forbidden(schema), error);
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
    'Nothing was changed. If it is an event trigger or a policy of yours that does so, switch it off meanwhile, or hand ' +
    `${THE_SQL}.`
  );
}
