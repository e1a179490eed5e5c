import { sql } from 'kysely';
import type { Preparation } from '../../preparation.js';
import type { Param } from '../../statement.js';
import { hasEvent, type LeaseParams, selectFree } from './free-endpoints.js';

/**
 * Endpoints with work due that nobody holds, those that waited longest first.
 *
 * Looks at one endpoint after the other, until it has found enough: its head, one row of its log if that has moved on,
 * and one of what is due, by index, so a backlog of any length costs no more than one event. Values rather than
 * `exists`, which a planner may answer by reading all that is due.
 */
export function findInTurn(preparation: Preparation, param: Param<LeaseParams>) {
  const { lockFreeRows } = preparation;
  return selectFree(preparation, param)
    .where((where) =>
      where.or([
        where.and([
          where(
            where
              .selectFrom('ph_feed_head as head')
              .select('head.event_at')
              .whereRef('head.key_id', '=', 'endpoint.key_id'),
            '>',
            where.ref('endpoint.watermark'),
          ),
          hasEvent(where),
        ]),
        where(
          where
            .selectFrom('ph_delivery as delivery')
            .select('delivery.due_at')
            .whereRef('delivery.key_id', '=', 'endpoint.key_id')
            .where('delivery.state', '=', sql.lit('pending'))
            .orderBy('delivery.due_at')
            .limit(sql.lit(1)),
          '<=',
          param('dueBy'),
        ),
      ]),
    )
    .orderBy('endpoint.leased_at')
    .orderBy('endpoint.key_id')
    .limit(param('limit'))
    .$call(lockFreeRows);
}
