import type { KeyId } from '@partner-hiring/core/ports';
import { type Expression, sql } from 'kysely';
import type { Preparation } from '../../preparation.js';
import type { Param } from '../../statement.js';
import { hasEvent, type LeaseParams, selectFree } from './free-endpoints.js';

const ONE = sql.lit(1);

/**
 * The same endpoints as in turn, but looks at all at once: reads them, and the heads, from one end to the other, and
 * takes what is due from its own index. Of ten thousands of which next to none has work, that costs a sixth.
 */
export function findAmongAll(preparation: Preparation, param: Param<LeaseParams>) {
  const { lockFreeRows } = preparation;
  return (
    selectFree(preparation, param)
      .innerJoin('ph_feed_head as head', 'head.key_id', 'endpoint.key_id')
      // A planner takes a comparison of columns for a third of all rows, and would look each head up to find the first
      // few soon. Of a case it expects next to none.
      .where((where) =>
        where(
          where
            .case()
            .when(
              where.or([
                where.and([where('head.event_at', '>', where.ref('endpoint.watermark')), hasEvent(where)]),
                where('endpoint.key_id', 'in', selectDueKeys(preparation, param)),
              ]),
            )
            .then(ONE)
            .end(),
          '=',
          ONE,
        ),
      )
      .orderBy('endpoint.leased_at')
      .orderBy('endpoint.key_id')
      .limit(param('limit'))
      .$call((query) => lockFreeRows(query, 'endpoint'))
  );
}

/** Goes along the keys of what is pending, from the first of one to the first of the next. */
function selectDueKeys({ queries }: Preparation, param: Param<LeaseParams>) {
  const firstBehind = (key: Expression<KeyId>) =>
    queries
      .selectFrom('ph_delivery as delivery')
      .select(['delivery.key_id', 'delivery.due_at'])
      .where('delivery.state', '=', sql.lit('pending'))
      .where('delivery.key_id', '>', key)
      .orderBy('delivery.key_id')
      .orderBy('delivery.due_at')
      .limit(ONE);
  return queries
    .withRecursive('due(key_id, due_at)', (db) =>
      db
        .selectFrom(firstBehind(sql<KeyId>`''`).as('first'))
        .select(['first.key_id', 'first.due_at'])
        .unionAll(
          db
            .selectFrom('due')
            .innerJoinLateral(
              ({ ref }) => firstBehind(ref('due.key_id') as Expression<KeyId>).as('next'),
              (join) => join.onTrue(),
            )
            .select(['next.key_id', 'next.due_at']),
        ),
    )
    .selectFrom('due')
    .select('due.key_id')
    .where('due.due_at', '<=', param('dueBy'));
}
