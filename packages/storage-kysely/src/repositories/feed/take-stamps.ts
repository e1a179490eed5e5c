import type { Instant, KeyId } from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Columns, Dialect, JsonRows } from '../../dialect.js';
import type { Preparation } from '../../preparation.js';
import type { Flag } from '../../schema.js';
import { define, itemValue, type Param } from '../../statement.js';

/** How rows of heads are locked. */
export type LockRows = Dialect['lockRows'];

/** Stamps to be taken from one head. */
export interface RequestItem {
  readonly key_id: KeyId;
  readonly count: number;
  /** Whether events may get some of them. */
  readonly for_events: Flag;
}

const REQUEST_COLUMNS: Columns<RequestItem> = { key_id: 'text', count: 'integer', for_events: 'integer' };

/** A statement that takes stamps from heads. */
export type TakeStamps = ReturnType<typeof defineTake>;

/**
 * Takes stamps: the only statement that moves a head.
 *
 * @param lock - locks the heads, or those that nobody holds. Where one writer is let in at a time, none is held.
 */
export function defineTake(preparation: Preparation, lock: LockRows = preparation.lockRows) {
  return preparation.batches.kind === 'one_by_one'
    ? takeFromOne(preparation)
    : takeFromAll(preparation, lock);
}

interface TakeParams {
  readonly rows: JsonRows<RequestItem>;
  readonly now: Instant;
}

/** One head at a time; they come in ascending order. */
function takeFromOne({ queries }: Preparation) {
  return define((param: Param<TakeParams>) =>
    queries
      .updateTable('ph_feed_head')
      .set((eb) => {
        const at = headAfter(eb.ref('at'), param('now'), itemValue('count'));
        return { at, event_at: eventHead(itemValue('for_events'), at, eb.ref('event_at')) };
      })
      .where('key_id', '=', itemValue<KeyId>('key_id'))
      .returning(['key_id', 'at']),
  );
}

/** All heads at once, locked in ascending order first. */
function takeFromAll({ queries, items }: Preparation, lock: LockRows) {
  return define((param: Param<TakeParams>) => {
    const asked = items(param('rows'), REQUEST_COLUMNS);
    return queries
      .with('locked', (query) =>
        query
          .selectFrom('ph_feed_head')
          .select(['key_id', 'at', 'event_at'])
          .where('key_id', 'in', (eb) => eb.selectFrom(asked).select('item.key_id'))
          .orderBy('key_id')
          .$call(lock),
      )
      .updateTable('ph_feed_head')
      .from('locked')
      .innerJoin(asked, 'item.key_id', 'locked.key_id')
      .set((eb) => {
        const at = headAfter(eb.ref('locked.at'), param('now'), eb.ref('item.count'));
        return { at, event_at: eventHead(eb.ref('item.for_events'), at, eb.ref('locked.event_at')) };
      })
      .whereRef('ph_feed_head.key_id', '=', 'locked.key_id')
      .returning(['ph_feed_head.key_id', 'ph_feed_head.at']);
  });
}

/** The domain's `nextStamps` and `headAfter`: from now on, but always after the last one. */
function headAfter(
  head: Expression<Instant>,
  now: Expression<Instant>,
  count: Expression<number>,
): RawBuilder<Instant> {
  return sql`case when ${head} >= ${now} then ${head} + 1 else ${now} end + ${count} - 1`;
}

/** The head itself, whichever of the stamps are events': what lies before it is looked for in the log. */
function eventHead(
  forEvents: Expression<Flag>,
  head: Expression<Instant>,
  before: Expression<Instant>,
): RawBuilder<Instant> {
  return sql`case when ${forEvents} = 1 then ${head} else ${before} end`;
}
