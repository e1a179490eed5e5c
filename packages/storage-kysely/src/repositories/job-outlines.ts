import type { JobId, JobRepository } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { lookUpEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../feed-page.js';
import { inOrder } from '../mapping.js';
import { beyond, mergeRanges } from '../merged-ranges.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { JOBS } from '../tables/index.js';

const OUTLINES = JOBS.pick(
  'id',
  'company_id',
  'state',
  'created_at',
  'updated_at',
  'synced_in',
  'source_version',
);

const OUTLINE_COLUMNS = Object.keys(OUTLINES.columns) as (keyof typeof OUTLINES.columns)[];

/** The longest page. It bounds what the planner expects. */
const LONGEST_PAGE = 5_000;

/** Reads jobs without their details, for a sync that compares versions. */
export const prepareJobOutlines: Prepare<Pick<JobRepository, 'findOutlines' | 'listOpenOutlines'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const find = define((param: Param<{ rows: JsonRows<{ id: JobId }> }>) =>
    lookUpEach(preparation, param('rows'), { id: 'text' }, (item) =>
      queries.selectFrom('ph_job').select(OUTLINE_COLUMNS).where('id', '=', item('id')),
    ),
  );
  const open = (param: Param<AgeParams<JobId>>) =>
    queries
      .selectFrom('ph_job')
      .select(OUTLINE_COLUMNS)
      .where('state', '=', sql.lit('open' as const))
      .where(beyond('>', { created_at: param('createdAt'), id: param('id') }));
  const listOpen = define((param: Param<AgeParams<JobId>>) =>
    mergeRanges(preparation, [open(param)], OLDEST_FIRST, param('limit'), LONGEST_PAGE),
  );
  const listSynced = define((param: Param<AgeParams<JobId>>) => {
    const synced = open(param).where('synced_in', 'is not', null);
    return mergeRanges(preparation, [synced], OLDEST_FIRST, param('limit'), LONGEST_PAGE);
  });

  return {
    findOutlines: (session, ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          find,
          ids.map((id) => ({ id })),
          {},
        );
        return inOrder(ids, rows, (row) => row.id, OUTLINES.toValue);
      }),
    listOpenOutlines: (session, onlySynced, page) =>
      session.read(async (run) =>
        (await run.all(onlySynced ? listSynced : listOpen, ageParams(page))).map(OUTLINES.toValue),
      ),
  };
};
