import type { FeedPage, Instant, KeyJobRepository, ListQuery, VisibleJob } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { type PageParams, pageOf, pageParams, toFeedPage } from '../../feed-page.js';
import type { Preparation, Prepare } from '../../preparation.js';
import type { JobTable } from '../../schema.js';
import { define, type Param } from '../../statement.js';
import { toJob } from '../jobs/job-rows.js';

/** The pages of `GET /jobs`. */
export const prepareKeyJobPages: Prepare<Pick<KeyJobRepository, 'page'>> = (preparation) => {
  const page = definePage(preparation, false);
  const pageOfCompany = definePage(preparation, true);

  return (session) => ({
    page: (query: ListQuery): Promise<FeedPage<VisibleJob>> =>
      session.read(async (run) => {
        const statement = query.companyId === null ? page : pageOfCompany;
        return toFeedPage(query, await run.all(statement, pageParams(query)), toVisibleJob);
      }),
  });
};

/**
 * One range of one index, in order; see the indexes of `ph_key_job`. What the page shows is joined to its few
 * narrow rows, so that a database which sets them aside copies little.
 */
function definePage(preparation: Preparation, isOfCompany: boolean) {
  const { queries } = preparation;
  return define((param: Param<PageParams>) => {
    const rows = queries
      .selectFrom('ph_key_job')
      .select(['job_id', 'changed_at'])
      .where('key_id', '=', param('keyId'))
      // A literal: the partial index serves no parameter.
      .where('visible', '=', sql.lit(1))
      .where('changed_at', '>', param('after'))
      .$if(isOfCompany, (query) => query.where('company_id', '=', param('companyId')))
      .orderBy('changed_at');
    return queries
      .selectFrom('ph_feed_head as head')
      .leftJoin(pageOf(preparation, rows, param('limit')), (join) => join.onTrue())
      .leftJoin('ph_job as job', 'job.id', 'page.job_id')
      .leftJoin('ph_company as company', 'company.id', 'job.company_id')
      .selectAll('job')
      .select(['company.name as company_name', 'page.changed_at', 'head.at as head'])
      .where('head.key_id', '=', param('keyId'))
      .orderBy('page.changed_at')
      .$castTo<PageRow>();
  });
}

interface PageRow extends JobTable {
  company_name: string;
  changed_at: Instant;
  head: Instant;
}

function toVisibleJob(row: PageRow): VisibleJob {
  return { job: toJob(row), companyName: row.company_name, changedAt: row.changed_at };
}
