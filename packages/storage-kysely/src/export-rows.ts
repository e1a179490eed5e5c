import type { TableRows } from './table-rows.js';

/** A row of an export: its kind, and the fields as the library names them. Instants are milliseconds since 1970. */
export interface ExportedRow {
  readonly kind: string;
  readonly value: object;
}

export type StoredRow = Readonly<Record<string, unknown>>;

/** A snapshot of a database. */
export interface ExportedSnapshot {
  /** What to write before the names of tables, for each part of the database. The first part has the shared rows. */
  readonly prefixes: readonly string[];
  readonly rows: (
    sql: string,
    values: readonly unknown[],
  ) => Promise<readonly StoredRow[]> | readonly StoredRow[];
  /** Writes a page of rows of one kind. */
  readonly write: (rows: readonly ExportedRow[]) => Promise<void>;
}

interface ExportedTable {
  readonly name: string;
  readonly rows: TableRows;
  readonly shape: object;
  readonly toValue: (row: never) => object;
}

/** Rows of a page. More would need more memory, and are hardly faster. */
const PAGE = 100;

/** Writes all rows of tables, page by page. */
export async function exportTables(
  tables: readonly ExportedTable[],
  { prefixes, rows, write }: ExportedSnapshot,
): Promise<void> {
  for (const table of tables) {
    const { exportedBy: key, exportedAs: kind = table.name.slice('ph_'.length), isShared } = table.rows;
    if (key === null) continue;
    const toValues = table.rows.toValues ?? ((row) => [toValue(table, row)]);
    for (const prefix of isShared ? prefixes.slice(0, 1) : prefixes) {
      let page = await rows(selectPage(table, key, prefix, true), []);
      while (page.length > 0) {
        await write(page.flatMap((row) => toValues(row).map((value) => ({ kind, value }))));
        const last = page.at(-1);
        page = await rows(
          selectPage(table, key, prefix, false),
          key.map((column) => last?.[column]),
        );
      }
    }
  }
}

function toValue({ rows: { without = '' }, toValue }: ExportedTable, row: object): object {
  const { [without]: _, ...value } = toValue(row as never) as StoredRow;
  return value;
}

function selectPage(
  { name, shape, rows: { where } }: ExportedTable,
  key: readonly string[],
  prefix: string,
  isFirst: boolean,
): string {
  const holes = key.map((_, index) => `$${index + 1}`).join(', ');
  const filters = [
    ...(where === undefined ? [] : [where]),
    ...(isFirst ? [] : [`(${key.join(', ')}) > (${holes})`]),
  ];
  return [
    `select ${Object.keys(shape).join(', ')} from ${prefix}${name}`,
    ...(filters.length === 0 ? [] : [`where ${filters.join(' and ')}`]),
    `order by ${key.join(', ')} limit ${PAGE}`,
  ].join(' ');
}
