import type { Company, Repositories } from '@partner-hiring/core/ports';
import { byIndex, KEY, type PlannedQuery, range } from './planned-query.js';

const LIST = { unforced: 'by index' } as const;
const JOBS = ['ph_job_company_state', 'company_id=? AND state=? AND (created_at,id)>(?,?)'] as const;

const COMPANY: Company = { id: 'co_1', name: 'Acme', environment: 'production', createdAt: 5 };

const NAMES = [
  ['partners', (r: Repositories) => r.names.partnersBy],
  ['companies', (r: Repositories) => r.names.companiesBy],
  ['jobs', (r: Repositories) => r.names.jobsBy],
] as const;

/** Searches for a word of a name. */
const BY_WORD = NAMES.flatMap(([name, of]): readonly PlannedQuery[] => [
  range(
    `${name} with a word`,
    (r) => of(r)({ word: 'acme', match: 'whole', limit: 9 }),
    'ph_name_word_search',
    'kind=? AND word=?',
    LIST,
  ),
  range(
    `${name} with a longer word`,
    (r) => of(r)({ word: 'acme', match: 'longer', limit: 9 }),
    'ph_name_word_search',
    'kind=? AND word>? AND word<?',
    LIST,
  ),
]);

const ALL_JOBS = ['ph_job_oldest', 'state=? AND (created_at,id)>(?,?)'] as const;

/** Partners, companies, keys, jobs and access. */
const LISTS: readonly PlannedQuery[] = [
  range(
    'jobs of a company',
    (r) => r.jobs.listOfCompany('co_1', null, { after: { createdAt: 5, id: 'job_5' }, limit: 9 }),
    ...JOBS,
    // One for each state.
    { ...LIST, merged: 3 },
  ),
  range(
    'open jobs of a company',
    (r) => r.jobs.listOfCompany('co_1', 'open', { after: { createdAt: 5, id: 'job_5' }, limit: 9 }),
    ...JOBS,
    LIST,
  ),
  range(
    'jobs of all companies',
    (r) => r.jobs.list(null, { after: { createdAt: 5, id: 'job_5' }, limit: 9 }),
    ...ALL_JOBS,
    { ...LIST, merged: 3 },
  ),
  byIndex('unknown countries of open jobs', (r) => r.jobs.listUnknownCountries(20), LIST),
  range(
    'open jobs of all companies',
    (r) => r.jobs.list('open', { after: { createdAt: 5, id: 'job_5' }, limit: 9 }),
    ...ALL_JOBS,
    LIST,
  ),
  range(
    'open jobs without details',
    (r) => r.jobs.listOpenOutlines(false, { after: { createdAt: 5, id: 'job_5' }, limit: 9 }),
    ...ALL_JOBS,
    LIST,
  ),
  range(
    'open jobs that a sync keeps in step',
    (r) => r.jobs.listOpenOutlines(true, { after: { createdAt: 5, id: 'job_5' }, limit: 9 }),
    ...ALL_JOBS,
    // Each run reads the range once. A platform that syncs its jobs has few others.
    { ...LIST, filtered: ['synced_in'] },
  ),
  range(
    'jobs that a held sync keeps open',
    (r) => r.jobSyncs.listHeld(null, { after: { companyId: 'co_1', jobId: 'job_5' }, limit: 9 }),
    'ph_held_job_pkey',
    '(company_id,job_id)>(?,?)',
  ),
  range(
    'jobs of a company that a held sync keeps open',
    (r) => r.jobSyncs.listHeld('co_1', { after: { companyId: 'co_1', jobId: 'job_5' }, limit: 9 }),
    'ph_held_job_pkey',
    'company_id=? AND job_id>?',
  ),
  byIndex(
    'changed held jobs',
    (r) =>
      r.jobSyncs.changeHeld({
        added: [{ companyId: 'co_1', jobId: 'job_5' }],
        removed: [{ companyId: 'co_1', jobId: 'job_6' }],
      }),
    { statements: 2 },
  ),
  range(
    'the number of jobs of a company',
    (r) => r.jobs.countOfCompany('co_1', null),
    'ph_job_company_state',
    'company_id=?',
    // PostgreSQL prefers to scan the table if most jobs are those of the company.
    { limit: 'none' },
  ),
  range(
    'the number of open jobs of a company',
    (r) => r.jobs.countOfCompany('co_1', 'open'),
    'ph_job_company_state',
    'company_id=? AND state=?',
    { ...LIST, limit: 'none' },
  ),
  range(
    'partners',
    (r) => r.partners.list({ after: { createdAt: 5, id: 'ptn_5' }, limit: 9 }),
    'ph_partner_oldest',
    '(created_at,id)>(?,?)',
    LIST,
  ),
  range(
    'removed partners',
    (r) => r.partners.list({ after: { createdAt: 5, id: 'ptn_5' }, limit: 9, removed: true }),
    'ph_partner_removed',
    '(created_at,id)>(?,?)',
    LIST,
  ),
  range(
    'companies',
    (r) => r.companies.list({ after: { createdAt: 5, id: 'co_5' }, limit: 9 }),
    'ph_company_oldest',
    '(created_at,id)>(?,?)',
    LIST,
  ),
  range(
    'keys',
    (r) => r.keys.list(null, { after: { partnerId: 'ptn_5', environment: 'production' }, limit: 9 }),
    'ph_partner_key_partner_id_environment_key',
    '(partner_id,environment)>(?,?)',
    LIST,
  ),
  range(
    'access of a key',
    (r) => r.access.listOfKey(KEY, { after: 'co_1', limit: 9, onlyActive: false }),
    'ph_access_pkey',
    'key_id=? AND company_id>?',
    LIST,
  ),
  range(
    'active access of a key',
    (r) => r.access.listOfKey(KEY, { after: 'co_1', limit: 9, onlyActive: true }),
    'ph_access_pkey',
    'key_id=? AND company_id>?',
    // A key has one row for each company that it has ever seen.
    { ...LIST, filtered: ['revoked_at'] },
  ),
  range(
    'hourly counts of a key',
    (r) => r.hourCounts.list({ kind: 'attempt', keyId: KEY, from: 5 }),
    'ph_hour_count_pkey',
    'kind=? AND key_id=? AND hour>?',
    { ...LIST, limit: 'none' },
  ),
  range(
    'hourly counts of all keys',
    (r) => r.hourCounts.list({ kind: 'request', keyId: null, from: 5 }),
    'ph_hour_count_pkey',
    'kind=? AND key_id=? AND hour>?',
    { ...LIST, limit: 'none' },
  ),
  byIndex(
    'what the totals of a key count next',
    (r) => r.totals.listFacts({ keyId: KEY, after: 5, through: 900, limit: 9 }),
    LIST,
  ),
  byIndex('how far a key is counted', (r) => r.totals.findHead(KEY), LIST),
  // It groups the few rows of a month.
  byIndex(
    'totals of a range of days',
    (r) => r.totals.sumEach([{ keyId: KEY, companyId: 'all', from: 5, until: 9 }]),
    LIST,
  ),
  byIndex('a job as keys saw it', (r) => r.keyJobs.findEach([{ keyId: KEY, jobId: 'job_5' }]), LIST),
];

