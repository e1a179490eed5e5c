import type { SchemaObject } from './compare-schemas.js';

/** Only PostgreSQL has this table, and only after it has migrated tables in use. */
export const LEASE_TABLE = 'ph_migration_lease';

/** Removes the schema from a definition. For temporary tables, PostgreSQL writes the schema as `pg_temp`. */
const bare = (definition: string) =>
  `pg_catalog.replace(pg_catalog.replace(${definition}, pg_catalog.format('%I.', t.nspname), ''), 'pg_temp.', '')`;

/**
 * The library's tables in the schema `$1` except `$2`, and their parts. Leaves out the not-null constraints, which PostgreSQL 18
 * lists with the others and older servers do not.
 */
const OBJECTS = `with t as (
    select c.oid, c.relname::text as "table", n.nspname, c.relkind, c.relpersistence
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p') and pg_catalog.starts_with(c.relname::text, 'ph_') and c.relname <> $2
  )
  select 'table' as what, t."table", t."table" as name, 1 as harmless,
    pg_catalog.concat(case t.relpersistence when 'u' then 'unlogged ' end, case t.relkind when 'p' then 'partitioned ' end, 'table') as definition
  from t
  union all
  select 'column', t."table", a.attname::text,
    (not a.attnotnull or a.atthasdef)::int,
    pg_catalog.concat(pg_catalog.format_type(a.atttypid, a.atttypmod), ' collate ' || pg_catalog.quote_ident(col.collname),
      case when a.attnotnull then ' not null' end,
      case when a.attgenerated = '' then ' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid)
        else ' generated always as (' || pg_catalog.pg_get_expr(d.adbin, d.adrelid) || ')' end)
  from t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = a.atttypid
    left join pg_collation col on col.oid = a.attcollation and a.attcollation <> y.typcollation
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  union all
  select 'constraint', t."table", con.conname::text, 0, ${bare('pg_catalog.pg_get_constraintdef(con.oid)')}
  from t join pg_constraint con on con.conrelid = t.oid
  where con.contype in ('p', 'u', 'f', 'c', 'x')
  union all
  select 'index', t."table", i.relname::text, (not x.indisunique)::int, ${bare('pg_catalog.pg_get_indexdef(x.indexrelid)')}
  from t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
  where not exists (select from pg_constraint con where con.conindid = i.oid and con.contype in ('p', 'u', 'x'))
  union all
  select 'trigger', t."table", g.tgname::text, 1, ${bare('pg_catalog.pg_get_triggerdef(g.oid)')}
  from t join pg_trigger g on g.tgrelid = t.oid
  where not g.tgisinternal`;

type ReadRows = (
  sql: string,
  values?: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Reads the library's tables in one schema from the catalogues of a server. Needs no right on the tables. */
export async function readPostgresObjects(rows: ReadRows, schema: string): Promise<readonly SchemaObject[]> {
  const found = await rows(OBJECTS, [schema, LEASE_TABLE]);
  return found.map((row) => ({ ...(row as unknown as SchemaObject), isHarmless: row.harmless === 1 }));
}
