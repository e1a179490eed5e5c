import type { Instant, Repositories, TotalFact, TotalPlace, TotalWindow } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert, pickColumns, replace, writeEach } from '../../batch.js';
import { defineEach, type Item, prepareFind } from '../../look-ups.js';
import { listsOf } from '../../mapping.js';
import { defineMerged, type Range } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { inEachStatus } from '../../repositories/application-rows.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import { prepareSweepOldest } from '../../sweep-position.js';
import type { Row } from '../../table.js';
import { TOTAL_HEADS, TOTALS } from './table.js';

const PLACE = ['key_id', 'unit', 'starts_at', 'company_id'] as const;
type PlaceRow = Pick<Row<typeof TOTALS>, (typeof PLACE)[number]>;

/** With a limit, PostgreSQL looks up each place instead of scanning the table. */
const MORE_THAN_NAMES = sql.lit(100);

export const prepareTotals: Prepare<Repositories['totals']> = (preparation) => {
  const { queries } = preparation;
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
      .where('company_id', '=', item('company_id'))
      .limit(MORE_THAN_NAMES),
  );
  const listCompanies = define(
    (
      param: Param<Pick<PlaceRow, 'key_id' | 'starts_at'> & { after: PlaceRow['company_id']; limit: number }>,
    ) =>
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
    findHead: prepareFind(preparation, TOTAL_HEADS, 'key_id'),
    listFacts: prepareListFacts(preparation),
    saveHead: (session, head) =>
      session.write(
        async (run) => (await run.batch(saveHead, [TOTAL_HEADS.toRow(head)], {})).rows.length > 0,
      ),
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

interface FactRow {
  at: TotalFact['at'];
  kind: TotalFact['kind'];
  company_id: TotalFact['companyId'];
  waited_ms: number;
}

/** Merges a range of an index for each status of submissions, one for decisions and one for shown jobs. */
function prepareListFacts(
  preparation: Preparation,
): ReturnType<Prepare<Repositories['totals']>>['listFacts'] {
  const list = defineMerged(
    preparation,
    IN_ORDER,
    (param: Param<TotalWindow>) => {
      const facts = (table: 'ph_application' | 'ph_key_job', column: string, kind: string, waited = '0') => {
        const at = sql.ref<Instant>(column);
        return preparation.queries
          .selectFrom(table as 'ph_application')
          .select([at.as('at'), 'company_id', sql.raw<number>(waited).as('waited_ms')])
          .select(sql.raw<TotalFact['kind']>(kind).as('kind'))
          .where('key_id', '=', param('keyId'))
          .where(at, '>', param('after'))
          .where(at, '<=', param('through'));
      };
      const decided = facts(
        'ph_application',
        'last_status_change_at',
        'status',
        'last_status_change_at - submitted_at',
      ).where(sql<boolean>`status in ('accepted', 'rejected')`);
      const submitted = facts('ph_application', 'submitted_at', "'submitted'");
      const shown = facts('ph_key_job', 'first_shown_at', "'shown'");
      return [...inEachStatus(submitted), decided, shown] as readonly Range<FactRow>[];
    },
    MOST_FACTS,
  );
  return (session, window) =>
    session.read((run) =>
      run.list(list, window, ({ at, kind, company_id: companyId, waited_ms: waitedMs }) => {
        return { at, kind, companyId, waitedMs };
      }),
    );
}
