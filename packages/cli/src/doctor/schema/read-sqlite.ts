import type { SchemaObject } from './compare-schemas.js';

type ReadRows = (sql: string, values?: readonly unknown[]) => readonly Readonly<Record<string, unknown>>[];

/** Reads the library's tables from a SQLite database. */
export function readSqliteObjects(rows: ReadRows): readonly SchemaObject[] {
  const read = <Row>(sql: string, ...values: readonly string[]) =>
    rows(sql, values) as readonly unknown[] as Row[];
  return read<{ name: string; sql: string }>(
    "select name, sql from sqlite_schema where type = 'table' and name like 'ph\\_%' escape '\\'",
  ).flatMap(({ name: table, sql }) => [
    { what: 'table', table, name: table, definition: 'table', isHarmless: true } as const,
    ...columnsOf(read, table),
    ...constraintsOf(read, table, sql).map(
      (definition) =>
        ({ what: 'constraint', table, name: definition, definition, isHarmless: false }) as const,
    ),
    ...indexesAndTriggersOf(read, table),
  ]);
}

type Read = <Row>(sql: string, ...values: readonly string[]) => readonly Row[];

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  /** 2 and 3 are generated columns. SQLite does not tell their expressions. */
  readonly hidden: number;
}

function columnsOf(read: Read, table: string): readonly SchemaObject[] {
  return read<ColumnRow>('select * from pragma_table_xinfo(?)', table).map(
    ({ name, type, notnull, dflt_value: value, hidden }) => ({
      what: 'column',
      table,
      name,
      definition: [
        type.toLowerCase(),
        ...(notnull === 1 ? ['not null'] : []),
        ...(value === null ? [] : [`default ${value}`]),
        ...(hidden < 2 ? [] : [`generated, ${hidden === 2 ? 'virtual' : 'stored'}`]),
      ].join(' '),
      isHarmless: notnull === 0 || value !== null || hidden >= 2,
    }),
  );
}

function indexesAndTriggersOf(read: Read, table: string): readonly SchemaObject[] {
  return read<{ type: 'index' | 'trigger'; name: string; sql: string }>(
    "select type, name, sql from sqlite_schema where type in ('index', 'trigger') and tbl_name = ? and sql is not null",
    table,
  ).map(({ type, name, sql }) => ({
    what: type,
    table,
    name,
    definition: withoutComments(sql),
    isHarmless: !/^create unique/i.test(sql),
  }));
}

interface ForeignRow {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
  readonly on_delete: string;
}

/** The constraints have no names, so each is named by its definition. */
function constraintsOf(read: Read, table: string, sql: string): readonly string[] {
  const keys = read<{ name: string }>(
    'select name from pragma_table_xinfo(?) where pk > 0 order by pk',
    table,
  );
  const unique = read<{ columns: string }>(
    `select (select group_concat(name, ', ') from pragma_index_info(list.name)) as columns
     from pragma_index_list(?) as list where list.origin = 'u'`,
    table,
  );
  const foreign = read<ForeignRow>('select * from pragma_foreign_key_list(?) order by id, seq', table);
  const [options] = read<{ wr: number; strict: number }>(
    'select wr, strict from pragma_table_list(?)',
    table,
  );
  return [
    `primary key (${keys.map(({ name }) => name).join(', ')})`,
    ...unique.map(({ columns }) => `unique (${columns})`),
    ...foreignKeys(foreign),
    ...checksIn(withoutComments(sql)),
    ...(options?.strict === 1 ? ['strict'] : []),
    ...(options?.wr === 1 ? ['without rowid'] : []),
  ];
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
function withoutComments(sql: string): string {
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
