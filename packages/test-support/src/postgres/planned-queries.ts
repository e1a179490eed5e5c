import type { KeyId, ListQuery, Repositories } from '@partner-hiring/core/ports';

/** A named query. */
export type PlannedQuery = readonly [name: string, run: (repositories: Repositories) => Promise<unknown>];

/** A query that must read ranges of this index, bounded by these columns. */
export type PlannedRange = readonly [...PlannedQuery, index: string, columns: readonly string[]];

/** The partner's key in all planned queries. */
export const KEY: KeyId = 'key_1';
/** The first page after a position, without filters. */
export const QUERY: ListQuery = {
  keyId: KEY,
  after: 5,
  updatedSince: null,
  companyId: null,
  status: null,
  limit: 50,
};
/** A filter by company. */
export const COMPANY = { companyId: 'co_1' };

const FEED = ['ph_application_key_feed', ['status', 'key_id', 'changed_at']] as const;
const COMPANY_FEED = [
  'ph_application_key_company_feed',
  ['status', 'key_id', 'company_id', 'changed_at'],
] as const;

/** Pages that read one range. */
export const ONE_RANGE_PAGES: readonly PlannedRange[] = [
  ['jobs', (r) => r.keyJobs.page(QUERY), 'ph_key_job_feed', ['key_id', 'changed_at']],
  [
    'jobs of a company',
    (r) => r.keyJobs.page({ ...QUERY, ...COMPANY }),
    'ph_key_job_company_feed',
    ['key_id', 'company_id', 'visible', 'changed_at'],
  ],
  ['applications in a status', (r) => r.applications.page({ ...QUERY, status: 'received' }), ...FEED],
  [
    'applications to a company in a status',
    (r) => r.applications.page({ ...QUERY, ...COMPANY, status: 'received' }),
    ...COMPANY_FEED,
  ],
];

/** Pages that merge one range for each of the four statuses. */
export const MERGED_PAGES: readonly PlannedRange[] = [
  ['applications', (r) => r.applications.page(QUERY), ...FEED],
  ['applications to a company', (r) => r.applications.page({ ...QUERY, ...COMPANY }), ...COMPANY_FEED],
];

/** The queries for pages of both lists, with each filter. */
export const PAGES: readonly PlannedRange[] = [...ONE_RANGE_PAGES, ...MERGED_PAGES];
