import { randomUUID } from 'node:crypto';
import { RATE_LIMITS } from '../../../../packages/core/src/domain/rate-limit.js';
import { sized } from '../size.js';
import type { AbusedService } from './abused-service.js';
import type { AttackRequest } from './attack-request.js';
import { deeplyNested, fatSubmission, manyAnswers, manyErrors, manyFields } from './fat-bodies.js';

export const CONNECTIONS = 40;

/** The requests of an attack. */
export interface PreparedAttack {
  /** Each connection cycles through them. */
  readonly requests: readonly AttackRequest[];
  /** Allowed replies per window. All others must be `429 partner`. */
  readonly allowed: Readonly<Record<string, number>>;
}

export interface Attack {
  readonly name: string;
  /** Adds a key with an unused guard. */
  prepare(service: Pick<AbusedService, 'attacker'>): Promise<PreparedAttack>;
}

/** In a short run, a busy machine answers only a few fat bodies a second, and a new minute may begin meanwhile. */
export const GUARD = sized(RATE_LIMITS.guard, 40);

/** The guard is charged after a request, so requests in flight may exceed it. */
const GUARDED = GUARD + CONNECTIONS;

function post(secret: string, body: string, idempotencyKey = 'fresh'): AttackRequest {
  return { method: 'POST', path: '/applications', secret, idempotencyKey, body };
}

function list(secret: string, path: string): AttackRequest {
  return { method: 'GET', path, secret, idempotencyKey: 'fresh', body: '' };
}

export const ATTACKS: readonly Attack[] = [
  {
    name: 'fat replays',
    prepare: async (service) => {
      const { secret, jobId, submit } = await service.attacker();
      const [body, key] = [fatSubmission(jobId), randomUUID()];
      await submit(body, key);
      return { requests: [post(secret, body, key)], allowed: { '201 replayed': GUARDED } };
    },
  },
  {
    name: 'fat submissions over the limit',
    prepare: async (service) => {
      const limit = RATE_LIMITS.submit_application;
      const { secret, jobId } = await service.attacker({ applications: limit });
      return {
        requests: [post(secret, fatSubmission(jobId))],
        // The first 429 of a minute is not charged to the guard.
        allowed: { 201: limit, '429 partner_company': 1 + GUARDED },
      };
    },
  },
  {
    name: 'fat invalid bodies',
    prepare: async (service) => {
      const { secret, jobId } = await service.attacker();
      const bodies = [manyErrors(), deeplyNested(), manyFields(jobId), manyAnswers(jobId)];
      return { requests: bodies.map((body) => post(secret, body)), allowed: { 422: GUARDED } };
    },
  },
  {
    name: 'failed authentication with fat bodies',
    prepare: async () => ({
      requests: ['unknown', 'malformed'].map((secret) => post(secret, fatSubmission('job_1'))),
      allowed: { 401: RATE_LIMITS.failed_authentication },
    }),
  },
  {
    name: 'lists of 200 rows',
    prepare: async (service) => {
      const { secret } = await service.attacker({ jobs: 250, applications: 250 });
      return {
        requests: [list(secret, '/jobs?limit=200'), list(secret, '/applications?limit=200')],
        allowed: { 200: RATE_LIMITS.list_jobs + RATE_LIMITS.list_applications },
      };
    },
  },
];
