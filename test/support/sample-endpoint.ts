import type { AttemptOutcome } from '../../packages/core/src/domain/delivery.js';
import { FRESH_HEALTH, type StoredEndpoint } from '../../packages/core/src/domain/endpoint.js';
import { createEvent } from '../../packages/core/src/domain/event.js';
import type { KeyId } from '../../packages/core/src/domain/ids.js';

/** An active endpoint without secrets, for tests of rules that need only a few of its fields. */
export const SAMPLE_ENDPOINT: StoredEndpoint = {
  keyId: 'key_1',
  url: 'https://partner.example/hooks',
  state: { kind: 'active' },
  health: FRESH_HEALTH,
  resumedAt: null,
  replacedUrl: null,
  secrets: [],
  createdAt: 0,
};

/** What an attempt can end with: success, a failure, and an endpoint that is gone for good. */
export const OK: AttemptOutcome = { kind: 'answered', status: 204, excerpt: '' };
export const ERROR: AttemptOutcome = { kind: 'answered', status: 500, excerpt: '' };
export const GONE: AttemptOutcome = { kind: 'answered', status: 410, excerpt: '' };

/** An event of a key, whose id follows from its stamp. */
export const sampleEventAt = (at: number, keyId: KeyId) =>
  createEvent(`evt_${at}`, keyId, at, {
    type: 'job.closed',
    jobId: 'job_1',
    companyId: 'co_1',
    reason: 'closed_by_customer',
  });
