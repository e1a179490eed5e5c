import type { ApplicationRepository, CompanyId, Instant, JobId } from '@partner-hiring/core/ports';
import { type PageParams, pageOf, pageParams, toFeedPage } from '../../feed-page.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { PARTNER_COLUMNS, type PartnerRow, toApplication, toApplicationRecord } from './application-rows.js';

interface RecentParams {
  readonly jobId: JobId;
  readonly companyId: CompanyId;
  readonly limit: number;
}

/** The partner's pages and the host's lists of applications: one statement for each set of filters. */
export const prepareApplicationLists: Prepare<Pick<ApplicationRepository, 'page' | 'listRecent'>> = (
  preparation,
) => {
  const pages = {
    all: definePage(preparation, { company: false, status: false }),
    ofCompany: definePage(preparation, { company: true, status: false }),
    inStatus: definePage(preparation, { company: false, status: true }),
    ofCompanyInStatus: definePage(preparation, { company: true, status: true }),
  };
  const recent = {
    all: defineRecent(preparation, { job: false, company: false }),
    ofJob: defineRecent(preparation, { job: true, company: false }),
    ofCompany: defineRecent(preparation, { job: false, company: true }),
    ofBoth: defineRecent(preparation, { job: true, company: true }),
  };

  return (session) => ({
    page: (query) =>
      session.read(async (run) => {
        const ofCompany = query.status === null ? pages.ofCompany : pages.ofCompanyInStatus;
        const ofAll = query.status === null ? pages.all : pages.inStatus;
        const statement = query.companyId === null ? ofAll : ofCompany;
        return toFeedPage(query, await run.all(statement, pageParams(query)), toApplication);
      }),
    listRecent: ({ jobId, companyId, limit }) =>
      session.read(async (run) => {
        const ofJob = companyId === null ? recent.ofJob : recent.ofBoth;
        const ofAll = companyId === null ? recent.all : recent.ofCompany;
        const statement = jobId === null ? ofAll : ofJob;
        const values = { jobId: jobId as JobId, companyId: companyId as CompanyId, limit };
        return (await run.all(statement, values)).map(toApplicationRecord);
      }),
  });
};

interface PageRow extends PartnerRow {
  readonly head: Instant;
}

/** One range of one index, in order; see the feed indexes of `ph_application`. */
function definePage(preparation: Preparation, by: { readonly company: boolean; readonly status: boolean }) {
  const { queries } = preparation;
  return define((param: Param<PageParams>) => {
    const rows = queries
      .selectFrom('ph_application')
      .select(PARTNER_COLUMNS)
      .where('key_id', '=', param('keyId'))
      .where('changed_at', '>', param('after'))
      .$if(by.company, (query) => query.where('company_id', '=', param('companyId')))
      .$if(by.status, (query) => query.where('status', '=', param('status')))
      .orderBy('changed_at');
    return queries
      .selectFrom('ph_feed_head as head')
      .leftJoin(pageOf(preparation, rows, param('limit')), (join) => join.onTrue())
      .selectAll('page')
      .select('head.at as head')
      .where('head.key_id', '=', param('keyId'))
      .orderBy('page.changed_at')
      .$castTo<PageRow>();
  });
}

function defineRecent({ queries }: Preparation, of: { readonly job: boolean; readonly company: boolean }) {
  return define((param: Param<RecentParams>) =>
    queries
      .selectFrom('ph_application')
      .selectAll()
      .$if(of.job, (query) => query.where('job_id', '=', param('jobId')))
      .$if(of.company, (query) => query.where('company_id', '=', param('companyId')))
      .orderBy('submitted_at', 'desc')
      .orderBy('id', 'desc')
      .limit(param('limit')),
  );
}
