import type { Repositories } from '@partner-hiring/core/ports';

/** A look-up that must read ranges of one index, in order: these columns bound each range. */
export interface PlannedLookup {
  readonly name: string;
  readonly run: (repositories: Repositories) => Promise<unknown>;
  readonly index: string;
  /** The number of ranges that the list merges. */
  readonly ranges: number;
  readonly columns: readonly string[];
  /** Columns by which rows of the range are left out. */
  readonly filtered?: readonly string[];
  /** The index by which the row before the page is found. */
  readonly anchor?: string;
}

const NEWEST = { submittedAt: 5_000, id: 'ej_app_5' } as const;
const RANGE = { from: 'a', before: 'b' } as const;
const SCOPES = [
  ['key', { keyId: 'key_1' }, 'ph_application_key_newest', 'key_id'],
  ['company', { companyId: 'co_1' }, 'ph_application_company_newest', 'company_id'],
  ['job', { jobId: 'job_1' }, 'ph_application_job_newest', 'job_id'],
] as const;

const REQUESTS = { from: 1, until: null, after: { at: 5_000, requestId: 'r5' }, limit: 9 } as const;
const REQUEST_SCOPES = [
  ['key', { keyId: 'key_1' }, 'ph_request_key_newest', 'key_id'],
  ['application', { applicationId: 'ej_app_1' }, 'ph_request_application', 'application_id'],
] as const;

