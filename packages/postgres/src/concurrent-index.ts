import { setTimeout as pause } from 'node:timers/promises';
import { type Migration, storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { ServerConnection } from './connection.js';
import { quotedSchema } from './schema-name.js';

export interface ConcurrentStep {
  /** The statement that builds the index. Null if the step only drops an index. */
  readonly build: string | null;
  readonly drop: string;
  readonly index: string;
}

const BUILD =
  /^create (?<unique>unique )?index concurrently (?<index>[a-z_][a-z0-9_]*)\s+on (?<table>[a-z_][a-z0-9_]*)\s*(?<rest>[^;]*);$/;
const DROP = /^drop index concurrently (?<index>[a-z_][a-z0-9_]*);$/;

/**
 * Reads the statement of a concurrent migration step, and adds the schema to its names. Behind a pooler, the
 * statement cannot set a search path.
 */
export function readConcurrentStep({ version, name, sql }: Migration, schema: string): ConcurrentStep {
  const quoted = quotedSchema(schema);
  const statement = sql.replace(/^\s*--.*$/gm, '').trim();
  const { unique = '', index, table, rest = '' } = BUILD.exec(statement)?.groups ?? {};
  const built = index ?? DROP.exec(statement)?.groups?.index;
  if (built === undefined) {
    throw storageMisconfiguration(
      `Migration ${version} (${name}) must be one \`create index concurrently … on …;\` or \`drop index concurrently …;\`. ` +
        'Write the statement in lower case and without quotes. Put other statements into another migration.',
    );
  }
  return {
    build:
      table === undefined
        ? null
        : `create ${unique}index concurrently "${built}" on ${quoted}."${table}" ${rest.trim()}`,
    drop: `drop index concurrently if exists ${quoted}."${built}"`,
    index: `${quoted}."${built}"`,
  };
}

/**
 * Returns the SQL of a migration for tables that nobody uses yet. A concurrent build would wait for every
 * transaction of the database, even of other schemas.
 */
export function sqlForNewTables({ sql, isConcurrent }: Migration): string {
  return isConcurrent ? sql.replace(/\bindex concurrently\b/, 'index') : sql;
}

interface IndexState {
  readonly isValid: boolean;
  readonly isBeingBuilt: boolean;
}

/** Builds or drops an index concurrently. If an interrupted build left an invalid index, drops that one first. */
export async function runConcurrentStep(
  connection: ServerConnection,
  { build, drop, index }: ConcurrentStep,
): Promise<void> {
  const found = await waitForBuild(connection, index);
  if (build === null || found?.isValid === false) await connection.command(drop, LONGEST_BUILD_MS);
  if (build !== null && found?.isValid !== true) await connection.command(build, LONGEST_BUILD_MS);
}

/**
 * The longest time for building or dropping an index. If the connection is lost, TCP keepalive ends the wait
 * earlier.
 */
const LONGEST_BUILD_MS = 24 * 60 * 60_000;
const POLL_MS = 1_000;

/**
 * Waits until no build of this index is running. The server continues a build even if the process that
 * started it has crashed.
 */
async function waitForBuild(connection: ServerConnection, index: string): Promise<IndexState | null> {
  for (;;) {
    const { rows } = await connection.statement(ASK, [index]);
    const [row] = rows as readonly { readonly valid: number; readonly building: number }[];
    if (row === undefined) return null;
    const state = { isValid: row.valid === 1, isBeingBuilt: row.building === 1 };
    if (!state.isBeingBuilt) return state;
    await pause(POLL_MS);
  }
}

const ASK = `select indisvalid::integer as valid,
  exists (select 1 from pg_stat_progress_create_index where index_relid = indexrelid)::integer as building
  from pg_index where indexrelid = pg_catalog.to_regclass($1)::oid`;
