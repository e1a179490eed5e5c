import type {
  CompanyId,
  FeedPage,
  Instant,
  JobId,
  KeyId,
  KeyJobRepository,
  ListQuery,
  VisibleJob,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineSave, itemsWith, writeEach } from '../batch.js';
import { type PageParams, pageOf, pageParams, toFeedPage } from '../feed-page.js';
import { defineEach, type Item, prepareFindEach } from '../look-ups.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { JOBS, KEY_JOBS } from '../tables/index.js';

/** The columns that partners see. Each column more costs pages of 100 jobs about 2 %. */
const SHOWN = JOBS.omit('state', 'internal_only', 'updated_at', 'synced_in', 'source_version');
const SHOWN_COLUMNS = Object.keys(SHOWN.columns) as (keyof typeof SHOWN.columns)[];

/**
 * With a limit, the planner reads an index for each job. A plan that PostgreSQL keeps from the time when the table was
 * small would otherwise scan it.
 */
const MORE_THAN_ALL_KEYS = 1_000_000;

export const prepareKeyJobs: Prepare<KeyJobRepository> = (preparation) => {
  const { queries } = preparation;
  const listOfJobs = defineEach(preparation, { job_id: 'text' }, (item: Item<{ job_id: JobId }>) =>
    queries
      .selectFrom('ph_key_job')
      .selectAll()
      .where('job_id', '=', item('job_id'))
      .limit(sql.lit(MORE_THAN_ALL_KEYS)),
  );
  const find = define((param: Param<{ keyId: KeyId; jobId: JobId }>) =>
    queries
      .selectFrom('ph_key_job')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('job_id', '=', param('jobId')),
  );
  const listOfCompany = define((param: Param<{ keyId: KeyId; companyId: CompanyId }>) =>
    queries
      .selectFrom('ph_key_job')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('company_id', '=', param('companyId')),
  );
  const save = defineSave(preparation, KEY_JOBS, ['key_id', 'job_id'], ['first_shown_at']);

  return {
    ...prepareKeyJobPages(preparation),
    find: (session, keyId, jobId) => session.read((run) => run.one(find, { keyId, jobId }, KEY_JOBS.toValue)),
    findEach: prepareFindEach(preparation, KEY_JOBS, ['key_id', 'job_id']),
    listOfJobs: (session, jobIds) =>
      session.read(async (run) => {
        const asked = itemsWith('job_id', [...new Set(jobIds)]);
        return (await run.batch(listOfJobs, asked, {})).rows.map(KEY_JOBS.toValue);
      }),
    listOfCompany: (session, keyId, companyId) =>
      session.read((run) => run.list(listOfCompany, { keyId, companyId }, KEY_JOBS.toValue)),
    save: writeEach(save, KEY_JOBS.toRow),
  };
};

/** Pages of `GET /jobs`. */
const prepareKeyJobPages: Prepare<Pick<KeyJobRepository, 'page'>> = (preparation) => {
  const page = definePage(preparation, false);
  const pageOfCompany = definePage(preparation, true);

  return {
    page: (session, query: ListQuery): Promise<FeedPage<VisibleJob>> =>
      session.read(async (run) => {
        const statement = query.companyId === null ? page : pageOfCompany;
        return toFeedPage(query, await run.all(statement, pageParams(query)), toVisibleJob);
      }),
  };
};

/**
 * Reads one index range of `ph_key_job` in order. Joins the jobs only afterwards, so that a sort copies
 * narrow rows.
 */
function definePage(preparation: Preparation, isOfCompany: boolean) {
  const { queries } = preparation;
  return define((param: Param<PageParams>) => {
    const rows = queries
      .selectFrom('ph_key_job')
      .select(['job_id', 'changed_at'])
      .where('key_id', '=', param('keyId'))
      // This value is a literal, because the planner does not match a parameter to a partial index.
      .where('visible', '=', sql.lit(1))
      .where('changed_at', '>', param('after'))
      .$if(isOfCompany, (query) => query.where('company_id', '=', param('companyId')));
    return queries
      .selectFrom('ph_feed_head as head')
      .leftJoin(pageOf(preparation, [rows], param('limit')), (join) => join.onTrue())
      .leftJoin('ph_job as job', 'job.id', 'page.job_id')
      .leftJoin('ph_company as company', 'company.id', 'job.company_id')
      .select(SHOWN_COLUMNS.map((name) => `job.${name}` as const))
      .select(['company.name as company_name', 'page.changed_at', 'head.at as head'])
      .where('head.key_id', '=', param('keyId'))
      .orderBy('page.changed_at')
      .$castTo<PageRow>();
  });
}

interface PageRow extends Row<typeof SHOWN> {
  company_name: string;
  changed_at: Instant;
  head: Instant;
}

function toVisibleJob(row: PageRow): VisibleJob {
  return { job: SHOWN.toValue(row), companyName: row.company_name, changedAt: row.changed_at };
}
