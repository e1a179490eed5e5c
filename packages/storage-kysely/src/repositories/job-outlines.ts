import type { JobId, JobRepository } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { type AgeParams, ageParams, OLDEST_FIRST } from '../feed-page.js';
import { defineLookUps, findByIds, type Item } from '../look-ups.js';
import { beyond, defineMerged, mergeRanges } from '../merged-ranges.js';
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
  const find = defineLookUps(preparation, { id: 'text' }, (item: Item<{ id: JobId }>) =>
    queries.selectFrom('ph_job').select(OUTLINE_COLUMNS).where('id', '=', item('id')),
  );
  const open = (param: Param<AgeParams<JobId>>) =>
    queries
      .selectFrom('ph_job')
      .select(OUTLINE_COLUMNS)
      .where('state', '=', sql.lit('open' as const))
      .where(beyond('>', { created_at: param('createdAt'), id: param('id') }));
  const listOpen = defineMerged(
    preparation,
    OLDEST_FIRST,
    (param: Param<AgeParams<JobId>>) => [open(param)],
    LONGEST_PAGE,
  );
  const listSynced = define((param: Param<AgeParams<JobId>>) => {
    const synced = open(param).where('synced_in', 'is not', null);
    return mergeRanges(preparation, [synced], OLDEST_FIRST, param('limit'), LONGEST_PAGE);
  });

  return {
    findOutlines: findByIds(find, 'id', OUTLINES.toValue),
    listOpenOutlines: (session, onlySynced, page) =>
      session.read((run) => run.list(onlySynced ? listSynced : listOpen, ageParams(page), OUTLINES.toValue)),
  };
};
