import type { KeyId, ListQuery, Repositories } from '@partner-hiring/core/ports';

/** A named query. */
export type PlannedQuery = readonly [name: string, run: (repositories: Repositories) => Promise<unknown>];

/** A query of an index range over these columns. */
export type PlannedRange = readonly [...PlannedQuery, index: string, columns: readonly string[]];

/** The key of the queries. */
export const KEY: KeyId = 'key_1';
const QUERY: ListQuery = {
  keyId: KEY,
  after: 5,
  updatedSince: null,
  companyId: null,
  status: null,
  limit: 50,
};
const COMPANY = { companyId: 'co_1' };

/** The pages of both lists with each filter. */
export const PAGES: readonly PlannedRange[] = [
  ['jobs', (r) => r.keyJobs.page(QUERY), 'ph_key_job_feed', ['key_id', 'changed_at']],
  [
    'jobs of a company',
    (r) => r.keyJobs.page({ ...QUERY, ...COMPANY }),
    'ph_key_job_company_feed',
    ['key_id', 'company_id', 'visible', 'changed_at'],
  ],
  ['applications', (r) => r.applications.page(QUERY), 'ph_application_feed', ['key_id', 'changed_at']],
  [
    'applications to a company',
    (r) => r.applications.page({ ...QUERY, ...COMPANY }),
    'ph_application_company_feed',
    ['key_id', 'company_id', 'changed_at'],
  ],
  [
    'applications in a status',
    (r) => r.applications.page({ ...QUERY, status: 'received' }),
    'ph_application_status_feed',
    ['key_id', 'status', 'changed_at'],
  ],
  [
    'applications to a company in a status',
    (r) => r.applications.page({ ...QUERY, ...COMPANY, status: 'received' }),
    'ph_application_company_status_feed',
    ['key_id', 'company_id', 'status', 'changed_at'],
  ],
];
