import type { ApplicationRecord, PartnerEvent } from '@partner-hiring/core';
import { byIndex, KEY, type PlannedQuery, range } from './planned-query.js';

const ID = 'ej_app_1';
const APPLICATION = { id: ID, keyId: KEY } as unknown as ApplicationRecord;
const EVENT = { keyId: KEY, at: 5, body: '{}' } as unknown as PartnerEvent;
const NEWEST = { submittedAt: 5_000, id: 'ej_app_5' } as const;
const NAMES = { from: 'a', before: 'b' } as const;
const WALK = { submittedBefore: 9, after: null, limit: 9 } as const;
const SCOPES = [
  ['key', { keyId: KEY }, 'ph_application_key_newest', 'key_id'],
  ['company', { companyId: 'co_1' }, 'ph_application_company_newest', 'company_id'],
  ['job', { jobId: 'job_1' }, 'ph_application_job_newest', 'job_id'],
] as const;

/** A list of the host: PostgreSQL chooses its index, however long the list is. */
const LIST = { unforced: 'by index' } as const;
/** A list that merges one range for each status. */
const MERGED = { ...LIST, merged: 4 } as const;

/** Lists of applications for the host. */
const LISTS: readonly PlannedQuery[] = [
  range(
    'newest applications',
    (r) => r.applications.listNewest({ scope: null, after: NEWEST, limit: 9 }),
    'ph_application_newest',
    'submitted_at>? AND (submitted_at,id)<(?,?)',
    LIST,
  ),
  ...SCOPES.flatMap(([name, scope, index, column]): readonly PlannedQuery[] => {
    const bounds = `status=? AND ${column}=? AND submitted_at>? AND (submitted_at,id)<(?,?)`;
    const page = { scope, from: 1, after: NEWEST, limit: 9 };
    return [
      range(
        `newest applications of a ${name}`,
        (r) => r.applications.listNewest(page),
        index,
        bounds,
        MERGED,
      ),
      range(
        `newest applications of a ${name} in a status`,
        (r) => r.applications.listNewest({ ...page, status: 'received' }),
        index,
        bounds,
        LIST,
      ),
    ];
  }),
  range(
    'changed applications of a key',
    (r) => r.applications.listChanges({ keyId: KEY, after: 5, limit: 9 }),
    'ph_application_key_feed',
    'status=? AND key_id=? AND changed_at>?',
    MERGED,
  ),
  range(
    'applications by source id',
    (r) => r.applications.listBySourceId({ sourceApplicationId: 's5', after: KEY, limit: 9 }),
    'ph_application_source_id',
    'source_application_id=? AND key_id>?',
    LIST,
  ),
  ...[null, { erasedAt: 5, id: 'ej_app_5' } as const].map((after) =>
    range(
      `erased applications after ${after?.id}`,
      (r) => r.applications.listErased({ from: 5, after, limit: 9 }),
      'ph_application_erased',
      '(erased_at,id)>(?,?)',
      LIST,
    ),
  ),
  ...[null, { changedAt: 5, id: 'ej_app_5' } as const].flatMap((after): readonly PlannedQuery[] =>
    ([null, 'received', 'in_progress'] as const).map((status) =>
      range(
        `applications unchanged in status ${status} after ${after?.id}`,
        (r) => r.applications.listUnchanged({ status, before: 9, after, limit: 9 }),
        'ph_application_unchanged',
        'status=? AND (changed_at,id)>(?,?) AND changed_at<?',
        { ...LIST, merged: status === null ? 2 : 1 },
      ),
    ),
  ),
  ...[null, { failedAt: 5, id: 'ej_app_5' } as const].map((after) =>
    range(
      `failed résumés after ${after?.id}`,
      (r) => r.applications.listFailedResumes({ after, limit: 9 }),
      'ph_application_failed_resume',
      'status=? AND resume_failed_at>? AND (resume_failed_at,id)<(?,?)',
      { ...LIST, merged: 2 },
    ),
  ),
  range(
    'applications by last name',
    (r) => r.applications.listByLastName({ range: NAMES, limit: 9 }),
    'ph_application_last_name',
    'status=? AND last_name_key>? AND last_name_key<?',
    MERGED,
  ),
  range(
    'the next applications by last name',
    (r) => r.applications.listByLastName({ range: NAMES, after: 'ej_app_5', limit: 9 }),
    'ph_application_last_name',
    'status=? AND (last_name_key,id)>(?,?) AND last_name_key<?',
    // The last row of the page before.
    { ...MERGED, statements: 2, beside: ['ph_application_pkey'] },
  ),
  range(
    'names of candidates with a last name',
    (r) => r.applications.listNames({ lastNameKey: 'reyes', match: 'whole', limit: 9 }),
    'ph_application_last_name',
    'status=? AND last_name_key=?',
    MERGED,
  ),
  range(
    'names of candidates with a longer last name',
    (r) => r.applications.listNames({ lastNameKey: 'reyes', match: 'longer', limit: 9 }),
    'ph_application_last_name',
    'status=? AND last_name_key>? AND last_name_key<?',
    MERGED,
  ),
  range(
    'candidates by the last digits of a phone number',
    (r) => r.applications.listPhoneEnds({ digits: '0123', limit: 9 }),
    'ph_application_by_phone',
    'status=? AND phone_key>? AND phone_key<?',
    MERGED,
  ),
  ...[null, 'ej_app_5' as const].flatMap((after): readonly PlannedQuery[] => [
    range(
      `applications by e-mail after ${after}`,
      (r) => r.candidates.listByEmail('Ada@example.org', { after, limit: 9 }),
      'ph_application_email',
      'status=? AND email_key=? AND id>?',
      MERGED,
    ),
    range(
      `applications without a key by e-mail after ${after}`,
      (r) => r.candidates.listBySpelling('ada@example.org', { after, limit: 9 }),
      'ph_application_email_spelling',
      'status=? AND <expr>=? AND id>?',
      MERGED,
    ),
    range(
      `applications by phone after ${after}`,
      (r) => r.candidates.listByPhone('+14155550123', { after, limit: 9 }),
      'ph_application_by_phone',
      'status=? AND phone_key=? AND id>?',
      MERGED,
    ),
  ]),
];

