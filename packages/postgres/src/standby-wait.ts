import type { Connections } from './pool.js';

/**
 * Counts commits of this role that have waited for a standby for `$1`, in all processes. A role may see
 * its own sessions without further rights.
 */
const ASK =
  "select count(*)::int as waiting from pg_stat_activity where wait_event = 'SyncRep' and usename = current_user " +
  'and query_start < pg_catalog.clock_timestamp() - $1::interval';

export async function isStandbyAwaited(
  connections: Pick<Connections, 'lend'>,
  sinceMs: number,
): Promise<boolean> {
  const { rows } = await connections.lend(({ statement }) => statement(ASK, [`${sinceMs} milliseconds`]));
  const { waiting } = rows[0] as { readonly waiting: number };
  return waiting > 0;
}
