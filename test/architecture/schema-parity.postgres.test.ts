/** The migrations are written by hand for each database: what they make must be the same, and as it is described. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migratePostgres } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import Sqlite from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { STORED_TABLES } from '../../packages/storage-kysely/src/features/tables.js';

interface Table {
  /** `name kind`, with `not null` where it holds. */
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
  /** Columns, uniqueness and condition of each, named or made by a constraint. */
  readonly indexes: readonly string[];
  /** `columns → table (columns)`. */
  readonly references: readonly string[];
}

type Tables = Readonly<Record<string, Table>>;

const folder = mkdtempSync(join(tmpdir(), 'ph-parity-'));
const file = join(folder, 'parity.sqlite');
const postgres = createTestSchema();
await (await createSqliteStorage({ file })).close();
const handle = new Sqlite(file);
await migratePostgres({ connectionString: postgres.connectionString, schema: postgres.schema });
afterAll(async () => {
  handle.close();
  rmSync(folder, { recursive: true, force: true });
  await postgres.drop();
});

/** The words of each database for the kinds of values that both have. */
const KINDS: Readonly<Record<string, string>> = {
  text: 'text',
  real: 'real',
  'double precision': 'real',
  integer: 'integer',
  bigint: 'integer',
  smallint: 'integer',
};

function sqliteTables(): Tables {
  const list = <Row>(sql: string, ...values: unknown[]) => handle.prepare<unknown[], Row>(sql).all(...values);
  const names = list<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name like 'ph\\_%' escape '\\'",
    // Only SQLite keeps copies of erased rows in its file.
  ).filter(({ name }) => name !== 'ph_rewrite');
  return Object.fromEntries(
    names.map(({ name }) => {
      const columns = list<{ name: string; type: string; notnull: number; pk: number }>(
        // Generated columns too, which `pragma_table_info` leaves out.
        'select * from pragma_table_xinfo(?)',
        name,
      );
      const indexes = list<{ name: string; unique: number; origin: string }>(
        "select name, [unique], origin from pragma_index_list(?) where origin <> 'pk'",
        name,
      );
      const foreign = list<{ id: number; table: string; from: string; to: string | null }>(
        'select * from pragma_foreign_key_list(?) order by id, seq',
        name,
      );
      const table: Table = {
        columns: columns.map((column) => describeColumn(column.name, column.type, column.notnull === 1)),
        primaryKey: columns
          .filter(({ pk }) => pk > 0)
          .sort((a, b) => a.pk - b.pk)
          .map((column) => column.name),
        indexes: indexes.map((index) => {
          const parts = list<{ name: string }>(
            'select name from pragma_index_info(?) where cid <> -2',
            index.name,
          );
          const [made] = list<{ sql: string | null }>(
            'select sql from sqlite_schema where name = ?',
            index.name,
          );
          const condition = /\bwhere (.*)$/is.exec(made?.sql ?? '')?.[1] ?? null;
          const title = index.origin === 'c' ? index.name : 'constraint';
          return describeIndex(
            title,
            parts.map((part) => part.name),
            index.unique === 1,
            condition,
          );
        }),
        references: [...new Set(foreign.map(({ id }) => id))]
          .map((id) => foreign.filter((part) => part.id === id))
          .map((parts) =>
            describeReference(
              parts.map(({ from }) => from),
              parts[0]?.table ?? '',
              parts.map(({ to }) => to ?? 'id'),
            ),
          ),
      };
      return [name, sorted(table)];
    }),
  );
}

