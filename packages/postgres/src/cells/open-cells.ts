import { type StorageOptionNames, storageMisconfiguration } from '@partner-hiring/storage-kysely';
import { assertUpToDate } from '../migrate-postgres.js';
import { checkRecord } from '../options.js';
import { assertPipelines } from '../pipeline-check.js';
import { openPool, POOL_OPTIONS, type PoolConnections, type PostgresConnection } from '../pool.js';
import { createSend } from '../query.js';
import { readSchemas } from '../schemas.js';
import { withDefaultTimeouts } from '../timeouts.js';
import { registerCells } from './cell-table.js';

/** Which cells there are. */
export type PostgresCellsOptions = PostgresConnection & {
  /** The same names as the `schemas` of the storage, the home cell first. */
  readonly schemas: readonly string[];
};

export const CELLS_OPTIONS: StorageOptionNames<PostgresCellsOptions> = { ...POOL_OPTIONS, schemas: true };

/** Long enough to copy the rows of a large partner. */
export const CELLS_MS = 600_000;

/** Checks the options, connects, and runs `work` on cells whose tables are up to date. */
export async function withCells<T>(
  options: PostgresCellsOptions,
  work: (connections: PoolConnections, schemas: readonly [string, ...string[]]) => Promise<T>,
  prepare: (connections: PoolConnections, schemas: readonly string[]) => Promise<void> = assertAllUpToDate,
): Promise<T> {
  checkRecord(options);
  const schemas = readSchemas({ schemas: options.schemas });
  if (schemas.length === 1) {
    throw storageMisconfiguration(
      `\`schemas\` names only ${schemas[0]}. Name all cells, the home cell first.`,
    );
  }
  const send = createSend({ prepared: false, statementMs: CELLS_MS });
  const connections = openPool(options, withDefaultTimeouts({ statementMs: CELLS_MS }), send, null);
  try {
    await assertPipelines(connections);
    await prepare(connections, schemas);
    await registerCells(connections, schemas);
    return await work(connections, schemas);
  } finally {
    await connections.close();
  }
}

async function assertAllUpToDate(connections: PoolConnections, schemas: readonly string[]): Promise<void> {
  for (const schema of schemas) await assertUpToDate(connections, schema);
}

/** Throws if the schema is not one of the cells. */
export function assertCell(schema: string, schemas: readonly string[], option: string): void {
  if (schemas.includes(schema)) return;
  throw storageMisconfiguration(
    `\`${option}\` is ${schema}, which is not one of the \`schemas\`: ${schemas.join(', ')}.`,
  );
}
