import type { PostgresReader } from '../open-postgres-reader.js';
import { quotedSchema } from '../schema-name.js';

/** How the schemas that somebody named fit those of a storage. */
export interface PostgresSchemasReport {
  readonly state: 'ok' | 'warning' | 'failed';
  readonly finding: string;
  /** How to fix it. Null if all is well. */
  readonly fix: string | null;
  /** The named schemas that a storage may open without adding one. */
  readonly known: readonly string[];
}

interface CellRow {
  readonly name: string;
  readonly isOpen: number;
}

/**
 * Compares the schemas with those that the database knows, without opening a storage. Only reads.
 * @param schemas - as for `createPostgresStorage`. The first one must have tables.
 * @example
 * ```ts
 * import { openPostgresReader } from '@partner-hiring/postgres';
 *
 * const reader = openPostgresReader({ connectionString: process.env.DATABASE_URL ?? '' });
 * const { finding } = await inspectPostgresSchemas(reader, ['ph_1', 'ph_2']);
 * await reader.close();
 * ```
 * @throws StorageUnavailable if the database is unreachable.
 */
export async function inspectPostgresSchemas(
  reader: Pick<PostgresReader, 'rows'>,
  schemas: readonly string[],
): Promise<PostgresSchemasReport> {
  const [home = '', ...others] = schemas;
  const cells = await readCells(reader, home);
  const isCell = (schema: string) => cells.some(({ name }) => name === schema);
  const report = await findProblem(reader, schemas, cells);
  const known = [home, ...others.filter(isCell)];
  if (report !== null) return { ...report, known };
  const finding =
    others.length === 0 ? 'All rows are in one schema.' : `All ${schemas.length} cells are open.`;
  return { state: 'ok', finding, fix: null, known };
}

type Problem = Omit<PostgresSchemasReport, 'known'>;

async function findProblem(
  reader: Pick<PostgresReader, 'rows'>,
  schemas: readonly string[],
  cells: readonly CellRow[],
): Promise<Problem | null> {
  const [home, ...others] = schemas;
  for (const other of others) {
    if (!(await hasCells(reader, other)) || (await readCells(reader, other)).length === 0) continue;
    const named = [other, ...schemas.filter((name) => name !== other)];
    return {
      state: 'failed',
      finding: `${other} is the home cell, but it is not the first schema.`,
      fix: `Name it first: ${option(named)}`,
    };
  }
  const unnamed = cells.filter(({ name, isOpen }) => isOpen === 1 && !schemas.includes(name));
  if (unnamed.length > 0) {
    return {
      state: 'failed',
      finding: `${home} is the home cell of schemas that were not named, and not checked: ${listed(unnamed)}.`,
      fix: `Name all cells, here and in the storage: ${option([...schemas, ...unnamed.map(({ name }) => name)])}`,
    };
  }
  const missing = schemas.filter((schema) => !cells.some(({ name }) => name === schema));
  if (others.length > 0 && missing.length > 0) {
    return {
      state: 'warning',
      finding: `These schemas are not cells yet: ${missing.join(', ')}.`,
      fix: 'They become cells when a storage opens with all `schemas`. A cell that is added later also needs `partner-hiring cells add`.',
    };
  }
  const closed = cells.filter(({ isOpen }) => isOpen === 0);
  if (closed.length === 0) return null;
  return {
    state: 'warning',
    finding: `These cells get no partners yet, because they may lack companies and jobs: ${listed(closed)}.`,
    fix: closed.map(({ name }) => `partner-hiring cells add ${name} ${option(schemas)}`).join('\n'),
  };
}

async function readCells(reader: Pick<PostgresReader, 'rows'>, schema: string): Promise<readonly CellRow[]> {
  const rows = await reader.rows(
    `select name, (opened_at is not null)::int as "isOpen" from ${quotedSchema(schema)}.ph_cell order by added_at, name`,
  );
  return rows as readonly object[] as readonly CellRow[];
}

async function hasCells({ rows }: Pick<PostgresReader, 'rows'>, schema: string): Promise<boolean> {
  const found = await rows(
    "select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relname = 'ph_cell' and n.nspname = $1",
    [schema],
  );
  return found.length > 0;
}

function option(schemas: readonly string[]): string {
  return `--schemas ${schemas.join(',')}`;
}

function listed(cells: readonly CellRow[]): string {
  return cells.map(({ name }) => name).join(', ');
}
