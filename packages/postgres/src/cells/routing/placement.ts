import type { Instant } from '@partner-hiring/core/ports';
import { define, type Preparation } from '@partner-hiring/storage-kysely';
import { sql } from 'kysely';
import type { CellPlacement } from './cells.js';

/** The table of cells. Only the home cell has rows. With one schema, the table is empty. */
type CellTable = {
  readonly ph_cell: {
    /** The name of the cell's schema. */
    readonly name: string;
    /** When the cell was first given partners. Null while it may lack companies and jobs. */
    readonly opened_at: Instant | null;
    /** How many partners have moved out of the cell. */
    readonly moves: number;
  };
};

/**
 * Reads the table of cells in the home cell.
 * @param names - the names of the cells, in the order of the preparations.
 */
export function createPlacement(
  preparations: readonly Preparation[],
  names: readonly string[],
): CellPlacement {
  const [home] = preparations;
  if (home === undefined) throw new Error('A placement needs at least one cell.');
  const cells = home.queries.withTables<CellTable>();
  const moves = define<object, { readonly moves: number }>(() =>
    cells.selectFrom('ph_cell').select(sql<number>`coalesce(sum(moves), 0)::int`.as('moves')),
  );
  const lock = define<object, Pick<CellTable['ph_cell'], 'name' | 'opened_at'>>(() =>
    home.lockRows(cells.selectFrom('ph_cell').select(['name', 'opened_at']).orderBy('name')),
  );
  const partners = preparations.map(({ queries }) =>
    define<object, { readonly count: number }>(() =>
      queries.selectFrom('ph_partner').select(sql<number>`count(*)::int`.as('count')),
    ),
  );

  return {
    moves: (session) => session.read(async (run) => (await run.first(moves, {}))?.moves ?? 0),
    choose: (session) =>
      session.write(async (run) => {
        const open = new Set(
          (await run.all(lock, {})).filter((cell) => cell.opened_at !== null).map(({ name }) => name),
        );
        let best = 0;
        let fewest = Number.POSITIVE_INFINITY;
        for (const [index, statement] of partners.entries()) {
          if (!open.has(names[index] ?? '')) continue;
          const count = (await run.first(statement, {}))?.count ?? 0;
          // Among equals, the home cell comes last: it has other work too.
          if (count <= fewest) {
            best = index;
            fewest = count;
          }
        }
        return best;
      }),
  };
}
