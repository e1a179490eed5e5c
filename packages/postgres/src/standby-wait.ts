import type { Connections } from './pool.js';

/**
 * Counts commits of this role that wait for a standby, in all processes. A role may see its own sessions
 * without further rights.
 */
const ASK =
  "select count(*)::int as waiting from pg_stat_activity where wait_event = 'SyncRep' and usename = current_user " +
  "and query_start < pg_catalog.clock_timestamp() - interval '500 milliseconds'";

export async function isStandbyAwaited(connections: Pick<Connections, 'lend'>): Promise<boolean> {
  const { rows } = await connections.lend(({ statement }) => statement(ASK, []));
  const { waiting } = rows[0] as { readonly waiting: number };
  return waiting > 0;
}
