import type { DoctorDatabase } from '../database/open-database.js';
import { LEASE_TABLE, type ManifestColumn, type ManifestTables, sortedTables } from './schema-manifest.js';

/** The tables of the library in one schema: `$1` is its name, `$2` is a table to leave out. */
const OF_SCHEMA = `n.nspname = $1 and c.relkind in ('r', 'p') and pg_catalog.starts_with(c.relname::text, 'ph_') and c.relname <> $2`;

const COLUMNS = `select c.relname::text as "table", a.attname::text as name,
    pg_catalog.format_type(a.atttypid, a.atttypmod)
      || coalesce(' collate ' || pg_catalog.quote_ident(col.collname), '') as type,
    a.attnotnull::int as required, a.attgenerated::text as generated,
    pg_catalog.pg_get_expr(d.adbin, d.adrelid) as expression
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_collation col on col.oid = a.attcollation and a.attcollation <> t.typcollation
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where ${OF_SCHEMA}`;

/** Without the not-null constraints, which PostgreSQL 18 lists here and older servers do not. */
const CONSTRAINTS = `select c.relname::text as "table", con.conname::text as name,
    pg_catalog.replace(pg_catalog.pg_get_constraintdef(con.oid), pg_catalog.format('%I.', n.nspname), '') as definition
  from pg_constraint con join pg_class c on c.oid = con.conrelid join pg_namespace n on n.oid = c.relnamespace
  where con.contype in ('p', 'u', 'f', 'c', 'x') and ${OF_SCHEMA}`;

const INDEXES = `select c.relname::text as "table", i.relname::text as name,
    pg_catalog.replace(pg_catalog.pg_get_indexdef(x.indexrelid), pg_catalog.format('%I.', n.nspname), '') as definition
  from pg_index x join pg_class i on i.oid = x.indexrelid
    join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace
  where ${OF_SCHEMA}
    and not exists (select from pg_constraint con where con.conindid = i.oid and con.contype in ('p', 'u', 'x'))`;

interface Named {
  readonly table: string;
  readonly name: string;
}

interface ColumnRow extends Named {
  readonly type: string;
  readonly required: number;
  readonly generated: string;
  readonly expression: string | null;
}

interface DefinitionRow extends Named {
  readonly definition: string;
}

/** Reads the library's tables from the catalogues of a server. Needs no right on the tables. */
export async function readPostgresTables(
  { rows }: Pick<DoctorDatabase, 'rows'>,
  schema: string,
): Promise<ManifestTables> {
  const values = [schema, LEASE_TABLE];
  const columns = await rows<ColumnRow>(COLUMNS, values);
  const constraints = await rows<DefinitionRow>(CONSTRAINTS, values);
  const indexes = await rows<DefinitionRow>(INDEXES, values);
  const names = new Set(columns.map(({ table }) => table));
  return sortedTables(
    new Map(
      [...names].map((table) => {
        const own = <Row extends Named>(rowsOfAll: readonly Row[]) =>
          rowsOfAll.filter((row) => row.table === table);
        const definitions = (some: readonly DefinitionRow[]) =>
          new Map(own(some).map(({ name, definition }) => [name, definition]));
        return [
          table,
          {
            columns: new Map(own(columns).map((column) => [column.name, toColumn(column)])),
            constraints: definitions(constraints),
            indexes: definitions(indexes),
          },
        ];
      }),
    ),
  );
}

function toColumn({ type, required, generated, expression }: ColumnRow): ManifestColumn {
  const isGenerated = generated !== '';
  return {
    type,
    notNull: required === 1,
    default: isGenerated ? undefined : (expression ?? undefined),
    generated: isGenerated ? (expression ?? undefined) : undefined,
  };
}
