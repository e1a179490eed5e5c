import type { Instant, KeyId } from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { selectItems } from '../batch.js';
import type { JsonRows, TableColumns } from '../dialect.js';
import { defineEach, forEachItem, type Item } from '../look-ups.js';
import type { Preparation } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, itemValue, type Param } from '../statement.js';

export interface PartItem {
  readonly key_id: KeyId;
  readonly after: Instant;
  readonly through: Instant;
}

const PART_COLUMNS: TableColumns<PartItem> = { key_id: 'text', after: 'integer', through: 'integer' };

/** The event log of a key that has old events, and the instant up to which to sweep it. */
export interface OldLog {
  readonly key_id: KeyId;
  /** The key id if the key has an endpoint, otherwise null. */
  readonly endpoint: KeyId | null;
  /** The instant of the log's first event. */
  readonly first: Instant;
  readonly through: Instant;
}

interface FirstItem {
  readonly key_id: KeyId;
  readonly first: Instant;
}

const FIRST_COLUMNS: TableColumns<FirstItem> = { key_id: 'text', first: 'integer' };

export function defineEventSweep(preparation: Preparation) {
  const { queries, items, lockFreeRows } = preparation;
  // Reads only the first row of each log, so that no index by age is needed. Events after an endpoint's
  // watermark are unsent and stay.
  const findOld = define((param: Param<{ rows: JsonRows<FirstItem>; lastAt: Instant }>) =>
    queries
      .selectFrom(firstEvents(preparation, param('rows')).as('log'))
      .leftJoin('ph_endpoint as endpoint', 'endpoint.key_id', 'log.key_id')
      .select((eb) => [
        'log.key_id',
        'endpoint.key_id as endpoint',
        eb.ref('log.first').$notNull().as('first'),
        through(eb.ref('endpoint.watermark'), param('lastAt')).as('through'),
      ])
      .where(({ eb, ref }) => eb('log.first', '<=', through(ref('endpoint.watermark'), param('lastAt')))),
  );
  // Locking an endpoint prevents resending events that are being deleted. Endpoints locked by others
  // wait for the next sweep.
  const lockEndpoints = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom('ph_endpoint')
      .select('key_id')
      .where('key_id', 'in', selectItems(preparation, param('rows'), 'key_id'))
      .$call(lockFreeRows),
  );
  // Skips the feeds that others have locked. No statement then waits while it holds locks that others may need.
  const lockHeads = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom('ph_feed_head')
      .select(['key_id', 'recorded_after'])
      .where('key_id', 'in', selectItems(preparation, param('rows'), 'key_id'))
      .$call(lockFreeRows),
  );
  // The query has no upper bound, so that the planner reads in index order.
  const findEnds = defineEach(
    preparation,
    PART_COLUMNS,
    (item: Item<PartItem>, param: Param<{ last: number }>) =>
      queries
        .selectFrom('ph_event')
        .select(['key_id', 'at'])
        .where('key_id', '=', item('key_id'))
        .where('at', '>', item('after'))
        .orderBy('at')
        .limit(sql.lit(1))
        .offset(param('last')),
  );
  // Finds the first event that remains. Runs after the deletion.
  const findKept = defineEach(preparation, PART_COLUMNS, (item: Item<PartItem>) =>
    queries
      .selectFrom('ph_event')
      .select(['key_id', 'at'])
      .where('key_id', '=', item('key_id'))
      .where('at', '>', item('after'))
      .where('at', '<=', item('through'))
      .orderBy('at')
      .limit(sql.lit(1)),
  );
  // The ranges of these rows do not overlap, so all rows of a part are one range of the index.
  const findSuccesses = defineEach(
    preparation,
    PART_COLUMNS,
    (item: Item<PartItem>, param: Param<{ most: number }>) =>
      queries
        .selectFrom('ph_delivery_evidence')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('replaced', '=', sql.lit(0))
        .where('last_at', '>', item('after'))
        .orderBy('last_at')
        .limit(param('most')),
  );
  const raiseStart = define((param: Param<{ rows: JsonRows<{ key_id: KeyId; at: Instant }> }>) =>
    queries
      .updateTable('ph_feed_head')
      .from(items(param('rows'), { key_id: 'text', at: 'integer' }))
      .set((eb) => ({ recorded_after: eb.ref('item.at') }))
      .whereRef('ph_feed_head.key_id', '=', 'item.key_id')
      .whereRef('ph_feed_head.recorded_after', '<', 'item.at'),
  );
  const sweepParts = defineSweepParts(preparation);
  return { findOld, lockEndpoints, lockHeads, findEnds, findSuccesses, findKept, sweepParts, raiseStart };
}

