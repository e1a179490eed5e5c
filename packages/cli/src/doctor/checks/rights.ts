import { onPostgres } from '../check.js';
import { failed, ok, warning } from '../report.js';
import { LEASE_TABLE } from '../schema/read-postgres.js';
import { plural } from './words.js';

interface RightsRow {
  readonly table: string;
  readonly usage: number;
  readonly secured: number;
  readonly missing: string;
  readonly role: string;
  readonly served: number;
}

/** Whether a role of Supabase's public API, or of another PostgREST, may use the schema. */
const SERVED = `exists (select from pg_roles r where r.rolname in ('anon', 'authenticated')
         and pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage'))`;

/** Does a public API, such as Supabase's, publish the tables? */
export const PUBLIC_API = onPostgres('public-api', ['tables'], async ({ rows, schema, prefix }) => {
  const published = await rows<{ readonly table: string; readonly roles: string }>(
    `select c.relname::text as "table", pg_catalog.string_agg(r.rolname::text, ', ' order by r.rolname::text) as roles
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_roles r on r.rolname in ('anon', 'authenticated')
     where n.nspname = $1 and c.relkind in ('r', 'p') and pg_catalog.starts_with(c.relname::text, 'ph_') and not c.relrowsecurity
       and pg_catalog.has_schema_privilege(r.oid, n.oid, 'usage')
       and pg_catalog.has_table_privilege(r.oid, c.oid, 'select, insert, update, delete')
     group by 1 order by 1`,
    [schema],
  );
  const [first] = published;
  if (first === undefined) return ok('No role of a public API may use the tables.');
  return failed(
    `The roles ${first.roles} may use ${plural(published.length, 'table', 'tables')} of the library in the schema ${schema}. If an API ` +
      "such as Supabase's serves this schema, everybody with its public key can read or change them.",
    'Move the tables to a schema that the API does not serve, such as the default `partner_hiring`. Or run, also after each migration:\n' +
      published.map(({ table, roles }) => `revoke all on ${prefix}"${table}" from ${roles};`).join('\n'),
  );
});

/** May the role use every table, and does it see every row? */
export const RIGHTS = onPostgres('rights', ['tables'], async ({ rows, schema, prefix }) => {
  const tables = await rows<RightsRow>(
    `select c.relname::text as "table", pg_catalog.has_schema_privilege(n.oid, 'usage')::int as usage,
       pg_catalog.row_security_active(c.oid)::int as secured, pg_catalog.quote_ident(current_user) as role,
       ${SERVED}::int as served,
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
      secured.some(({ served }) => served === 1)
        ? `alter role ${role} bypassrls;\nLeave row level security on: a public API may serve the schema.`
        : secured
            .map(({ table }) => `alter table ${prefix}"${table}" disable row level security;`)
            .join('\n'),
    );
  }
  return ok(`The role ${role} may read and write all tables.`);
});

const MOST_NAMED = 5;

function grant(schema: string, role: string): string {
  return `grant select, insert, update, delete on all tables in schema ${schema} to ${role};`;
}
