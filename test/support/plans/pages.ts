import type { EventQuery, ListQuery } from '@partner-hiring/core/ports';
import { byIndex, KEY, type PlanConditions, type PlannedQuery, range } from './planned-query.js';

/** The first page after a position, without filters. */
const QUERY: ListQuery = {
  keyId: KEY,
  after: 5,
  updatedSince: null,
  companyId: null,
  status: null,
  limit: 50,
};
const COMPANY = { companyId: 'co_1' } as const;

const PAGE: PlanConditions = {
  sorted: true,
  unforced: 'by index',
  young: true,
  plannedOnce: true,
  beside: ['ph_feed_head_pkey'],
};
const JOBS: PlanConditions = { ...PAGE, beside: ['ph_feed_head_pkey', 'ph_job_pkey', 'ph_company_pkey'] };
/** One range for each status. */
const MERGED: PlanConditions = { ...PAGE, merged: 4 };

const FEED = ['ph_application_key_feed', 'status=? AND key_id=? AND changed_at>?'] as const;
const COMPANY_FEED = [
  'ph_application_key_company_feed',
  'status=? AND key_id=? AND company_id=? AND changed_at>?',
] as const;

const LOG: EventQuery = { keyId: KEY, updatedSince: null, type: null, after: 5, limit: 50 };
const RANGE_OF_LOG = ['ph_event_pkey', 'key_id=? AND at>?'] as const;

/** The pages of the lists that partners read, with each filter. */
export const QUERIES: readonly PlannedQuery[] = [
  range('a page of jobs', (r) => r.keyJobs.page(QUERY), 'ph_key_job_feed', 'key_id=? AND changed_at>?', JOBS),
  range(
    'a page of jobs of a company',
    (r) => r.keyJobs.page({ ...QUERY, ...COMPANY }),
    'ph_key_job_company_feed',
    'key_id=? AND company_id=? AND visible=? AND changed_at>?',
    JOBS,
  ),
  range('a page of applications', (r) => r.applications.page(QUERY), ...FEED, MERGED),
  range(
    'a page of applications in a status',
    (r) => r.applications.page({ ...QUERY, status: 'received' }),
    ...FEED,
    PAGE,
  ),
  range(
    'a page of applications to a company',
    (r) => r.applications.page({ ...QUERY, ...COMPANY }),
    ...COMPANY_FEED,
    MERGED,
  ),
  range(
    'a page of applications to a company in a status',
    (r) => r.applications.page({ ...QUERY, ...COMPANY, status: 'received' }),
    ...COMPANY_FEED,
    PAGE,
  ),
  range('a page of events', (r) => r.events.page(LOG), ...RANGE_OF_LOG, PAGE),
  range('the first page of events', (r) => r.events.page({ ...LOG, after: null }), ...RANGE_OF_LOG, {
    ...PAGE,
    beside: ['ph_feed_head_pkey', 'ph_feed_head_pkey'],
  }),
  byIndex('a page of events of a type', (r) => r.events.page({ ...LOG, type: 'job.closed' })),
];