/** The look-ups of `applications.list`, and the other lists of the host. */
export const LOOKUPS: readonly PlannedLookup[] = [
  {
    name: 'newest applications',
    run: (r) => r.applications.listNewest({ scope: null, after: NEWEST, limit: 9 }),
    index: 'ph_application_newest',
    ranges: 1,
    columns: ['submitted_at'],
  },
  ...SCOPES.flatMap(([name, scope, index, column]): readonly PlannedLookup[] => [
    {
      name: `newest applications of a ${name}`,
      run: (r) => r.applications.listNewest({ scope, from: 1, after: NEWEST, limit: 9 }),
      index,
      ranges: 4,
      columns: ['status', column, 'submitted_at'],
    },
    {
      name: `newest applications of a ${name} in a status`,
      run: (r) => r.applications.listNewest({ scope, status: 'received', from: 1, after: NEWEST, limit: 9 }),
      index,
      ranges: 1,
      columns: ['status', column, 'submitted_at'],
    },
  ]),
  {
    name: 'changed applications of a key',
    run: (r) => r.applications.listChanges({ keyId: 'key_1', after: 5, limit: 9 }),
    index: 'ph_application_key_feed',
    ranges: 4,
    columns: ['status', 'key_id', 'changed_at'],
  },
  {
    name: 'applications by source id',
    run: (r) => r.applications.listBySourceId({ sourceApplicationId: 's5', after: 'key_1', limit: 9 }),
    index: 'ph_application_source_id',
    ranges: 1,
    columns: ['source_application_id', 'key_id'],
  },
  {
    name: 'applications by last name',
    run: (r) => r.applications.listByLastName({ range: RANGE, limit: 9 }),
    index: 'ph_application_last_name',
    ranges: 4,
    columns: ['status', 'last_name_key'],
  },
  {
    name: 'the next applications by last name',
    run: (r) => r.applications.listByLastName({ range: RANGE, after: 'ej_app_5', limit: 9 }),
    index: 'ph_application_last_name',
    ranges: 4,
    columns: ['status', 'last_name_key', 'id'],
    anchor: 'ph_application_pkey',
  },
  ...[null, 'ej_app_5' as const].flatMap((after): readonly PlannedLookup[] => [
    {
      name: `applications by e-mail after ${after}`,
      run: (r) => r.candidates.listByEmail('Ada@example.org', { after, limit: 9 }),
      index: 'ph_application_email',
      ranges: 4,
      columns: ['status', 'email_key', 'id'],
    },
    {
      name: `applications without a key by e-mail after ${after}`,
      run: (r) => r.candidates.listBySpelling('ada@example.org', { after, limit: 9 }),
      index: 'ph_application_email_spelling',
      ranges: 4,
      columns: ['status', 'id'],
    },
    {
      name: `applications by phone after ${after}`,
      run: (r) => r.candidates.listByPhone('+14155550123', { after, limit: 9 }),
      index: 'ph_application_by_phone',
      ranges: 4,
      columns: ['status', 'phone', 'id'],
    },
  ]),
  {
    name: 'a walk over the applications of a company',
    run: (r) => r.candidates.walk({ companyId: 'co_1', submittedBefore: 9, after: null, limit: 9 }),
    index: 'ph_application_company_newest',
    ranges: 4,
    columns: ['status', 'company_id', 'submitted_at'],
  },
  {
    name: 'jobs of a company',
    run: (r) => r.jobs.listOfCompany('co_1', null, { after: { createdAt: 5, id: 'job_5' }, limit: 9 }),
    index: 'ph_job_company_state',
    ranges: 3,
    columns: ['company_id', 'state', 'created_at'],
  },
  {
    name: 'open jobs of a company',
    run: (r) => r.jobs.listOfCompany('co_1', 'open', { after: { createdAt: 5, id: 'job_5' }, limit: 9 }),
    index: 'ph_job_company_state',
    ranges: 1,
    columns: ['company_id', 'state', 'created_at'],
  },
  {
    name: 'partners',
    run: (r) => r.partners.list({ after: { createdAt: 5, id: 'ptn_5' }, limit: 9 }),
    index: 'ph_partner_oldest',
    ranges: 1,
    columns: ['created_at'],
  },
  {
    name: 'companies',
    run: (r) => r.companies.list({ after: { createdAt: 5, id: 'co_5' }, limit: 9 }),
    index: 'ph_company_oldest',
    ranges: 1,
    columns: ['created_at'],
  },
  {
    name: 'keys',
    run: (r) => r.keys.list(null, { after: { partnerId: 'ptn_5', environment: 'production' }, limit: 9 }),
    index: 'ph_partner_key_partner_id_world_key',
    ranges: 1,
    columns: ['partner_id'],
  },
  {
    name: 'access of a key',
    run: (r) => r.access.listOfKey('key_1', { after: 'co_1', limit: 9, onlyActive: false }),
    index: 'ph_access_pkey',
    ranges: 1,
    columns: ['key_id', 'company_id'],
  },
  {
    name: 'active access of a key',
    run: (r) => r.access.listOfKey('key_1', { after: 'co_1', limit: 9, onlyActive: true }),
    index: 'ph_access_pkey',
    ranges: 1,
    columns: ['key_id', 'company_id'],
    filtered: ['revoked_at'],
  },
  {
    name: 'newest requests',
    run: (r) => r.requests.list({ scope: null, onlyErrors: false, ...REQUESTS }),
    index: 'ph_request_newest',
    ranges: 2,
    columns: ['is_error', 'at'],
  },
  {
    name: 'newest failed requests',
    run: (r) => r.requests.list({ scope: null, onlyErrors: true, ...REQUESTS }),
    index: 'ph_request_newest',
    ranges: 1,
    columns: ['is_error', 'at'],
  },
  ...REQUEST_SCOPES.flatMap(([name, scope, index, column]): readonly PlannedLookup[] => [
    {
      name: `newest requests of a ${name}`,
      run: (r) => r.requests.list({ scope, onlyErrors: false, ...REQUESTS }),
      index,
      ranges: 2,
      columns: [column, 'is_error', 'at'],
    },
    {
      name: `newest failed requests of a ${name}`,
      run: (r) => r.requests.list({ scope, onlyErrors: true, ...REQUESTS }),
      index,
      ranges: 1,
      columns: [column, 'is_error', 'at'],
    },
  ]),
  {
    name: 'the first request of an application',
    run: (r) => r.requests.findOldest('ej_app_1'),
    index: 'ph_request_application',
    ranges: 1,
    columns: ['application_id', 'is_error'],
  },
  {
    name: 'the last reads of a route',
    run: (r) => r.requests.findLastReads('key_1', '/jobs'),
    index: 'ph_request_read_pkey',
    ranges: 1,
    columns: ['key_id', 'route'],
  },
  {
    name: 'the reads that covered a change',
    run: (r) => r.requests.findCoveringReads('key_1', '/jobs', 5),
    index: 'ph_request_read_pkey',
    ranges: 1,
    columns: ['key_id', 'route', 'minute'],
    // A key has one row for each minute, at most 10,080 in the days that the log is kept.
    filtered: ['read_after', 'read_through'],
  },
  {
    name: 'reads of a key',
    run: (r) => r.requests.listReads({ keyId: 'key_1', after: { minute: 5, route: '/jobs' }, limit: 9 }),
    index: 'ph_request_read_pkey',
    ranges: 3,
    columns: ['key_id', 'route', 'minute'],
  },
  {
    name: 'hourly counts of a key',
    run: (r) => r.hourCounts.list({ kind: 'attempt', keyId: 'key_1', from: 5 }),
    index: 'ph_hour_count_pkey',
    ranges: 1,
    columns: ['kind', 'key_id', 'hour'],
  },
  {
    name: 'hourly counts of all keys',
    run: (r) => r.hourCounts.list({ kind: 'request', keyId: null, from: 5 }),
    index: 'ph_hour_count_pkey',
    ranges: 1,
    columns: ['kind', 'key_id', 'hour'],
  },
  {
    name: 'endpoints',
    run: (r) => r.endpoints.list({ after: 'key_1', limit: 9 }),
    index: 'ph_endpoint_pkey',
    ranges: 1,
    columns: ['key_id'],
  },
];

/** Queries that must not scan a table. */
export const NAME_QUERIES: readonly (readonly [string, PlannedLookup['run']])[] = [
  ['the names of keys', (r) => r.names.ofKeys(['key_1', 'key_2'])],
  ['the names of companies', (r) => r.names.ofCompanies(['co_1', 'co_2'])],
  ['the titles of jobs', (r) => r.names.ofJobs(['job_1', 'job_2'])],
  ['the secrets of keys', (r) => r.keys.listSecretsEach(['key_1', 'key_2'])],
  ['a request', (r) => r.requests.find('r5')],
  ['rows without a last-name key', (r) => r.applications.fillLastNameKeys(9)],
  ['rows without an e-mail key', (r) => r.candidates.fillEmailKeys(9)],
];
