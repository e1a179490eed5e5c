import { checkStorageOptionNames } from '@partner-hiring/storage-kysely';
import { inStorage } from '../retry.js';
import { quotedSchema } from '../schema-name.js';
import { CELLS_OPTIONS, type PostgresCellsOptions, withCells } from './open-cells.js';

/** One cell. */
export interface PostgresCell {
  readonly schema: string;
  readonly isHome: boolean;
  /** Whether partners may be added or moved to the cell. If not, run `addPostgresCell`. */
  readonly isOpen: boolean;
  readonly partners: number;
  /** How many partners have moved out of the cell. */
  readonly movedOut: number;
}

/**
 * Returns the cells in the order of `schemas`.
 * @example
 * ```ts
 * const cells = await listPostgresCells({ pool, schemas: ['ph_1', 'ph_2'] });
 * const fullest = Math.max(...cells.map(({ partners }) => partners));
 * ```
 * @throws OperatorError `MISCONFIGURED` if an option is invalid, or a cell lacks tables or is missing in `schemas`.
 * @throws StorageUnavailable if the database is unreachable.
 */
export async function listPostgresCells(options: PostgresCellsOptions): Promise<readonly PostgresCell[]> {
  checkStorageOptionNames('listPostgresCells', options, CELLS_OPTIONS);
  return withCells(options, (connections, schemas) =>
    inStorage(connections, () =>
      connections.lend(async (connection) => {
        const [home] = schemas;
        const { rows } = await connection.statement(
          `select name, (opened_at is not null)::int as open, moves from ${quotedSchema(home)}.ph_cell`,
          [],
        );
        const known = new Map(
          (rows as readonly { name: string; open: number; moves: number }[]).map((row) => [row.name, row]),
        );
        const cells: PostgresCell[] = [];
        for (const schema of schemas) {
          const counted = await connection.statement(
            `select count(*) as count from ${quotedSchema(schema)}.ph_partner`,
            [],
          );
          const row = known.get(schema);
          cells.push({
            schema,
            isHome: schema === home,
            isOpen: row?.open === 1,
            partners: (counted.rows[0] as { readonly count: number }).count,
            movedOut: row?.moves ?? 0,
          });
        }
        return cells;
      }),
    ),
  );
}
