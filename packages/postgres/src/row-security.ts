import { warnOnce } from '@partner-hiring/storage-kysely';
import type { PoolConnections } from './pool.js';
import { askServer } from './retry.js';

const ASK = `select
  pg_catalog.format('alter role %I bypassrls', current_user) as "alterRole",
  pg_catalog.array_to_string(array(
    select c.relname::text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p') and pg_catalog.starts_with(c.relname::text, 'ph_')
      and pg_catalog.row_security_active(c.oid)
    order by 1), ', ') as "tables"`;

const KEEP_ON = '. Leave row level security on: a public API may serve the schema.';

/**
 * Warns about row level security: if policies hide rows, partners get 401 or 404. The check cannot detect
 * policies that show all rows.
 * @param isServed - whether a public API may serve the schema, so that row level security must stay on.
 */
export async function checkRowSecurity(
  connections: PoolConnections,
  schema: string,
  isServed: boolean,
): Promise<void> {
  const [found] = await askServer(connections, ASK, [schema]);
  const { alterRole, tables } = found as { readonly alterRole: string; readonly tables: string };
  if (tables === '') return;
  warnOnce(
    `Row level security applies to this role on ${tables}. ` +
      'Partners get 401 or 404 for rows that a policy hides, and 500 for rows that a policy rejects. ' +
      'Unless the policies let this role read and write every row, run ' +
      `\`${alterRole}\`${isServed ? KEEP_ON : ', or `alter table … disable row level security` for each table.'}`,
  );
}
