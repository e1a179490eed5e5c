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

export interface ExportedTable {
  readonly kind: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** The primary key, so that a page continues after the last row of the one before. */
  readonly key: readonly string[];
  readonly toValues: (row: StoredRow) => readonly object[];
  /** Whether each part of the database has all rows. */
  readonly isShared: boolean;
  readonly where: string | null;
}

interface AnyTable {
  readonly name: string;
  readonly shape: object;
  readonly toValue: (row: never) => object;
}

export function exported(
  kind: string,
  { name, shape, toValue }: AnyTable,
  key: readonly string[],
  changes: Partial<ExportedTable> = {},
): ExportedTable {
  const toValues = (row: StoredRow) => [toValue(row as never)];
  return { kind, name, columns: Object.keys(shape), key, toValues, isShared: false, where: null, ...changes };
}

/** Rows of a page. More would need more memory, and are hardly faster. */
const PAGE = 100;

/** Writes all rows of tables, page by page. */
export async function exportTables(
  tables: readonly ExportedTable[],
  { prefixes, rows, write }: ExportedSnapshot,
): Promise<void> {
  for (const table of tables) {
    const { kind, key, toValues, isShared } = table;
    for (const prefix of isShared ? prefixes.slice(0, 1) : prefixes) {
      let page = await rows(selectPage(table, prefix, true), []);
      while (page.length > 0) {
        await write(page.flatMap((row) => toValues(row).map((value) => ({ kind, value }))));
        const last = page.at(-1);
        page = await rows(
          selectPage(table, prefix, false),
          key.map((column) => last?.[column]),
        );
      }
    }
  }
}

function selectPage({ name, columns, key, where }: ExportedTable, prefix: string, isFirst: boolean): string {
  const holes = key.map((_, index) => `$${index + 1}`).join(', ');
  const filters = [
    ...(where === null ? [] : [where]),
    ...(isFirst ? [] : [`(${key.join(', ')}) > (${holes})`]),
  ];
  return [
    `select ${columns.join(', ')} from ${prefix}${name}`,
    ...(filters.length === 0 ? [] : [`where ${filters.join(' and ')}`]),
    `order by ${key.join(', ')} limit ${PAGE}`,
  ].join(' ');
}
