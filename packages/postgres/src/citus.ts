import { storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { PoolConnections } from './pool.js';
import { askServer } from './retry.js';

export const HAS_CITUS = "(pg_catalog.to_regclass('pg_catalog.pg_dist_partition') is not null)::int";

/**
 * Lists the tables of the storage, and how Citus keeps each. All single-shard tables with one colocation id are on one
 * node.
 */
const ASK = `select
  c.relname::text as "name",
  case
    when p.logicalrelid is null then 'local'
    when p.partmethod <> 'n' then 'distributed by a column'
    when p.repmodel = 't' then 'a reference table'
    when p.colocationid <> 0 then 'in one shard'
    else 'a local table that Citus manages'
  end as "kind",
  coalesce(p.colocationid, 0)::int as "shard",
  pg_catalog.format('%I', n.nspname) as "schema",
  pg_catalog.format('%I.%I', n.nspname, c.relname) as "table"
from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_catalog.pg_dist_partition p on p.logicalrelid::oid = c.oid
where n.nspname = $1 and c.relkind in ('r', 'p') and pg_catalog.starts_with(c.relname::text, 'ph_')
order by 1`;

interface PlacedTable {
  readonly name: string;
  readonly kind: string;
  readonly shard: number;
  readonly schema: string;
  readonly table: string;
}

/** Where Citus keeps the tables: on the coordinator, or together in one shard of a node. */
export type Placement = 'local' | 'one_shard';

/**
 * Returns where Citus keeps the tables.
 * @throws OperatorError `MISCONFIGURED` if a table is distributed by a column or a reference table, or if the tables are
 *   not all in the same place. On such tables, Citus refuses or changes some of the statements.
 */
export async function readPlacement(connections: PoolConnections, schema: string): Promise<Placement> {
  const tables = (await askServer(connections, ASK, [schema])) as readonly PlacedTable[];
  if (tables.every(({ kind }) => kind === 'local')) return 'local';
  const [first] = tables;
  if (tables.every(({ kind, shard }) => kind === 'in one shard' && shard === first?.shard))
    return 'one_shard';
  throw storageMisconfiguration(refusalOf(tables));
}

function refusalOf(tables: readonly PlacedTable[]): string {
  const managed = tables.filter(({ kind }) => kind !== 'local');
  // Prefers a table that is not in one shard, for example one that was added to a distributed schema by hand. Otherwise
  // the advice would undistribute the whole schema.
  const odd = managed.find(({ kind }) => kind !== 'in one shard') ?? managed[0];
  const named = managed.map(({ name, kind }) => `${name} (${kind})`).join(', ');
  const locals = tables.filter(({ kind }) => kind === 'local').map(({ name }) => name);
  return (
    `Citus manages tables of the storage in a way that is not supported: ${named}` +
    `${locals.length === 0 ? '' : `; local: ${locals.join(', ')}`}. ` +
    'The tables must be local, or all of them in one shard, as in a distributed schema. ' +
    `Run \`${wayOutOf(odd)}\` on the coordinator. Do the same for each table that is still in \`pg_dist_partition\`. ` +
    'The command also changes tables that foreign keys connect with this one, and tables of the same distributed schema. ' +
    `Afterwards, \`select citus_schema_distribute(${quoted(odd?.schema)})\` moves all tables to one node, if you want that.`
  );
}

function wayOutOf(odd: PlacedTable | undefined): string {
  return odd?.kind === 'in one shard'
    ? `select citus_schema_undistribute(${quoted(odd.schema)})`
    : `select undistribute_table(${quoted(odd?.table)}, cascade_via_foreign_keys => true)`;
}

function quoted(name = ''): string {
  return `'${name.replaceAll("'", "''")}'`;
}
