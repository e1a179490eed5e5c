import type { Instant, Repositories, TotalDays, TotalFact, TotalWindow } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert, itemsWith, replace, writeEach } from '../../batch.js';
import { defineEach, type Item, prepareFind } from '../../look-ups.js';
import { listsOf } from '../../mapping.js';
import { defineMerged, type Range } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { inEachStatus } from '../../repositories/application-rows.js';
import { type Param, WRITTEN } from '../../statement.js';
import { prepareSweepOldest } from '../../sweep-position.js';
import { TOTAL_HEADS, TOTALS } from './table.js';

const KEY = ['key_id', 'company_id', 'day', 'name'] as const;

const RANGE = { keyId: 'text', companyId: 'text', from: 'integer', until: 'integer' } as const;

export const prepareTotals: Prepare<Repositories['totals']> = (preparation) => {
  const saveHead = defineInsert(preparation, {
    table: TOTAL_HEADS,
    finish: (insert) =>
      insert
        .onConflict((conflict) =>
          replace(TOTAL_HEADS, ['key_id'])(conflict).where(
            sql<boolean>`ph_total_head.version = excluded.version - 1`,
          ),
        )
        .returning(WRITTEN),
  });
  const add = defineInsert(preparation, {
    table: TOTALS,
    keyColumns: KEY.length,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict
          .columns(KEY)
          .doUpdateSet((eb) => ({ count: eb('ph_total.count', '+', eb.ref('excluded.count')) })),
      ),
  });
  const sumEach = defineEach(preparation, RANGE, (item: Item<TotalDays>) =>
    preparation.queries
      .selectFrom('ph_total')
      .select(['key_id', 'company_id', 'name', item('from').as('from'), item('until').as('until')])
      .select(sql<number>`cast(sum(count) as bigint)`.as('count'))
      .where('key_id', '=', item('keyId'))
      .where('company_id', '=', item('companyId'))
      .where('day', '>=', item('from'))
      .where('day', '<', item('until'))
      .groupBy(['key_id', 'company_id', 'name']),
  );

  const listFacts = defineFacts(preparation);
  const placeOf = (...place: readonly unknown[]) => place.join(' ');

  return {
    findHead: prepareFind(preparation, TOTAL_HEADS, 'key_id'),
    listFacts: (session, window) => session.read((run) => run.all(listFacts, window)),
    saveHead: (session, head) =>
      session.writeWithAsyncCommit(
        async (run) => (await run.batch(saveHead, [TOTAL_HEADS.toRow(head)], {})).rows.length > 0,
      ),
    add: writeEach(add, TOTALS.toRow),
    sumEach: (session, ranges) =>
      session.read(async (run) => {
        const { rows } = await run.batch(sumEach, ranges, {});
        const places = ranges.map((days) => placeOf(days.keyId, days.companyId, days.from, days.until));
        const asked = itemsWith('keyId', places);
        const lists = listsOf(asked, rows, (row) => placeOf(row.key_id, row.company_id, row.from, row.until));
        return lists.map((own) => new Map(own.map(({ name, count }) => [name, count])));
      }),
    sweep: prepareSweepOldest(preparation, { table: 'ph_total', column: 'day', key: KEY }),
  };
};

/** At most as many facts as one step of the task counts. */
const MOST_FACTS = 1_000;

/** Merges a range of an index for each status of submissions, one for decisions and one for shown jobs. */
function defineFacts(preparation: Preparation) {
  const ranges = (param: Param<TotalWindow>) => {
    const facts = (table: string, column: string, kind: string, waited = '0') => {
      const at = sql.ref<Instant>(column);
      return preparation.queries
        .selectFrom(table as 'ph_application')
        .select([at.as('at'), 'company_id as companyId', sql.raw<TotalFact['kind']>(kind).as('kind')])
        .select(sql.raw<number>(waited).as('waitedMs'))
        .where('key_id', '=', param('keyId'))
        .where(at, '>', param('after'))
        .where(at, '<=', param('through'));
    };
    const waited = 'last_status_change_at - submitted_at';
    const decided = facts('ph_application', 'last_status_change_at', 'status', waited).where(
      sql<boolean>`status in ('accepted', 'rejected')`,
    );
    const submitted = inEachStatus(facts('ph_application', 'submitted_at', "'submitted'"));
    const shown = facts('ph_key_job', 'first_shown_at', "'shown'");
    return [...submitted, decided, shown] as readonly Range<TotalFact>[];
  };
  return defineMerged(preparation, { columns: ['at'], direction: 'asc' }, ranges, MOST_FACTS);
}
