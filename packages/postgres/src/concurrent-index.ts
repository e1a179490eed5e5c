import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '@partner-hiring/core';
import type { Migration } from '@partner-hiring/storage-kysely';
import type { Connection } from './connection.js';
import { quotedSchema } from './schema-name.js';

/** A migration that runs outside a transaction: it builds or drops one index. Its names are qualified. */
export interface ConcurrentStep {
  /** The command; null if it only drops. */
  readonly build: string | null;
  /** Removes the index, if it is there. */
  readonly drop: string;
  /** The index, quoted and with its schema, as `to_regclass` reads it. */
  readonly index: string;
}

const BUILD =
  /^create (?<unique>unique )?index concurrently (?<index>[a-z_][a-z0-9_]*)\s+on (?<table>[a-z_][a-z0-9_]*)\s*(?<rest>[^;]*);$/;
const DROP = /^drop index concurrently (?<index>[a-z_][a-z0-9_]*);$/;

/**
 * Reads a migration that says `-- online: concurrently`. No search path can be set for one statement outside a
 * transaction, behind a pooler, so the names are qualified here.
 *
 * @throws OperatorError `MISCONFIGURED` if it is anything but one `create index concurrently` or `drop index
 *   concurrently`. The package's own migrations are tested against that.
 */
export function readConcurrentStep({ version, name, sql }: Migration, schema: string): ConcurrentStep {
  const quoted = quotedSchema(schema);
  const statement = sql.replace(/^\s*--.*$/gm, '').trim();
  const { unique = '', index, table, rest = '' } = BUILD.exec(statement)?.groups ?? {};
  const built = index ?? DROP.exec(statement)?.groups?.index;
  if (built === undefined) {
    throw new OperatorError(
      'MISCONFIGURED',
      `Migration ${version} (${name}) must be one \`create index concurrently … on …;\` or \`drop index concurrently …;\`, ` +
        'in lower case and without quotes. Put other statements into a migration of their own.',
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

interface IndexState {
  readonly isValid: boolean;
  readonly isBeingBuilt: boolean;
}

/**
 * Builds or drops the index. Neither blocks requests: both wait for open transactions and hold no lock that reading or
 * writing needs. An invalid index, which a build leaves behind when it is interrupted, is dropped and built again.
 */
export async function runConcurrentStep(
  connection: Connection,
  { build, drop, index }: ConcurrentStep,
): Promise<void> {
  const found = await waitForBuild(connection, index);
  if (build === null || found?.isValid === false) await connection.command(drop, LONGEST_BUILD_MS);
  if (build !== null && found?.isValid !== true) await connection.command(build, LONGEST_BUILD_MS);
}

/** A lost connection ends the wait sooner: the operating system probes it. */
const LONGEST_BUILD_MS = 24 * 60 * 60_000;
const NEXT_LOOK_MS = 1_000;

/** The server goes on with the build of a process that has died. */
async function waitForBuild(connection: Connection, index: string): Promise<IndexState | null> {
  for (;;) {
    const { rows } = await connection.statement(ASK, [index]);
    const [row] = rows as readonly { readonly valid: number; readonly building: number }[];
    if (row === undefined) return null;
    const state = { isValid: row.valid === 1, isBeingBuilt: row.building === 1 };
    if (!state.isBeingBuilt) return state;
    await pause(NEXT_LOOK_MS);
  }
}

const ASK = `select indisvalid::integer as valid,
  exists (select 1 from pg_stat_progress_create_index where index_relid = indexrelid)::integer as building
  from pg_index where indexrelid = to_regclass($1)`;