const LOOK_UPS: readonly PlannedQuery[] = [
  byIndex('the names of keys', (r) => r.names.ofKeys(['key_1', 'key_2']), { unforced: 'by index' }),
  byIndex('the names of companies', (r) => r.names.ofCompanies(['co_1', 'co_2']), { unforced: 'by index' }),
  byIndex('the titles of jobs', (r) => r.names.ofJobs(['job_1', 'job_2']), { unforced: 'by index' }),
  byIndex('the secrets of keys', (r) => r.keys.listSecretsEach(['key_1', 'key_2']), { unforced: 'by index' }),
  byIndex('partners by id', (r) => r.partners.findMany(['ptn_1']), { unforced: 'by index' }),
  byIndex('keys by the last four characters', (r) => r.keys.listByLastFour('x7Qa', 9), {
    unforced: 'by index',
  }),
  byIndex('saving words of names', (r) => r.companies.save(COMPANY), {
    statements: 3,
  }),
  byIndex('secrets by hash', (r) => r.keys.findByHashes(['h']), { young: true }),
  byIndex('the use of secrets', (r) => r.keys.touchSecrets(['h'], 5)),
  byIndex('jobs by id', (r) => r.jobs.find(['job_1']), { unforced: 'by index' }),
  byIndex(
    'jobs for submissions',
    (r) => r.jobs.findForSubmissions([{ keyId: KEY, secretHash: 'h', jobId: 'job_1' }]),
    { young: true },
  ),
  byIndex('what keys saw of jobs', (r) => r.keyJobs.listOfJobs(['job_1'])),
  byIndex('feed heads', (r) => r.feed.take([{ keyId: KEY, count: 1 }], 5).catch(() => null)),
  byIndex('rate windows', (r) => r.rateWindows.charge([{ bucketId: 'b', cost: 1 }]).catch(() => null)),
  byIndex('counted requests', (r) => r.rateWindows.read(['b']).catch(() => null)),
  byIndex('windows that are over', (r) => r.rateWindows.sweep(90_000, 9)),
  byIndex('old hourly counts', (r) => r.hourCounts.sweep(5, 9)),
];

/** Queues whose first rows say when work is due. */
const QUEUES = [
  'ph_feed_head_unchecked',
  'ph_resume_task_turn',
  'ph_resume_removal_turn',
  'ph_alert_turn',
  'ph_operation_due',
];

const FIRST_WAITING = ['ph_alert_turn', 'ph_resume_task_turn', 'ph_idempotency_expiry', 'ph_rate_window'];

/** Operations, alerts and workers. */
const WORK: readonly PlannedQuery[] = [
  range(
    'operations',
    (r) => r.operations.list({ state: null, limit: 9 }),
    'ph_operation_newest',
    '(created_at,id)<(?,?)',
  ),
  range('the next step of an operation', (r) => r.operations.takeDue(5), 'ph_operation_due', 'due_at<?', {
    filtered: ['state'],
  }),
  byIndex('whether an operation is due', (r) => r.operations.isDue(5)),
  byIndex('the input of a step', (r) => r.operations.takeInput('op_1', 0)),
  byIndex('operations that ended', (r) => r.operations.sweep(5, 9)),
  byIndex('workers that were not seen', (r) => r.workers.sweep(5, 9)),
  byIndex('the next work', (r) => r.work.findNext(false).catch(() => null), { fromStart: QUEUES }),
  byIndex('the next work, with the inbox', (r) => r.work.findNext(true).catch(() => null), {
    // The first new entry, as when the inbox finds keys.
    fromStart: [...QUEUES, 'ph_inbox_entry', 'ph_inbox_erasure_due'],
  }),
  byIndex('the first rows that wait', (r) => r.work.findFirstWaiting(), { fromStart: FIRST_WAITING }),
  byIndex('whether rows have expired', (r) => r.work.findExpired({}), {
    fromStart: ['head', 'ph_feed_head_unchecked'],
  }),
];

/** Queries on everything that is neither an application nor a delivery. */
export const QUERIES = [...LISTS, ...BY_WORD, ...LOOK_UPS, ...WORK];
