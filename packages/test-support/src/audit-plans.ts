import type { AuditSelection, Repositories } from '@partner-hiring/core/ports';

/** A list of the audit, and the index of which it reads one range. */
export type AuditQuery = readonly [name: string, index: string, run: (r: Repositories) => Promise<unknown>];

const SELECTIONS: readonly (readonly [index: string, selection: AuditSelection])[] = [
  ['ph_audit_newest', { by: 'all' }],
  ['ph_audit_actor', { by: 'actor', actorId: 'user_1' }],
  ['ph_audit_act', { by: 'act', act: 'jobs.close' }],
  ['ph_audit_object', { by: 'object', object: { kind: 'job', id: 'job_1' } }],
];

/** Every list of the audit. */
export const AUDIT_QUERIES: readonly AuditQuery[] = SELECTIONS.flatMap(([index, selection]) => [
  [
    `the first page by ${selection.by}`,
    index,
    (r) => r.audit.list({ selection, since: 0, until: null, after: null, limit: 9 }),
  ],
  [
    `a later page by ${selection.by}, in a range of time`,
    index,
    (r) => r.audit.list({ selection, since: 5, until: 900, after: { at: 800, id: 'aud_1' }, limit: 9 }),
  ],
]);

/** Removes old entries. */
export const AUDIT_SWEEP = (r: Repositories) => r.audit.sweep(500, 9);
