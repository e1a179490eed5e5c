import { onPostgres } from '../check.js';
import { type DoctorDatabase, prefixOf } from '../database/open-database.js';
import { failed, ok, warning } from '../report.js';

type Rows = Extract<DoctorDatabase, { readonly kind: 'postgres' }>['rows'];

interface CellRow {
  readonly name: string;
  readonly isOpen: number;
}

/** Are the given schemas all cells, with the home cell first? The other checks look at no other schema. */
export const CELLS = onPostgres('cells', ['schema-version'], async ({ rows }, { address }) => {
  if (address.kind !== 'postgres') throw new Error('Only PostgreSQL has cells.');
  const { schemas } = address;
  const [home = '', ...others] = schemas;
  const cells = await readCells(rows, home);
  for (const other of others) {
    if ((await hasCells(rows, other)) && (await readCells(rows, other)).length > 0)
      return failed(
        `${other} is the home cell, but it is not the first schema.`,
        `Name it first: ${option([other, ...without(schemas, other)])}`,
      );
  }
  const unnamed = cells.filter(({ name, isOpen }) => isOpen === 1 && !schemas.includes(name));
  if (unnamed.length > 0) {
    return failed(
      `${home} is the home cell of schemas that were not named, and not checked: ${listed(unnamed)}.`,
      `Name all cells, here and in the storage: ${option([...schemas, ...unnamed.map(({ name }) => name)])}`,
    );
  }
  const missing = schemas.filter((schema) => !cells.some(({ name }) => name === schema));
  if (others.length > 0 && missing.length > 0) {
    return warning(
      `These schemas are not cells yet: ${missing.join(', ')}.`,
      'They become cells when a storage opens with all `schemas`. A cell that is added later also needs `partner-hiring cells add`.',
    );
  }
  const closed = cells.filter(({ isOpen }) => isOpen === 0);
  if (closed.length > 0) {
    return warning(
      `These cells get no partners yet, because they may lack companies and jobs: ${listed(closed)}.`,
      closed.map(({ name }) => `partner-hiring cells add ${name} ${option(schemas)}`).join('\n'),
    );
  }
  return ok(others.length === 0 ? 'All rows are in one schema.' : `All ${schemas.length} cells are open.`);
});

function readCells(rows: Rows, schema: string): Promise<readonly CellRow[]> {
  return rows<CellRow>(
    `select name, (opened_at is not null)::int as "isOpen" from ${prefixOf(schema)}ph_cell order by added_at, name`,
  );
}

async function hasCells(rows: Rows, schema: string): Promise<boolean> {
  const found = await rows(
    "select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relname = 'ph_cell' and n.nspname = $1",
    [schema],
  );
  return found.length > 0;
}

function without(schemas: readonly string[], schema: string): readonly string[] {
  return schemas.filter((name) => name !== schema);
}

function option(schemas: readonly string[]): string {
  return `--schemas ${schemas.join(',')}`;
}

function listed(cells: readonly CellRow[]): string {
  return cells.map(({ name }) => name).join(', ');
}
