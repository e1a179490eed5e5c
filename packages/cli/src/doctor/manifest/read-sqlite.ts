import type { DoctorDatabase } from '../database/open-database.js';
import { type ManifestColumn, type ManifestTables, sortedTables } from './schema-manifest.js';

type Reading = Pick<DoctorDatabase, 'rows'>;

/** Reads the library's tables from a SQLite file. */
export async function readSqliteTables(database: Reading): Promise<ManifestTables> {
  const tables = await database.rows<{ name: string; sql: string }>(
    "select name, sql from sqlite_schema where type = 'table' and name like 'ph\\_%' escape '\\'",
  );
  const read = tables.map(async ({ name, sql }) => {
    const table = {
      columns: await readColumns(database, name),
      constraints: await readConstraints(database, name, sql),
      indexes: await readIndexes(database, name),
    };
    return [name, table] as const;
  });
  return sortedTables(new Map(await Promise.all(read)));
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  /** 2 and 3 are generated columns. */
  readonly hidden: number;
}

async function readColumns({ rows }: Reading, table: string): Promise<ReadonlyMap<string, ManifestColumn>> {
  const columns = await rows<ColumnRow>('select * from pragma_table_xinfo(?)', [table]);
  return new Map(
    columns.map(({ name, type, notnull, dflt_value, hidden }) => [
      name,
      {
        type: type.toLowerCase(),
        notNull: notnull === 1,
        default: dflt_value ?? undefined,
        generated: hidden < 2 ? undefined : hidden === 2 ? 'virtual' : 'stored',
      },
    ]),
  );
}

async function readIndexes({ rows }: Reading, table: string): Promise<ReadonlyMap<string, string>> {
  const indexes = await rows<{ name: string; sql: string }>(
    "select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null",
    [table],
  );
  return new Map(indexes.map(({ name, sql }) => [name, withoutComments(sql)]));
}

interface ForeignRow {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
  readonly on_delete: string;
}

async function readConstraints(
  { rows }: Reading,
  table: string,
  sql: string,
): Promise<ReadonlyMap<string, string>> {
  const keys = await rows<{ name: string; pk: number }>(
    'select name, pk from pragma_table_xinfo(?) where pk > 0 order by pk',
    [table],
  );
  const unique = await rows<{ columns: string }>(
    `select (select group_concat(name, ', ') from pragma_index_info(list.name)) as columns
     from pragma_index_list(?) as list where list.origin = 'u'`,
    [table],
  );
  const foreign = await rows<ForeignRow>('select * from pragma_foreign_key_list(?) order by id, seq', [
    table,
  ]);
  const [options] = await rows<{ wr: number; strict: number }>(
    'select wr, strict from pragma_table_list(?)',
    [table],
  );
  const definitions = [
    `primary key (${keys.map(({ name }) => name).join(', ')})`,
    ...unique.map(({ columns }) => `unique (${columns})`),
    ...foreignKeys(foreign),
    ...checksIn(withoutComments(sql)),
    ...(options?.strict === 1 ? ['strict'] : []),
    ...(options?.wr === 1 ? ['without rowid'] : []),
  ];
  return new Map(definitions.map((definition) => [definition, definition]));
}

function foreignKeys(parts: readonly ForeignRow[]): readonly string[] {
  return [...new Set(parts.map(({ id }) => id))].map((id) => {
    const own = parts.filter((part) => part.id === id);
    const [first] = own;
    const from = own.map((part) => part.from).join(', ');
    const to = own.map((part) => part.to ?? 'id').join(', ');
    const onDelete = first?.on_delete === 'NO ACTION' ? '' : ` on delete ${first?.on_delete.toLowerCase()}`;
    return `foreign key (${from}) references ${first?.table} (${to})${onDelete}`;
  });
}

/** Returns a statement on one line without its comments. Our statements have no comment signs within texts. */
export function withoutComments(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the check constraints in a statement. SQLite has no catalogue of them. */
function checksIn(sql: string): readonly string[] {
  return [...sql.matchAll(/\bcheck \(/gi)].map(({ index, 0: start }) => {
    let depth = 1;
    let end = index + start.length;
    for (; depth > 0 && end < sql.length; end += 1) {
      if (sql[end] === '(') depth += 1;
      if (sql[end] === ')') depth -= 1;
    }
    return `check ${sql.slice(index + start.length - 1, end)}`;
  });
}
