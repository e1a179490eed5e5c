import type { AuditSelection } from '../../../packages/core/src/ports/repositories/audit.js';

import { byIndex, KEY, type PlannedQuery, range } from './planned-query.js';

const LIST = { unforced: 'by index' } as const;
const REQUESTS = { from: 1, until: null, after: { at: 5_000, requestId: 'r5' }, limit: 9 } as const;
const REQUEST_SCOPES = [
  ['', null, 'ph_request_newest', ''],
  [' of a key', { keyId: KEY }, 'ph_request_key_newest', 'key_id=? AND '],
  [' of an application', { applicationId: 'ej_app_1' }, 'ph_request_application', 'application_id=? AND '],
  [' of a job', { jobId: 'job_1' }, 'ph_request_job', 'job_id=? AND '],
  [' of a code', { code: 'JOB_CLOSED' }, 'ph_request_code', 'code=? AND '],
] as const;

/** The log of requests. */
const REQUEST_LOG: readonly PlannedQuery[] = [
  ...REQUEST_SCOPES.flatMap(([of, scope, index, column]): readonly PlannedQuery[] => {
    const bounds = `${column}is_error=? AND at>? AND (at,request_id)<(?,?)`;
    return [
      range(
        `newest requests${of}`,
        (r) => r.requests.list({ scope, onlyErrors: false, ...REQUESTS }),
        index,
        bounds,
        { ...LIST, merged: 2 },
      ),
      range(
        `newest failed requests${of}`,
        (r) => r.requests.list({ scope, onlyErrors: true, ...REQUESTS }),
        index,
        bounds,
        LIST,
      ),
    ];
  }),
  range(
    'the first request of an application',
    (r) => r.requests.findOldest('ej_app_1'),
    'ph_request_application',
    'application_id=? AND is_error=?',
    LIST,
  ),
  byIndex('a request', (r) => r.requests.find('r5'), { unforced: 'by index' }),
  range(
    'the last reads of a route',
    (r) => r.requests.findLastReads(KEY, '/jobs'),
    'ph_request_read_pkey',
    'key_id=? AND route=?',
    LIST,
  ),
  range(
    'the reads that covered a change',
    (r) => r.requests.findCoveringReads(KEY, '/jobs', 5),
    'ph_request_read_pkey',
    'key_id=? AND route=? AND minute>?',
    // A key has one row for each minute, at most 10,080 in the days that the log is kept.
    { ...LIST, filtered: ['read_after', 'read_through'] },
  ),
  range(
    'reads of a key',
    (r) => r.requests.listReads({ keyId: KEY, after: { minute: 5, route: '/jobs' }, limit: 9 }),
    'ph_request_read_pkey',
    'key_id=? AND route=? AND minute<?',
    // One for each route.
    { ...LIST, merged: 4 },
  ),
  range(
    'the go-live evidence of a key',
    (r) => r.readiness.list(KEY),
    'ph_readiness_pkey',
    'key_id=?',
    // A key has about twenty.
    { ...LIST, limit: 'none' },
  ),
];

const SELECTIONS: readonly (readonly [index: string, columns: string, selection: AuditSelection])[] = [
  ['ph_audit_newest', '', { by: 'all' }],
  ['ph_audit_actor', 'actor_id=? AND ', { by: 'actor', actorId: 'user_1' }],
  ['ph_audit_act', 'act=? AND ', { by: 'act', act: 'jobs.close' }],
  [
    'ph_audit_object',
    'object_kind=? AND object_id=? AND ',
    { by: 'object', object: { kind: 'job', id: 'job_1' } },
  ],
];

/** The audit. */
const AUDIT: readonly PlannedQuery[] = SELECTIONS.flatMap(([index, columns, selection]) => {
  const bounds = `${columns}at>? AND (at,id)<(?,?)`;
  return [
    range(
      `the first page of the audit by ${selection.by}`,
      (r) => r.audit.list({ selection, since: 0, until: null, after: null, limit: 9 }),
      index,
      bounds,
      { unforced: 'in order' },
    ),
    range(
      `a later page of the audit by ${selection.by}, in a range of time`,
      (r) => r.audit.list({ selection, since: 5, until: 900, after: { at: 800, id: 'aud_1' }, limit: 9 }),
      index,
      bounds,
      { unforced: 'in order' },
    ),
  ];
});

const GROWING = {
  id: 'aud_1',
  at: 5,
  actor: { id: 'user_1', name: null, reason: null, door: 'library' },
  act: 'jobs.anyAct',
  keyId: null,
  count: 1,
  filter: null,
  before: null,
  after: null,
} as const;

/** The entries of acts on many objects. */
const ENTRIES: readonly PlannedQuery[] = [
  byIndex('an entry of the audit', (r) => r.audit.find('aud_1'), { unforced: 'by index' }),
  range(
    'the objects of an entry',
    (r) => r.audit.listObjects('aud_1', { after: 20, limit: 9 }),
    'ph_audit_pkey',
    'id=? AND number>?',
    LIST,
  ),
  byIndex(
    'an entry that grows',
    (r) => r.audit.grow({ ...GROWING, allObjects: [{ kind: 'job', id: 'job_1' }] }),
    { statements: 3, answer: () => [{ objects: '[]', count: 1, after: null, last: 4 }] },
  ),
];

/** Queries on the log of requests and the audit. */
export const QUERIES = [...REQUEST_LOG, ...AUDIT, ...ENTRIES];
