import type { PendingSubmission, SettledSubmission } from '../../packages/client/src/submission-store.js';

/** A pending submission. */
export const PENDING: PendingSubmission = {
  state: 'pending',
  id: 'scope\nats-1',
  scope: 'scope',
  sourceApplicationId: 'ats-1',
  jobId: 'job_1',
  idempotencyKey: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
  body: '{"candidate":{"email":"ada@example.org"}}',
  fingerprint: 'f',
};

/** The submission of `PENDING` after it was accepted. */
export const SETTLED: SettledSubmission = {
  state: 'submitted',
  id: PENDING.id,
  scope: PENDING.scope,
  sourceApplicationId: PENDING.sourceApplicationId,
  idempotencyKey: PENDING.idempotencyKey,
  fingerprint: PENDING.fingerprint,
  application: {
    id: 'ej_app_1',
    sourceApplicationId: 'ats-1',
    jobId: 'job_1',
    status: 'received',
    createdAt: '',
  },
};
