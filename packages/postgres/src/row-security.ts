import { warnOnce } from '@partner-hiring/storage-kysely';
import { toStorageError } from './errors.js';
import type { Connections } from './pool.js';
import { retryContention } from './retry.js';

/** Our tables that are under row level security for this role, whatever their policies say. */
const ASK = `select
  format('alter role %I bypassrls', current_user) as "alterRole",
  array_to_string(array(
    select c.relname::text
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p') and starts_with(c.relname::text, 'ph_')
      and row_security_active(c.oid)
    order by 1), ', ') as "tables"`;

interface Found {
  readonly alterRole: string;
  readonly tables: string;
}

/**
 * Warns where policies decide what the storage sees. A row that one hides is not there for us, which no error tells:
 * partners are told that their key is not valid, or that what they have submitted does not exist. Policies that let the
 * role see all do no harm, and cannot be told from others.
 */
export async function checkRowSecurity(connections: Connections, schema: string): Promise<void> {
  const ask = () => connections.lend(({ statement }) => statement(ASK, [schema]));
  const { rows } = await retryContention(ask).catch((error: unknown) => {
    throw toStorageError(error);
  });
  const { alterRole, tables } = rows[0] as Found;
  if (tables === '') return;
  warnOnce(
    `Row level security holds for this role on ${tables}. What a policy hides from it is not there for partners, who get ` +
      'a 401 or a 404 then, and what one refuses is answered with 500. Unless its policies let this role see and write ' +
      `every row, run \`${alterRole}\`, or \`alter table … disable row level security\` for each of them.`,
  );
}
