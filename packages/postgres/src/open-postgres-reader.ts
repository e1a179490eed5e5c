import { OperatorError } from '@partner-hiring/core';
import { type ExportedSnapshot, exportRows } from '@partner-hiring/storage-kysely';
import { sqlForNewTables } from './concurrent-index.js';
import type { ServerConnection } from './connection.js';
import { explainUnavailable, fromPostgresError, isUnprepared, UNPREPARED } from './errors.js';
import { CREATE_MIGRATIONS, postgresMigrations } from './migrations.js';
import { assertPipelines } from './pipeline-check.js';
import { openPool, type PoolConnections } from './pool.js';
import { createSend, type Send } from './query.js';
import { quotedSchema } from './schema-name.js';
import { refusalOfStatementMode } from './server-settings.js';
import { withDefaultTimeouts } from './timeouts.js';
import type { PostgresTls } from './tls.js';
import { runPostgresTransaction } from './transaction.js';

/** The options of {@link openPostgresReader}. */
export interface PostgresReaderOptions {
  /** As for `createPostgresStorage`. */
  readonly connectionString: string;
  /** As for `createPostgresStorage`. */
  readonly tls?: boolean | PostgresTls | undefined;
  /** How long to wait for a connection, and for each statement, in milliseconds. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

/** Reads a database without a storage, for example before its tables exist. */
export interface PostgresReader {
  /**
   * Runs one statement in a read-only transaction. Returns numbers for number columns, and text for all others.
   * @throws OperatorError `MISCONFIGURED` behind a pooler in statement mode.
   * @throws StorageUnavailable if the database is unreachable or does not answer in time.
   */
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /**
   * Returns why prepared statements fail behind the pooler, or null if they work. Uses two connections at the
   * same time.
   */
  findPreparedStatementsProblem(): Promise<string | null>;
  /**
   * Returns why statements that are sent together fail behind the pooler, or null if they work. Uses a connection of its own.
   */
  findPipelineProblem(): Promise<string | null>;
  /**
   * Creates the tables of this release as temporary tables, reads them with `read`, and rolls back. Nothing stays, even if the
   * process is killed. Locks nothing that others use. `read` gets the name of the temporary schema.
   * @throws StorageUnavailable if the database is unreachable or does not answer in time.
   * @throws Error if the role may not create temporary tables, or the server is a standby.
   */
  readNewTables<T>(read: (rows: PostgresReader['rows'], schema: string) => Promise<T>): Promise<T>;
  /**
   * Reads everything from one snapshot, without hashes, sealed secrets, sessions and stored replies. The snapshot holds
   * back vacuum meanwhile.
   * @param schemas - all schemas of the storage, in its order.
   * @throws StorageUnavailable if the database is unreachable or does not answer in time.
   */
  exportAll(schemas: readonly string[], write: ExportedSnapshot['write']): Promise<void>;
  /**
   * Explains an error of this reader: what failed, and how to fix it. Returns null if the error is not about the connection.
   */
  explain(error: unknown): { readonly finding: string; readonly fix: string } | null;
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** Enough for the check of prepared statements. */
const READER_CONNECTIONS = 2;

/**
 * Opens connections that only read, for tools that inspect a database. Unlike a storage, it neither checks nor
 * migrates the tables. Connects with the first statement.
 * @example
 * ```ts
 * const reader = openPostgresReader({ connectionString: process.env.DATABASE_URL ?? '' });
 * const [server] = await reader.rows('select version() as version');
 * await reader.close();
 * ```
 * @throws OperatorError `MISCONFIGURED` if `pg` cannot parse the connection string.
 */
export function openPostgresReader(options: PostgresReaderOptions): PostgresReader {
  const { connectionString, tls, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const timeouts = withDefaultTimeouts({ connectMs: timeoutMs, statementMs: timeoutMs });
  const begin =
    'begin isolation level read committed read only; ' +
    `set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${timeoutMs}`;
  const send = createSend({ prepared: false, statementMs: timeoutMs });
  const from = {
    connectionString,
    maxConnections: READER_CONNECTIONS,
    // So that it works behind every pooler.
    pipeline: false,
    ...(tls === undefined ? {} : { tls }),
  };
  const connections = openPool(from, timeouts, send, () => '`timeoutMs`');
  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw refusalOfStatementMode(error) ?? fromPostgresError(error, connections);
    }
  };
  return {
    rows: (sql, values = []) => translated(() => readOnce(connections, begin, sql, values)),
    findPreparedStatementsProblem: async () => {
      try {
        await preparesTwice(connections, begin, createNamedSend(timeoutMs));
        return null;
      } catch (error) {
        if (isUnprepared(error)) return UNPREPARED;
        throw refusalOfStatementMode(error) ?? fromPostgresError(error, connections);
      }
    },
    findPipelineProblem: async () => {
      // The check may wait twice.
      const halved = { ...timeouts, statementMs: Math.ceil(timeoutMs / 2) };
      const pipelined = openPool({ ...from, pipeline: true }, halved, send, () => '`timeoutMs`');
      try {
        await assertPipelines(pipelined);
        return null;
      } catch (error) {
        if (error instanceof OperatorError) return error.message;
        throw error;
      } finally {
        await pipelined.close();
      }
    },
    readNewTables: (read) =>
      translated(() => connections.lend((connection) => inNewTables(connection, timeoutMs, read))),
    exportAll: async (schemas, write) => {
      const prefixes = schemas.map((schema) => `${quotedSchema(schema)}.`);
      const exportOn = (connection: ServerConnection) =>
        runPostgresTransaction(connection, beginSnapshot(timeoutMs), async ({ execute }) => {
          const rows: ExportedSnapshot['rows'] = async (sql, values) =>
            (await execute(sql, [values])).rows as readonly Readonly<Record<string, unknown>>[];
          await exportRows({ prefixes, rows, write });
        });
      await translated(() => connections.lend(exportOn));
    },
    explain: explainUnavailable,
    close: () => connections.close(),
  };
}

/**
 * Begins a transaction for temporary tables. They need no right to create schemas, and Citus leaves them alone. If this
 * process stops halfway, the server ends the transaction, because an open transaction holds back vacuum.
 */
const beginNewTables = (timeoutMs: number) =>
  'begin isolation level read committed read write; ' +
  `set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${timeoutMs}; ` +
  `set local idle_in_transaction_session_timeout = ${timeoutMs}; set local search_path = pg_temp`;

/** The server ends the snapshot of a process that stops halfway. */
const SNAPSHOT_IDLE_MS = 60_000;

const beginSnapshot = (timeoutMs: number) =>
  'begin isolation level repeatable read read only; ' +
  `set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${timeoutMs}; ` +
  `set local idle_in_transaction_session_timeout = ${SNAPSHOT_IDLE_MS}`;

async function inNewTables<T>(
  connection: ServerConnection,
  timeoutMs: number,
  read: (rows: PostgresReader['rows'], schema: string) => Promise<T>,
): Promise<T> {
  await connection.command(beginNewTables(timeoutMs));
  try {
    // In one round trip, because there are more than a hundred statements.
    await connection.command([CREATE_MIGRATIONS, ...postgresMigrations().map(sqlForNewTables)].join('\n'));
    const rows: PostgresReader['rows'] = async (sql, values = []) =>
      (await connection.statement(sql, values)).rows as readonly Readonly<Record<string, unknown>>[];
    const [schema] = await rows(
      'select nspname::text as name from pg_namespace where oid = pg_catalog.pg_my_temp_schema()',
    );
    return await read(rows, String(schema?.name));
  } finally {
    if (!connection.isBroken()) await connection.command('rollback').catch(() => connection.discard());
  }
}

async function readOnce(
  connections: PoolConnections,
  begin: string,
  sql: string,
  values: readonly unknown[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return connections.lend((connection) =>
    runPostgresTransaction(connection, begin, async ({ execute }) => {
      const { rows } = await execute(sql, [values]);
      return rows as readonly Readonly<Record<string, unknown>>[];
    }),
  );
}

const NAMED = 'select 1 as one';

function createNamedSend(timeoutMs: number): Send {
  // Avoids the storage's renaming of statements, which would hide the failure. The name is unique, because a pooler may
  // keep statements of an earlier check.
  const name = `ph_reader_${process.pid}_${Date.now()}`;
  return async (client, sql, parameters) => {
    const timed = { text: sql, values: [...parameters], name, query_timeout: timeoutMs };
    const { rows } = await client.query<Record<string, unknown>>(timed);
    return { rows };
  };
}

/**
 * Runs one named statement on a connection, and again while another connection of the pooler is in a
 * transaction. A pooler without support for prepared statements then uses another connection to the server,
 * which does not know the statement.
 */
async function preparesTwice(connections: PoolConnections, begin: string, send: Send): Promise<void> {
  await connections.lend(async (first) => {
    const run = () => runPostgresTransaction(first, begin, () => send(first.client, NAMED, []));
    await run();
    await connections.lend((second) =>
      runPostgresTransaction(second, begin, async () => {
        await send(second.client, NAMED, []);
        await run();
      }),
    );
  });
}