async function postgresTables(): Promise<Tables> {
  const columns = await rows<{ table: string; name: string; kind: string; required: boolean }>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, null) as kind, a.attnotnull as required
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = $1::regnamespace and c.relkind = 'r' order by c.relname, a.attnum`,
  );
  const indexes = await rows<IndexRow>(
    `select t.relname as table, i.relname as name, x.indisunique as unique, x.indisprimary as primary,
            con.oid is not null as constrained, pg_get_expr(x.indpred, x.indrelid) as condition,
            (select array_agg(a.attname::text order by k.n) from unnest(x.indkey) with ordinality k (attnum, n)
               join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum) as columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     left join pg_constraint con on con.conindid = i.oid and con.contype in ('p', 'u')
     where t.relnamespace = $1::regnamespace`,
  );
  const references = await rows<{ table: string; columns: string[]; target: string; keys: string[] }>(
    `select con.conrelid::regclass::text as table, f.relname as target,
            (select array_agg(a.attname::text order by k.n) from unnest(con.conkey) with ordinality k (attnum, n)
               join pg_attribute a on a.attrelid = con.conrelid and a.attnum = k.attnum) as columns,
            (select array_agg(a.attname::text order by k.n) from unnest(con.confkey) with ordinality k (attnum, n)
               join pg_attribute a on a.attrelid = con.confrelid and a.attnum = k.attnum) as keys
     from pg_constraint con join pg_class f on f.oid = con.confrelid
     where con.contype = 'f' and con.connamespace = $1::regnamespace`,
  );
  // Only PostgreSQL migrates tables in use, and has cells.
  const names = [...new Set(columns.map(({ table }) => table))].filter(
    (name) => name !== 'ph_migration_lease' && name !== 'ph_cell',
  );
  return Object.fromEntries(
    names.map((name) => {
      const own = indexes.filter(({ table }) => table === name);
      const table: Table = {
        columns: columns
          .filter(({ table }) => table === name)
          .map((column) => describeColumn(column.name, column.kind, column.required)),
        primaryKey: own.find(({ primary }) => primary)?.columns ?? [],
        indexes: own
          .filter(({ primary }) => !primary)
          .map((index) =>
            describeIndex(
              index.constrained ? 'constraint' : index.name,
              index.columns,
              index.unique,
              index.condition,
            ),
          ),
        references: references
          .filter((reference) => reference.table.split('.').at(-1) === name)
          .map((reference) => describeReference(reference.columns, reference.target, reference.keys)),
      };
      return [name, sorted(table)];
    }),
  );
}

interface IndexRow {
  readonly table: string;
  readonly name: string;
  readonly unique: boolean;
  readonly primary: boolean;
  readonly constrained: boolean;
  readonly condition: string | null;
  readonly columns: readonly string[];
}

async function rows<Row>(sql: string): Promise<readonly Row[]> {
  return (await postgres.run(sql, [postgres.schema])) as readonly unknown[] as readonly Row[];
}

function describeColumn(name: string, kind: string, isRequired: boolean): string {
  return `${name} ${KINDS[kind.toLowerCase()] ?? `?${kind}`}${isRequired ? ' not null' : ''}`;
}

function describeIndex(
  name: string,
  columns: readonly string[],
  isUnique: boolean,
  condition: string | null,
) {
  const when =
    condition === null
      ? ''
      : ` where ${condition
          .replace(/::text|[()]/g, '')
          // PostgreSQL stores `in (…)` so.
          .replace(/= ANY ARRAY\[([^\]]*)\]/gi, 'in $1')
          .replace(/\s+/g, ' ')
          .toLowerCase()
          .trim()}`;
  return `${isUnique ? 'unique ' : ''}${name} (${columns.join(', ')})${when}`;
}

function describeReference(from: readonly string[], table: string, to: readonly string[]): string {
  return `${from.join(', ')} → ${table} (${to.join(', ')})`;
}

function sorted({ columns, primaryKey, indexes, references }: Table): Table {
  return { columns, primaryKey, indexes: indexes.toSorted(), references: references.toSorted() };
}

test('both databases have the same tables, columns, keys, indexes and references', async () => {
  const [ofSqlite, ofPostgres] = [sqliteTables(), await postgresTables()];
  expect(Object.keys(ofSqlite)).toHaveLength(40);
  expect(ofPostgres).toEqual(ofSqlite);
});

test('the descriptions name the columns of the tables, with their kinds', () => {
  // Each storage creates the table of its migrations itself.
  const ofSqlite = Object.entries(sqliteTables()).filter(([name]) => name !== 'ph_schema_migration');
  const described = STORED_TABLES.filter(({ name }) => name !== 'ph_schema_migration').map(
    ({ name, shape }) => [
      name,
      Object.entries<{ readonly kind: string; readonly isNullable: boolean }>(shape)
        .map(([column, { kind, isNullable }]) => describeColumn(column, kind, !isNullable))
        .sort(),
    ],
  );
  expect(Object.fromEntries(described)).toEqual(
    Object.fromEntries(ofSqlite.map(([name, { columns }]) => [name, columns.toSorted()])),
  );
});

test('a difference would be seen', async () => {
  await postgres.run(`alter table ${postgres.schema}.ph_partner alter column name drop not null`);
  expect(await postgresTables()).not.toEqual(sqliteTables());
});
