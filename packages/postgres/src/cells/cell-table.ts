import type { OperatorError } from '@partner-hiring/core';
import { storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { ServerConnection } from '../connection.js';
import { CLOCK_NOW } from '../migration-lease.js';
import type { PoolConnections } from '../pool.js';
import { inStorage } from '../retry.js';
import { quotedSchema } from '../schema-name.js';

export interface CellRow {
  readonly name: string;
  readonly addedAt: number;
  /** Null while the cell may lack companies and jobs. */
  readonly openedAt: number | null;
}

/** Returns the table of cells in this schema. Empty if the schema is not a home cell. */
export async function readCells(connection: ServerConnection, schema: string): Promise<readonly CellRow[]> {
  const select =
    'select name, added_at as "addedAt", coalesce(opened_at, -1) as "openedAt" ' +
    `from ${quotedSchema(schema)}.ph_cell order by name`;
  const { rows } = await connection.statement(select, []);
  return (rows as readonly { name: string; addedAt: number; openedAt: number }[]).map((row) => ({
    ...row,
    openedAt: row.openedAt < 0 ? null : row.openedAt,
  }));
}

/**
 * Checks the schemas against the table of cells, and adds the missing ones to it. A cell that is added while the home
 * cell has companies stays closed until `addPostgresCell` has copied them.
 * @throws OperatorError `MISCONFIGURED` if an open cell is missing in the list, or the home cell is not the first.
 */
export async function registerCells(
  connections: PoolConnections,
  schemas: readonly [string, ...string[]],
): Promise<void> {
  const [home, ...others] = schemas;
  await inStorage(connections, () =>
    connections.lend(async (connection) => {
      const known = await readCells(connection, home);
      assertAllOpen(known, schemas);
      if (others.length === 0) return;
      for (const other of others) {
        const cells = await readCells(connection, other);
        if (cells.length > 0) throw wrongHome(other);
      }
      if (schemas.every((name) => known.some((cell) => cell.name === name))) return;
      const isEmpty = `not exists (select from ${quotedSchema(home)}.ph_company)`;
      await connection.statement(
        `insert into ${quotedSchema(home)}.ph_cell (name, added_at, opened_at) ` +
          `select cell.name, ${CLOCK_NOW}, case when cell.name = $2 or ${isEmpty} then ${CLOCK_NOW} end ` +
          'from pg_catalog.json_array_elements_text($1::json) as cell(name) on conflict do nothing',
        [JSON.stringify(schemas), home],
      );
    }),
  );
}

function assertAllOpen(known: readonly CellRow[], schemas: readonly string[]): void {
  const missing = known.filter(({ name, openedAt }) => openedAt !== null && !schemas.includes(name));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  throw storageMisconfiguration(
    `The schema ${schemas[0]} is the home cell of more cells than were given: ${names}. ` +
      'Partners live there, and jobs must be written there. Give all cells as `schemas`, the home cell first.',
  );
}

function wrongHome(home: string): OperatorError {
  return storageMisconfiguration(
    `The home cell is ${home}. Name it first in \`schemas\`. If it is the home cell of another installation, ` +
      'use other schemas.',
  );
}