/** Deletes old events that have no delivery. */
function defineSweepParts(preparation: Preparation) {
  const { queries, batches } = preparation;
  const selectPart = (item: (name: keyof PartItem) => RawBuilder<never>) =>
    queries
      .selectFrom('ph_event')
      .where('ph_event.key_id', '=', item('key_id'))
      .where('ph_event.at', '>', item('after'))
      .where('ph_event.at', '<=', item('through'))
      // Compares a value with null, because for `not exists` the planner may read all deliveries.
      .where(
        (event) =>
          event
            .selectFrom('ph_delivery as delivery')
            .select('delivery.event_id')
            .whereRef('delivery.key_id', '=', 'ph_event.key_id')
            .whereRef('delivery.event_id', '=', 'ph_event.id')
            .limit(sql.lit(1)),
        'is',
        null,
      );
  return define((param: Param<{ rows: JsonRows<PartItem>; most: number }>) => {
    if (batches.kind === 'per_item') {
      return queries
        .deleteFrom('ph_event')
        .where('key_id', '=', itemValue<KeyId>('key_id'))
        .where('at', 'in', selectPart((name) => itemValue(name)).select('ph_event.at'))
        .returning(['key_id', 'at']);
    }
    // Deletes by `ctid`, the physical location of a row. Without statistics, the planner would otherwise join
    // the items with the whole table.
    const places = forEachItem(preparation, param('rows'), PART_COLUMNS, (item) =>
      selectPart((name) => item(name) as RawBuilder<never>)
        .select(sql`ph_event.ctid`.as('place'))
        .orderBy('ph_event.at')
        .limit(param('most')),
    ) as SelectQueryBuilder<Schema, never, { place: unknown }>;
    return queries
      .deleteFrom('ph_event')
      .where(
        sql<boolean>`ctid = any (array(${queries.selectFrom(places.as('found')).select('found.place')}))`,
      )
      .returning(['key_id', 'at']);
  });
}
/** Selects the first event of each log. Searches from where the log began at the last sweep. */
function firstEvents({ queries, items, batches }: Preparation, rows: RawBuilder<JsonRows<FirstItem>>) {
  // In SQLite, deleted rows do not slow down the search, so it needs no known position.
  const hasPositions = batches.kind === 'json';
  const heads = queries.selectFrom('ph_feed_head as head');
  const withFirst = heads.leftJoin(items(rows, FIRST_COLUMNS), 'item.key_id', 'head.key_id');
  return (hasPositions ? (withFirst as unknown as typeof heads) : heads).select((eb) => [
    'head.key_id',
    eb
      .selectFrom('ph_event as event')
      .select('event.at')
      .whereRef('event.key_id', '=', 'head.key_id')
      .$if(hasPositions, (query) =>
        query.where('event.at', '>=', sql<Instant>`coalesce(${sql.ref('item.first')}, 0)`),
      )
      .orderBy('event.at')
      .limit(sql.lit(1))
      .as('first'),
  ]);
}

/**
 * The last instant to sweep: the age limit, or the endpoint's watermark if it is smaller, because later
 * events are unsent. If the key has no endpoint, only the age limit counts.
 */
function through(watermark: Expression<Instant | null>, lastAt: Expression<Instant>): RawBuilder<Instant> {
  return sql`case when ${watermark} < ${lastAt} then ${watermark} else ${lastAt} end`;
}
