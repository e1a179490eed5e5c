import { WINDOW_MS, windowStart } from '@partner-hiring/core';
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
  const sweep = define((param: Param<FromFront & { lastStart: Instant }>) =>
    queries
      .deleteFrom('ph_rate_window')
      .where('bucket_id', 'in', (eb) =>
        eb
          .selectFrom('ph_rate_window')
          .select('bucket_id')
          .where('window_start', '>=', param('from'))
          .orderBy('window_start')
          .limit(param('limit')),
      )
      // Asked again of what another transaction changed meanwhile: it may count a new window.
      .where('window_start', '<=', param('lastStart')),
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
    sweep: (before, limit) => {
      const lastStart = before - WINDOW_MS;
      return sweepFrom(front, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at <= lastStart,
        remove: (from, count) =>
          session.writeRelaxed((run) => run.changes(sweep, { from, lastStart, limit: count })),
      });
    },
  });
};

/** Counts requests in their buckets, and tells what the windows hold then. */
export function defineCharge(preparation: Preparation) {
  const { storageNow } = preparation;
  // A clock that was set back a little leaves the next window standing, so that no limit starts afresh early;
  // one that was set back further starts anew, so that nobody waits until the old time comes again.
  return defineInsert(preparation, {
    table: 'ph_rate_window',
    columns: CHARGE_COLUMNS,
    computed: (param: Param<{ now: Instant }>) => ({ window_start: startOfWindow(storageNow(param('now'))) }),
    finish: (insert, param) =>
      insert
        .onConflict((conflict) =>
          conflict.column('bucket_id').doUpdateSet((eb) => {
            const start = eb.ref('ph_rate_window.window_start');
            const isNewWindow = eb('excluded.window_start', '>', start).or(
              'excluded.window_start',
              '<',
              eb(start, '-', eb.lit(WINDOW_MS)),
            );
            return {
              window_start: eb
                .case()
                .when(isNewWindow)
                .then(eb.ref('excluded.window_start'))
                .else(start)
                .end(),
              count: eb
                .case()
                .when(isNewWindow)
                .then(eb.ref('excluded.count'))
                .else(eb('ph_rate_window.count', '+', eb.ref('excluded.count')))
                .end(),
            };
          }),
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
      .leftJoin('ph_rate_window as counted', 'counted.bucket_id', 'item.bucket_id')
      .select((eb) => [
        'item.bucket_id',
        eb.fn.coalesce('counted.window_start', eb.lit(0)).as('window_start'),
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

/** A window that is over counts nothing, nor does one that a clock far ahead opened. */
export function toWindowCount({
  window_start: start,
  count,
  counted_at: countedAt,
}: CountedRow): WindowCount {
  const current = windowStart(countedAt);
  return start < current || start > current + WINDOW_MS
    ? { count: 0, windowStart: current, countedAt }
    : { count, windowStart: start, countedAt };
}
