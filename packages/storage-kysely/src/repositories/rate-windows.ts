import {
  type Instant,
  type RateWindowRepository,
  WINDOW_MS,
  type WindowCount,
} from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { defineInsert, itemsWith } from '../batch.js';
import { combineStatements } from '../combine-statements.js';
import type { JsonRows } from '../dialect.js';
import { inOrder } from '../mapping.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param, type Statement } from '../statement.js';
import { prepareSweep } from '../sweep-position.js';
import type { Row } from '../table.js';
import { RATE_WINDOWS } from '../tables/index.js';

export const prepareRateWindows: Prepare<RateWindowRepository> = (preparation) => {
  const { now } = preparation;
  const sweep = prepareSweep(preparation, {
    table: 'ph_rate_window',
    column: 'window_start',
    key: ['window_start', 'bucket_id'],
    inOrderOf: ['bucket_id'],
    isOver: (at, before) => at <= before - WINDOW_MS,
    by: 'writeWithAsyncCommit',
  });
  const charge = defineCharge(preparation);
  const read = defineRead(preparation);

  return {
    sweep,
    charge: async (session, charges) => {
      if (charges.length === 0) return [];
      const asked = charges.map(({ bucketId, cost }) => ({ bucket_id: bucketId, count: cost }));
      const { rows } = await session.writeWithAsyncCommit((run) => run.batch(charge, asked, { now: now() }));
      return countsOf(
        charges.map(({ bucketId }) => bucketId),
        rows,
      );
    },
    read: (session, bucketIds) =>
      session.read(async (run) => {
        const { rows } = await run.batch(read, itemsWith('bucket_id', bucketIds), { now: now() });
        return countsOf(bucketIds, rows);
      }),
  };
};

const CHARGES = RATE_WINDOWS.pick('bucket_id', 'count');

export type ChargeItem = Row<typeof CHARGES>;

export interface CountedRow {
  readonly bucket_id: string;
  readonly window_start: Instant;
  readonly count: number;
  readonly counted_at: Instant;
}

interface ChargeParams {
  readonly rows: JsonRows<ChargeItem>;
  readonly now: Instant;
}

/** Adds to the request counts, and returns the new counts. */
export function defineCharge(preparation: Preparation): Statement<ChargeParams, CountedRow> {
  const { queries, storageNow, canReturnNow } = preparation;
  const add = defineInsert<'ph_rate_window', typeof CHARGES.shape, { now: Instant }, CountedRow>(
    preparation,
    {
      table: CHARGES,
      computed: (param: Param<{ now: Instant }>) => ({
        window_start: startOfWindow(storageNow(param('now'))),
      }),
      finish: (insert, param) =>
        insert
          .onConflict((conflict) =>
            conflict.columns(['window_start', 'bucket_id']).doUpdateSet((eb) => ({
              count: eb('ph_rate_window.count', '+', eb.ref('excluded.count')),
            })),
          )
          .returning(['bucket_id', 'window_start', 'count'])
          .$if(canReturnNow, (query) =>
            query.returning(sql<Instant>`${storageNow(param('now'))}`.as('counted_at')),
          ) as never,
    },
  );
  if (canReturnNow) return add;
  const withTime = define((param: Param<{ now: Instant }>) => {
    const query = sql<CountedRow>`select added.*, ${storageNow(param('now'))} as counted_at from added`;
    return { compile: () => query.compile(queries) };
  });
  const { sql: text, bind } = combineStatements({ added: add }, withTime);
  return { sql: text, bind: (values) => bind({ added: values, main: values }), takesItem: false };
}

/**
 * Looks up each bucket on its own. For a join, PostgreSQL would read all windows of the minute, one for each key
 * that is active.
 */
function defineRead({ queries, items, storageNow }: Preparation) {
  return define((param: Param<{ rows: JsonRows<{ bucket_id: string }>; now: Instant }>) =>
    queries.selectFrom(items(param('rows'), { bucket_id: 'text' })).select((eb) => [
      'item.bucket_id',
      startOfWindow(storageNow(param('now'))).as('window_start'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('ph_rate_window as counted')
            .select('counted.count')
            .where('counted.window_start', '=', startOfWindow(storageNow(param('now'))))
            .whereRef('counted.bucket_id', '=', 'item.bucket_id'),
          eb.lit(0),
        )
        .as('count'),
      sql<Instant>`${storageNow(param('now'))}`.as('counted_at'),
    ]),
  );
}

/**
 * Follows the same rule as `windowStart` of the domain, on the storage's clock. The cast is needed, because PostgreSQL
 * has no operator `bigint % integer`.
 */
function startOfWindow(now: Expression<number>): RawBuilder<Instant> {
  return sql`${now} - ${now} % cast(${sql.lit(WINDOW_MS)} as bigint)`;
}

export function countsOf(bucketIds: readonly string[], rows: readonly CountedRow[]): readonly WindowCount[] {
  return inOrder(bucketIds, rows, (row) => row.bucket_id, toWindowCount).map((count) => {
    if (count === null) throw new Error('The statement must return a row for every bucket.');
    return count;
  });
}

function toWindowCount({ window_start: start, count, counted_at: countedAt }: CountedRow): WindowCount {
  return { count, windowStart: start, countedAt };
}
