import type { Repositories, TotalFact, TotalPlace, TotalWindow } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert, pickColumns, replace, writeEach } from '../../batch.js';
import { defineEach, type Item } from '../../look-ups.js';
import { listsOf } from '../../mapping.js';
import { defineMerged } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { inEachStatus } from '../../repositories/application-rows.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import { prepareSweepOldest } from '../../sweep-position.js';
import type { Row } from '../../table.js';
import { TOTAL_HEADS, TOTALS } from './table.js';

const PLACE = ['key_id', 'unit', 'starts_at', 'company_id'] as const;
type PlaceRow = Pick<Row<typeof TOTALS>, (typeof PLACE)[number]>;

export const prepareTotals: Prepare<Repositories['totals']> = (preparation) => {
  const { queries } = preparation;
  const listHeads = define(() => queries.selectFrom('ph_total_head').selectAll());
  const saveHead = defineInsert(preparation, {
    table: TOTAL_HEADS,
    finish: (insert) =>
      insert
        .onConflict((conflict) =>
          replace(TOTAL_HEADS, ['key_id'])(conflict).whereRef(
            'ph_total_head.counted_at',
            '=',
            'excluded.replaces' as never,
          ),
        )
        .returning(WRITTEN),
  });
  const add = defineInsert(preparation, {
    table: TOTALS,
    keyColumns: 5,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict
          .columns([...PLACE, 'name'])
          .doUpdateSet((eb) => ({ count: eb('ph_total.count', '+', eb.ref('excluded.count')) })),
      ),
  });
  const findEach = defineEach(preparation, pickColumns(TOTALS.columns, PLACE), (item: Item<PlaceRow>) =>
    queries
      .selectFrom('ph_total')
      .selectAll()
      .where('key_id', '=', item('key_id'))
      .where('unit', '=', item('unit'))
      .where('starts_at', '=', item('starts_at'))
      .where('company_id', '=', item('company_id')),
  );
  const listCompanies = define(
    (param: Param<Pick<PlaceRow, 'key_id' | 'starts_at'> & { after: PlaceRow['company_id']; limit: number }>) =>
      queries
        .selectFrom('ph_total')
        .selectAll()
        .where('key_id', '=', param('key_id'))
        .where('unit', '=', sql.lit('month' as const))
        .where('starts_at', '=', param('starts_at'))
        .where('company_id', '>', param('after'))
        .orderBy('company_id')
        .orderBy('name')
        .limit(param('limit')),
  );
  const toPlace = TOTALS.pick(...PLACE).toRow;
  const nameOf = ({ key_id, unit, starts_at, company_id }: PlaceRow) =>
    [key_id, unit, starts_at, company_id].join(' ');

  return {
    listHeads: (session) => session.read((run) => run.list(listHeads, {}, TOTAL_HEADS.toValue)),
    listFacts: prepareListFacts(preparation),
    saveHead: (session, head) =>
      session.write(async (run) => (await run.batch(saveHead, [TOTAL_HEADS.toRow(head)], {})).rows.length > 0),
    add: writeEach(add, TOTALS.toRow),
    findEach: (session, places: readonly TotalPlace[]) =>
      session.read(async (run) => {
        const asked = places.map((place) => toPlace(place));
        const { rows } = await run.batch(findEach, asked, {});
        const names = asked.map((place) => ({ keyId: nameOf(place) }));
        return listsOf(names, rows, nameOf).map((own) => own.map(TOTALS.toValue));
      }),
    listCompanies: (session, { keyId, startsAt, after, limit }) =>
      session.read((run) =>
        run.list(
          listCompanies,
          { key_id: keyId, starts_at: startsAt, after: after ?? '', limit },
          TOTALS.toValue,
        ),
      ),
    sweep: prepareSweepOldest(preparation, {
      table: 'ph_total',
      column: 'starts_at',
      key: [...PLACE, 'name'],
    }),
  };
};

const IN_ORDER = { columns: ['at'], direction: 'asc' } as const;
const MOST_FACTS = 1_000;

/** Merges a range of an index for each status of submissions, one for decisions and one for shown jobs. */
function prepareListFacts(preparation: Preparation): ReturnType<Prepare<Repositories['totals']>>['listFacts'] {
  const { queries } = preparation;
  const list = defineMerged(
    preparation,
    IN_ORDER,
    (param: Param<TotalWindow>) => {
      const submitted = queries
        .selectFrom('ph_application')
        .select([
          'submitted_at as at',
          sql<TotalFact['kind']>`'submitted'`.as('kind'),
          'company_id',
          sql<number>`0`.as('waited_ms'),
        ])
        .where('key_id', '=', param('keyId'))
        .where('submitted_at', '>', param('after'))
        .where('submitted_at', '<=', param('through'));
      const decided = queries
        .selectFrom('ph_application')
        .select([
          'last_status_change_at as at',
          'status as kind',
          'company_id',
          sql<number>`last_status_change_at - submitted_at`.as('waited_ms'),
        ])
        .where('key_id', '=', param('keyId'))
        .where(sql<boolean>`status in ('accepted', 'rejected')`)
        .where('last_status_change_at', '>', param('after'))
        .where('last_status_change_at', '<=', param('through'));
      const shown = queries
        .selectFrom('ph_key_job')
        .select([
          'first_shown_at as at',
          sql<TotalFact['kind']>`'shown'`.as('kind'),
          'company_id',
          sql<number>`0`.as('waited_ms'),
        ])
        .where('key_id', '=', param('keyId'))
        .where('first_shown_at', '>', param('after'))
        .where('first_shown_at', '<=', param('through'));
      return [...inEachStatus(submitted), decided as never, shown as never];
    },
    MOST_FACTS,
  );
  return (session, window) =>
    session.read((run) =>
      run.list(list, window, ({ at, kind, company_id: companyId, waited_ms: waitedMs }) => ({
        at,
        kind,
        companyId,
        waitedMs,
      })),
    );
}
