import { warnOnce } from '@partner-hiring/storage-kysely';
import type { PoolConnections } from './pool.js';
import { askServer } from './retry.js';
import { quotedSchema } from './schema-name.js';

/**
 * Finds the roles that the API of Supabase, or of another PostgREST, uses for everybody, and the tables that they may
 * use. A table with row level security counts as private, because without a policy the API shows none of its rows.
 */
const ASK = `select
  pg_catalog.array_to_string(array(
    select role.rolname::text from pg_catalog.pg_roles role
    where role.rolname::text in ('anon'::text, 'authenticated'::text)
      and pg_catalog.has_schema_privilege(role.oid, namespace.oid, 'usage'::text)
    order by 1), ', '::text) as "roles",
  pg_catalog.array_to_string(array(
    select class.relname::text from pg_catalog.pg_class class
    where class.relnamespace = namespace.oid and class.relkind in ('r', 'p')
      and pg_catalog.starts_with(class.relname::text, 'ph_'::text) and not class.relrowsecurity
      and exists (
        select from pg_catalog.pg_roles role
        where role.rolname::text in ('anon'::text, 'authenticated'::text)
          and pg_catalog.has_schema_privilege(role.oid, namespace.oid, 'usage'::text)
          and pg_catalog.has_table_privilege(role.oid, class.oid, 'select, insert, update, delete'::text))
    order by 1), ', '::text) as "tables"
  from pg_catalog.pg_namespace namespace where namespace.nspname::text = $1::text`;

interface Found {
  readonly roles: string;
  readonly tables: string;
}

const MOST_SHOWN = 3;

/**
 * Warns if an API such as Supabase's publishes the tables of the schema. Returns whether such an API may use the
 * schema. If so, the tables may be private only because of row level security.
 */
export async function warnOfPublishedTables(connections: PoolConnections, schema: string): Promise<boolean> {
  const [found] = await askServer(connections, ASK, [schema]);
  const { roles, tables } = (found ?? { roles: '', tables: '' }) as Found;
  if (tables !== '') warnOnce(publishedWords(schema, roles, tables));
  return roles !== '';
}

function publishedWords(schema: string, roles: string, tables: string): string {
  const shown = tables.split(', ').slice(0, MOST_SHOWN).join(', ');
  return (
    `The roles ${roles} may use tables of the library in the schema ${quotedSchema(schema)}, such as ${shown}. ` +
    "If an API such as Supabase's serves this schema, everybody with its public key can read or change them, with candidates' data. " +
    'Move them to a schema that the API does not serve, such as the default `partner_hiring`. ' +
    `Otherwise run \`revoke all on … from ${roles}\` for each table. Do so again after each migration.`
  );
}
