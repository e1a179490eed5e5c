import { OperatorError } from '@partner-hiring/core';
import { toStorageError } from './errors.js';
import type { Connections } from './pool.js';
import { retryContention } from './retry.js';

export const HAS_CITUS = "(to_regclass('pg_catalog.pg_dist_partition') is not null)::int";

const ASK = `select
  c.relname::text as "name",
  case
    when p.partmethod <> 'n' then 'distributed by a column'
    when p.repmodel = 't' then 'a reference table'
    when p.colocationid <> 0 then 'in one shard'
    else 'a local table that Citus manages'
  end as "kind",
  case
    when p.partmethod = 'n' and p.repmodel <> 't' and p.colocationid <> 0
      then format('select citus_schema_undistribute(%L)', quote_ident(n.nspname))
    else format('select undistribute_table(%L, cascade_via_foreign_keys => true)', format('%I.%I', n.nspname, c.relname))
  end as "wayOut"
from pg_catalog.pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid
  join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and starts_with(c.relname::text, 'ph_')
order by 1`;

interface ManagedTable {
  readonly name: string;
  readonly kind: string;
  readonly wayOut: string;
}

/**
 * Rejects tables that Citus manages. On such tables, Citus 13.2 fails to save endpoints and to add
 * submissions.
 */
export async function assertLocalTables(connections: Connections, schema: string): Promise<void> {
  const ask = () => connections.lend(({ statement }) => statement(ASK, [schema]));
  const { rows } = await retryContention(ask).catch((error: unknown) => {
    throw toStorageError(error);
  });
  const tables = rows as readonly ManagedTable[];
  const [first] = tables;
  if (first === undefined) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `Citus manages tables of the storage: ${tables.map(({ name, kind }) => `${name} (${kind})`).join(', ')}. ` +
      'The storage needs local tables, because Citus refuses or changes some of its statements. ' +
      `Run \`${first.wayOut}\` on the coordinator. Do the same for each table that is still in \`pg_dist_partition\`. ` +
      'The command also changes tables that foreign keys connect with this one, and tables of the same distributed schema.',
  );
}
