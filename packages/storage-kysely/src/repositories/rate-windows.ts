import { WINDOW_MS } from '@partner-hiring/core';
import type { Instant, RateWindowRepository, WindowCount } from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Columns, JsonRows } from '../dialect.js';
import { createFront, type FromFront, sweepFrom } from '../front.js';
import { inOrder } from '../in-order.js';
import { defineInsert } from '../insert.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';

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

/** Fixed windows of requests. */
export const prepareRateWindows: Prepare<RateWindowRepository> = (preparation) => {
  const { queries, now } = preparation;
  const charge = defineCharge(preparation);
  const read = defineRead(preparation);
  // Both open at their end, for which a planner takes the index in its order, whatever it knows.
  const findOldest = define((param: Param<FromFront>) =>
    queries
      .selectFrom('ph_rate_window')
      .select('window_start as at')
      .where('window_start', '>=', param('from'))
      .orderBy('window_start')
      .limit(param('limit')),
  );
  const sweep = define((param: Param<FromFront>) =>
    queries
      .deleteFrom('ph_rate_window')
      .where((where) =>
        where(
          where.refTuple('window_start', 'bucket_id'),
          'in',
          where
            .selectFrom('ph_rate_window')
            .select(['window_start', 'bucket_id'])
            .where('window_start', '>=', param('from'))
            .orderBy('window_start')
            .orderBy('bucket_id')
            .limit(param('limit'))
            .$asTuple('window_start', 'bucket_id'),
        ),
      ),
  );
  const front = createFront(now);

  return (session) => ({
    charge: async (charges) => {
      if (charges.length === 0) return [];
      const asked = charges.map(({ bucketId, cost }) => ({ bucket_id: bucketId, count: cost }));
      const { rows } = await session.writeRelaxed((run) => run.batch(charge, asked, { now: now() }));
      return countsOf(
        charges.map(({ bucketId }) => bucketId),
        rows,
      );
    },
    read: (bucketIds) =>
      session.read(async (run) => {
        const asked = bucketIds.map((id) => ({ bucket_id: id }));
        const { rows } = await run.batch(read, asked, { now: now() });
        return countsOf(bucketIds, rows);
      }),
    sweep: (before, limit) =>
      sweepFrom(front, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at <= before - WINDOW_MS,
        remove: (from, count) => session.writeRelaxed((run) => run.changes(sweep, { from, limit: count })),
      }),
  });
};

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
