import type { EndpointRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { JsonRows, TableColumns } from '../dialect.js';
import { walkKeys } from '../index-walk.js';
import { ONE } from '../look-ups.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, type Param, WRITTEN } from '../statement.js';

/** The value is a literal, because the planner does not match a parameter to a partial index. */
function isUnchecked(
  where: ExpressionBuilder<Schema & { readonly head: Schema['ph_feed_head'] }, 'head'>,
): Expression<SqlBool> {
  return where('head.unchecked', '=', where.lit(1));
}

/** Selects the keys whose feeds may have unsent events. */
export function selectUncheckedKeys({ queries }: Preparation) {
  return queries.selectFrom('ph_feed_head as head').where(isUnchecked).select('head.key_id');
}

/** Selects the keys that have deliveries. Costs one index look-up for each of these keys. */
export function selectKeysWithDeliveries(preparation: Preparation) {
  const { queries } = preparation;
  const firstBehind = (key: Expression<KeyId>) =>
    queries
      .selectFrom('ph_delivery as delivery')
      .select('delivery.key_id')
      .where('delivery.key_id', '>', key)
      .orderBy('delivery.key_id')
      .limit(ONE);
  return walkKeys(preparation, firstBehind);
}

/** Selects the keys that have a due delivery. Costs two index look-ups for each key with a pending one. */
export function selectDueKeys(preparation: Preparation, dueBy: Expression<Instant>) {
  const { queries } = preparation;
  const pending = queries
    .selectFrom('ph_delivery as delivery')
    .where('delivery.state', '=', sql.lit('pending'));
  const firstBehind = (key: Expression<KeyId>) =>
    pending
      .select('delivery.key_id')
      .where('delivery.key_id', '>', key)
      .orderBy('delivery.key_id')
      .orderBy('delivery.due_at')
      .limit(ONE);
  return walkKeys(preparation, firstBehind).where(({ eb }) =>
    eb(
      pending
        .select('delivery.due_at')
        .where('delivery.key_id', '=', sql.ref<KeyId>('key.key_id'))
        .orderBy('delivery.due_at')
        .limit(ONE),
      '<=',
      dueBy,
    ),
  );
}

/**
 * Whether the endpoint's key has an event after the watermark. A comparison with the last stamp is not
 * enough, because not every stamp belongs to an event.
 */
export function hasEvent(
  where: ExpressionBuilder<Schema & { readonly endpoint: Schema['ph_endpoint'] }, 'endpoint'>,
): Expression<SqlBool> {
  return where(
    where
      .selectFrom('ph_event as event')
      .select('event.at')
      .whereRef('event.key_id', '=', 'endpoint.key_id')
      .orderBy('event.at', 'desc')
      .limit(sql.lit(1)),
    '>',
    where.ref('endpoint.watermark'),
  );
}

interface IdleItem {
  readonly key_id: KeyId;
  readonly event_at: Instant;
}

const IDLE_COLUMNS: TableColumns<IdleItem> = { key_id: 'text', event_at: 'integer' };

/**
 * Marks feeds without unsent events as checked, which removes them from the index that the poll reads. The
 * first statement reads each feed's `event_at`, and the second one stores it as `checked_at`. No event is missed in
 * between: a transaction that adds events locks the feed head of its key until it commits. So whoever reads `event_at`
 * also sees all events up to that instant. A later event raises `event_at`, which puts the feed back into the index.
 */
export const prepareMarkIdle: Prepare<Pick<EndpointRepository, 'markIdle'>> = (preparation) => {
  const { queries, items, lockFreeRows } = preparation;
  const findIdle = define((param: Param<{ before: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_feed_head as head')
      .where(isUnchecked)
      .where('head.event_at', '<', param('before'))
      // A key without an endpoint is idle too. If the host adds an endpoint later, its watermark starts at the last
      // stamp of the feed, so older events are not sent.
      .where(({ eb, selectFrom }) =>
        eb(
          selectFrom('ph_endpoint as endpoint')
            .select(sql.lit(1).as('one'))
            .whereRef('endpoint.key_id', '=', 'head.key_id')
            .where((where) => hasEvent(where)),
          'is',
          null,
        ),
      )
      .select(['head.key_id', 'head.event_at'])
      .limit(param('limit')),
  );
  const raise = define((param: Param<{ rows: JsonRows<IdleItem> }>) =>
    queries
      .with('free', (db) =>
        db
          .selectFrom('ph_feed_head')
          .select('key_id')
          .where('key_id', 'in', (eb) =>
            eb.selectFrom(items(param('rows'), IDLE_COLUMNS)).select('item.key_id'),
          )
          .orderBy('key_id')
          .$call(lockFreeRows),
      )
      .updateTable('ph_feed_head')
      .from(items(param('rows'), IDLE_COLUMNS))
      .innerJoin('free', 'free.key_id', 'item.key_id')
      .set((eb) => ({ checked_at: eb.ref('item.event_at') }))
      .whereRef('ph_feed_head.key_id', '=', 'item.key_id')
      .whereRef('ph_feed_head.checked_at', '<', 'item.event_at')
      .returning(WRITTEN),
  );

  return {
    markIdle: async (session, before, limit) => {
      const idle = await session.read((run) => run.all(findIdle, { before, limit }));
      const { rows } = await session.write((run) => run.batch(raise, idle, {}));
      return rows.length;
    },
  };
};
