import { onPostgres } from '../check.js';
import { LEASE_TABLE } from '../manifest/schema-manifest.js';
import { failed, ok, warning } from '../report.js';

interface RightsRow {
  readonly table: string;
  readonly usage: number;
  readonly secured: number;
  readonly missing: string;
  readonly role: string;
}

/** May the role use every table, and does it see every row? */
export const RIGHTS = onPostgres('rights', ['tables'], async ({ rows, schema, prefix }) => {
  const tables = await rows<RightsRow>(
    `select c.relname::text as "table", pg_catalog.has_schema_privilege(n.oid, 'usage')::int as usage,
       pg_catalog.row_security_active(c.oid)::int as secured, pg_catalog.quote_ident(current_user) as role,
       pg_catalog.concat_ws(', ',
         case when not pg_catalog.has_table_privilege(c.oid, 'select') then 'select' end,
         case when not pg_catalog.has_table_privilege(c.oid, 'insert') then 'insert' end,
         case when not pg_catalog.has_table_privilege(c.oid, 'update') then 'update' end,
         case when not pg_catalog.has_table_privilege(c.oid, 'delete') then 'delete' end) as missing
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') and pg_catalog.starts_with(c.relname::text, 'ph_') and c.relname <> $2
     order by 1`,
    [schema, LEASE_TABLE],
  );
  const role = tables[0]?.role ?? 'current_user';
  const quotedSchema = prefix.slice(0, -1);
  if (tables.some(({ usage }) => usage === 0)) {
    return failed(
      `The role ${role} may not use the schema ${schema}.`,
      `grant usage on schema ${quotedSchema} to ${role};\n${grant(quotedSchema, role)}`,
    );
  }
  const refused = tables.filter(({ missing }) => missing !== '');
  if (refused.length > 0) {
    const named = refused.slice(0, MOST_NAMED).map(({ table, missing }) => `${table} (${missing})`);
    const rest = refused.length - named.length;
    return failed(
      `The role ${role} lacks rights on ${named.join(', ')}${rest === 0 ? '' : ` and ${rest} more tables`}.`,
      grant(quotedSchema, role),
    );
  }
  const secured = tables.filter((each) => each.secured === 1);
  if (secured.length > 0) {
    return warning(
      `Row level security applies to the role ${role} on ${secured.map(({ table }) => table).join(', ')}. ` +
        'Partners get 401 or 404 for rows that a policy hides.',
      secured.map(({ table }) => `alter table ${prefix}"${table}" disable row level security;`).join('\n'),
    );
  }
  return ok(`The role ${role} may read and write all tables.`);
});

const MOST_NAMED = 5;

function grant(schema: string, role: string): string {
  return `grant select, insert, update, delete on all tables in schema ${schema} to ${role};`;
}
