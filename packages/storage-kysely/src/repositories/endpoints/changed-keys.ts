import type { Instant, KeyId } from '@partner-hiring/core/ports';
import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Preparation } from '../../preparation.js';
import type { FeedHeadTable, Schema } from '../../schema.js';

const ONE = sql.lit(1);

/** Whether a feed's events may include one that was not sent. A literal: a partial index serves no parameter. */
export function isUnchecked(
  where: ExpressionBuilder<Schema & { readonly head: FeedHeadTable }, 'head'>,
): Expression<SqlBool> {
  return where('head.unchecked', '=', where.lit(1));
}

/** The keys whose feeds may hold an event that was not sent. Every event beyond a watermark is in one of them. */
export function selectUncheckedKeys({ queries }: Preparation) {
  return queries.selectFrom('ph_feed_head as head').where(isUnchecked).select('head.key_id');
}

/** The keys with deliveries. Costs one look-up for each of these keys, however many deliveries it has. */
export function selectKeysWithDeliveries({ queries }: Preparation) {
  const firstBehind = (key: Expression<KeyId>) =>
    queries
      .selectFrom('ph_delivery as delivery')
      .select('delivery.key_id')
      .where('delivery.key_id', '>', key)
      .orderBy('delivery.key_id')
      .limit(ONE);
  return walk(queries, firstBehind);
}

/** The keys with a delivery due. Costs two look-ups for each key with a pending delivery. */
export function selectDueKeys({ queries }: Preparation, dueBy: Expression<Instant>) {
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
  return walk(queries, firstBehind).where(({ eb, ref }) =>
    eb(
      pending
        .select('delivery.due_at')
        .where('delivery.key_id', '=', ref('key.key_id') as Expression<KeyId>)
        .orderBy('delivery.due_at')
        .limit(ONE),
      '<=',
      dueBy,
    ),
  );
}

/** Goes from each key to the next one. */
function walk(
  queries: Preparation['queries'],
  firstBehind: (key: Expression<KeyId>) => SelectQueryBuilder<Schema, never, { key_id: KeyId }>,
) {
  return queries
    .withRecursive('key(key_id)', (db) =>
      db.selectNoFrom(firstBehind(sql<KeyId>`''`).as('key_id')).unionAll(
        db
          .selectFrom('key')
          .where('key.key_id', 'is not', null)
          .select(({ ref }) => firstBehind(ref('key.key_id') as Expression<KeyId>).as('key_id')),
      ),
    )
    .selectFrom('key')
    .where('key.key_id', 'is not', null)
    .select(({ ref }) => ref('key.key_id').$castTo<KeyId>().as('key_id'));
}
