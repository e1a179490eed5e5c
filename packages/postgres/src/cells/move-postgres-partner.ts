import { OperatorError } from '@partner-hiring/core';
import type { PartnerId } from '@partner-hiring/core/ports';
import {
  checkStorageOptionNames,
  type StorageOptionNames,
  storageMisconfiguration,
} from '@partner-hiring/storage-kysely';
import type { ServerConnection } from '../connection.js';
import type { PoolConnections } from '../pool.js';
import { inStorage } from '../retry.js';
import { quotedSchema } from '../schema-name.js';
import { runPostgresTransaction } from '../transaction.js';
import { moveRows } from './move-rows.js';
import { assertCell, CELLS_MS, CELLS_OPTIONS, type PostgresCellsOptions, withCells } from './open-cells.js';

/** The options of {@link movePostgresPartner}. */
export type PostgresMoveOptions = PostgresCellsOptions & {
  readonly partnerId: PartnerId;
  /** The schema to move to. */
  readonly to: string;
};

/** The result of a move. */
export interface PostgresMove {
  /** The schema that the partner was in. */
  readonly from: string;
  readonly to: string;
  /** 0 if the partner was there already. */
  readonly movedRows: number;
}

const OPTIONS: StorageOptionNames<PostgresMoveOptions> = { ...CELLS_OPTIONS, partnerId: true, to: true };

/**
 * Moves a partner, with its keys and all that belongs to them, to another cell, in one transaction. If the process ends
 * before the commit, nothing has changed, and you can repeat the move. Requests that write for the partner wait
 * meanwhile, and get a 503 after ten seconds.
 * @example
 * ```ts
 * await movePostgresPartner({ pool, schemas: ['ph_1', 'ph_2'], partnerId: 'ptn_acme', to: 'ph_2' });
 * ```
 * @throws OperatorError `PARTNER_NOT_FOUND` if the partner does not exist, `MISCONFIGURED` if an option is invalid or the cell
 *   is not open.
 * @throws StorageUnavailable if the database is unreachable, or other transactions lock the partner's rows for too long.
 */
export async function movePostgresPartner(options: PostgresMoveOptions): Promise<PostgresMove> {
  checkStorageOptionNames('movePostgresPartner', options, OPTIONS);
  const { partnerId, to } = options;
  return withCells(options, async (connections, schemas) => {
    assertCell(to, schemas, 'to');
    const move = () => moveOnce(connections, schemas, { partnerId, to });
    return inStorage(connections, move, BETWEEN_TRIES);
  });
}

/**
 * The longest wait for a lock, in milliseconds. It is short, because requests of the partner queue behind the move.
 * They run between two attempts.
 */
const LOCK_MS = 250;

const BETWEEN_TRIES = { timeoutMs: 120_000, firstWaitMs: 250, longestWaitMs: 2_000 };

const BEGIN = `begin isolation level read committed read write; set local lock_timeout = ${LOCK_MS}; set local statement_timeout = ${CELLS_MS}`;

function moveOnce(
  connections: PoolConnections,
  schemas: readonly [string, ...string[]],
  { partnerId, to }: Pick<PostgresMoveOptions, 'partnerId' | 'to'>,
): Promise<PostgresMove> {
  const cells = `${quotedSchema(schemas[0])}.ph_cell`;
  return connections.lend((connection) =>
    runPostgresTransaction(connection, BEGIN, async ({ execute }) => {
      // Moves and new partners wait for each other here.
      const { rows } = await execute(
        `select name from ${cells} where opened_at is not null order by name for no key update`,
        [[]],
      );
      if (!(rows as readonly { name: string }[]).some(({ name }) => name === to)) throw notOpen(to);
      const from = await findCell(connection, schemas, partnerId);
      if (from === null) throw new OperatorError('PARTNER_NOT_FOUND', `Partner ${partnerId} does not exist.`);
      if (from === to) return { from, to, movedRows: 0 };
      const movedRows = await moveRows(connection, partnerId, { from, to });
      await execute(`update ${cells} set moves = moves + 1 where name = $1`, [[from]]);
      return { from, to, movedRows };
    }),
  );
}

function notOpen(schema: string): OperatorError {
  return storageMisconfiguration(
    `The cell ${schema} is not open yet. Run addPostgresCell, or \`partner-hiring cells add ${schema}\`, first.`,
  );
}

async function findCell(
  connection: ServerConnection,
  schemas: readonly string[],
  partnerId: string,
): Promise<string | null> {
  const parts = schemas.map(
    (schema, index) => `select ${index} as cell from ${quotedSchema(schema)}.ph_partner where id = $1`,
  );
  const { rows } = await connection.statement(parts.join(' union all '), [partnerId]);
  const [found] = rows as readonly { readonly cell: number }[];
  return found === undefined ? null : (schemas[found.cell] ?? null);
}
