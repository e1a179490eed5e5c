import type { EndpointRepository, Instant, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Columns, JsonRows } from '../../dialect.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import { isUnchecked } from './changed-keys.js';
import { hasEvent } from './free-endpoints.js';

/** A feed of which nothing is left to send, through an instant. */
interface IdleItem {
  readonly key_id: KeyId;
  readonly event_at: Instant;
}

const IDLE_COLUMNS: Columns<IdleItem> = { key_id: 'text', event_at: 'integer' };

/**
 * Takes feeds of which nothing is left to send out of the index that a poll reads.
 *
 * Two statements: the second writes the instant that the first has read, and not the one that stands there by then. A
 * transaction holds its key's head until it commits, so whoever reads `event_at` sees every event up to it. What
 * commits later raises `event_at` beyond the instant, and the feed is in the index again.
 */
export const prepareMarkIdle: Prepare<Pick<EndpointRepository, 'markIdle'>> = (preparation) => {
  const { queries, items, lockFreeRows } = preparation;
  const findIdle = define((param: Param<{ before: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_feed_head as head')
      .where(isUnchecked)
      .where('head.event_at', '<', param('before'))
      // A key without an endpoint has nothing to send: a new endpoint starts at the head of its feed.
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

  return (session) => ({
    markIdle: async (before, limit) => {
      const idle = await session.read((run) => run.all(findIdle, { before, limit }));
      const { rows } = await session.write((run) => run.batch(raise, idle, {}));
      return rows.length;
    },
  });
};