/** Walks over all applications, for erasing old ones. */
const WALKS: readonly PlannedQuery[] = [
  range(
    'a walk over the applications of a company',
    (r) => r.candidates.walk({ ...WALK, companyId: 'co_1' }),
    'ph_application_company_newest',
    'status=? AND company_id=? AND (submitted_at,id)>(?,?) AND submitted_at<?',
    MERGED,
  ),
  ...[null, { id: ID, submittedAt: 5 } as const].map((after) =>
    range(
      `a walk over all applications ${after === null ? 'from the oldest' : 'that continues'}`,
      (r) => r.candidates.walk({ ...WALK, companyId: null, after }),
      'ph_application_newest',
      '(submitted_at,id)>(?,?) AND submitted_at<?',
    ),
  ),
];

/** Applications and what belongs to them, found by id. */
const LOOK_UPS: readonly PlannedQuery[] = [
  byIndex('applications', (r) => r.applications.find([ID]), { unforced: 'by index' }),
  byIndex('applications, locked', (r) => r.applications.findForUpdate([ID]), { unforced: 'by index' }),
  byIndex('own applications', (r) => r.applications.findOwned([{ keyId: KEY, id: ID }]), {
    unforced: 'by index',
    young: true,
  }),
  byIndex(
    'applications by the partner’s id',
    (r) => r.applications.findBySourceIds([{ keyId: KEY, sourceApplicationId: 's' }]),
    { unforced: 'by index', young: true },
  ),
  byIndex('idempotency records', (r) => r.submissions.findRecords([{ keyId: KEY, idempotencyKey: 'k' }]), {
    unforced: 'by index',
    young: true,
  }),
  byIndex('expired records', (r) => r.submissions.sweep(5, 9)),
  byIndex('rows without a last-name key', (r) => r.applications.fillLastNameKeys(9), {
    unforced: 'by index',
  }),
  byIndex('rows without an e-mail key', (r) => r.candidates.fillEmailKeys(9), { unforced: 'by index' }),
  byIndex(
    'keys that have résumés to fetch',
    (r) => r.resumeFiles.claimOfOthers({ token: 't', forMs: 9 }, 9, 9, [KEY]),
    { unforced: 'by index' },
  ),
];

/** What an erasure reads and writes. */
const ERASURE: readonly PlannedQuery[] = [
  byIndex('stored replies', (r) => r.candidates.findRecords([APPLICATION])),
  byIndex('events of applications', (r) => r.candidates.findEvents([{ keyId: KEY, at: 5 }])),
  byIndex('résumés to download', (r) => r.candidates.findResumeFiles([ID])),
  byIndex('postponed inbox entries', (r) => r.candidates.listPostponed([ID])),
  byIndex('cancelling downloads', (r) => r.candidates.cancelResumeFiles([ID])),
  byIndex('erasing', (r) => r.candidates.erase([ID], 9), { statements: 2 }),
  byIndex('clearing source ids', (r) => r.candidates.clearSourceIds([{ id: ID, changedAt: 9 }])),
  byIndex('replacing bodies', (r) => r.candidates.saveBodies([EVENT])),
  byIndex('excerpts of deliveries', (r) => r.candidates.eraseExcerpts([{ keyId: KEY, eventId: 'evt_1' }])),
  byIndex('removals', (r) => r.resumeRemovals.find([ID])),
  byIndex('claiming removals', (r) => r.resumeRemovals.claim({ token: 't', forMs: 9 }, 9, 9)),
  byIndex('finishing removals', (r) => r.resumeRemovals.finish([ID], 't')),
];

/** Queries on applications and candidates. */
export const QUERIES = [...LISTS, ...WALKS, ...LOOK_UPS, ...ERASURE];
