import type { Preparation } from '../../preparation.js';
import type { Param } from '../../statement.js';
import { selectDueKeys, selectUncheckedKeys } from './changed-keys.js';
import { hasEvent, type LeaseParams, selectFree } from './free-endpoints.js';

/**
 * Finds the same endpoints as `findInTurn`, but reads only the feeds that changed and the keys with pending deliveries.
 * So idle endpoints cost a poll nothing, however many there are.
 */
export function findAmongChanged(preparation: Preparation, param: Param<LeaseParams>) {
  const { queries, lockFreeRows } = preparation;
  const dueKeys = queries
    .selectFrom(selectDueKeys(preparation, param('dueBy')).as('due'))
    .select('due.key_id');
  return selectFree(preparation, param)
    .where('endpoint.key_id', 'in', selectUncheckedKeys(preparation).unionAll(dueKeys))
    .where((where) => where.or([hasEvent(where), where('endpoint.key_id', 'in', dueKeys)]))
    .orderBy('endpoint.leased_at')
    .orderBy('endpoint.key_id')
    .limit(param('limit'))
    .$call((query) => lockFreeRows(query, 'endpoint'));
}
