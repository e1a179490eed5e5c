import { WINDOW_MS } from '@partner-hiring/core';
import type { Instant, WindowCount } from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Columns, JsonRows } from '../../dialect.js';
import { inOrder } from '../../in-order.js';
import { defineInsert } from '../../insert.js';
import type { Preparation } from '../../preparation.js';
import { define, type Param } from '../../statement.js';

/** Requests to count in one bucket. */
export interface ChargeItem {
  readonly bucket_id: string;
  readonly count: number;
}

const CHARGE_COLUMNS: Columns<ChargeItem> = { bucket_id: 'text', count: 'integer' };

/** What a window holds, as it is read or counted. */
export interface CountedRow {
  readonly bucket_id: string;
  readonly window_start: Instant;
  readonly count: number;
  readonly counted_at: Instant;
}

/** Counts requests in their buckets, and tells what the windows hold then. */
export function defineCharge(preparation: Preparation) {
  const { storageNow } = preparation;
  return defineInsert(preparation, {
    table: 'ph_rate_window',
    columns: CHARGE_COLUMNS,
    computed: (param: Param<{ now: Instant }>) => ({ window_start: startOfWindow(storageNow(param('now'))) }),
    finish: (insert, param) =>
      insert
        .onConflict((conflict) =>
          conflict.columns(['window_start', 'bucket_id']).doUpdateSet((eb) => ({
            count: eb('ph_rate_window.count', '+', eb.ref('excluded.count')),
          })),
        )
        .returning([
          'bucket_id',
          'window_start',
          'count',
          sql<Instant>`${storageNow(param('now'))}`.as('counted_at'),
        ]),
  });
}

/** Tells what windows hold, without counting. */
export function defineRead({ queries, items, storageNow }: Preparation) {
  return define((param: Param<{ rows: JsonRows<{ bucket_id: string }>; now: Instant }>) =>
    queries
      .selectFrom(items(param('rows'), { bucket_id: 'text' }))
      .leftJoin('ph_rate_window as counted', (join) =>
        join
          .onRef('counted.bucket_id', '=', 'item.bucket_id')
          .on('counted.window_start', '=', startOfWindow(storageNow(param('now')))),
      )
      .select((eb) => [
        'item.bucket_id',
        startOfWindow(storageNow(param('now'))).as('window_start'),
        eb.fn.coalesce('counted.count', eb.lit(0)).as('count'),
        sql<Instant>`${storageNow(param('now'))}`.as('counted_at'),
      ]),
  );
}

/** The domain's `windowStart`, on the storage's clock. */
function startOfWindow(now: Expression<number>): RawBuilder<Instant> {
  return sql`${now} - ${now} % ${sql.lit(WINDOW_MS)}`;
}

/** What was counted, in the order in which it was asked for. */
export function countsOf(bucketIds: readonly string[], rows: readonly CountedRow[]): readonly WindowCount[] {
  return inOrder(bucketIds, rows, (row) => row.bucket_id, toWindowCount).map((count) => {
    if (count === null) throw new Error('Every bucket that was asked for has a row.');
    return count;
  });
}

/** What was counted, as the domain takes it. */
export function toWindowCount({
  window_start: start,
  count,
  counted_at: countedAt,
}: CountedRow): WindowCount {
  return { count, windowStart: start, countedAt };
}
