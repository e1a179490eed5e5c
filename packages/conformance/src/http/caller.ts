import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.js';
import type { Field, RequestParts } from './raw-request.js';
import type { RawResponse } from './raw-response.js';

/** Where the API is served unless a host says otherwise. */
export const BASE = '/api/v1/external';

/** A partner with a key of its own, and a company with one open job that it may see. */
export interface Caller {
  readonly keyId: `key_${string}`;
  readonly companyId: `co_${string}`;
  readonly jobId: `job_${string}`;
  /** The `Authorization` field. */
  readonly authorization: Field;
  /** Asks for a path under the base path. */
  get(path: string): Promise<RawResponse>;
  /** Submits a body; under a fresh idempotency key unless one is given. */
  submit(body: string | Uint8Array, idempotencyKey?: string): Promise<RawResponse>;
  /** The request that submits a body, with fields beyond the usual ones. */
  submission(body: string | Uint8Array, ...fields: readonly Field[]): RequestParts;
}

/** Lets a partner in; each test has its own, so that no test counts in another's buckets. */
export async function createCaller({ operator, ask }: Pick<Fixture, 'operator' | 'ask'>): Promise<Caller> {
  const partner = await operator.partners.add({ name: 'ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId: partner.id, environment: 'production' });
  const company = await operator.companies.register({ name: 'Diner “Zur Post”', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: company.id });
  const job = await operator.jobs.publish({ companyId: company.id, ...JOB });
  const authorization: Field = ['Authorization', `Bearer ${secret}`];
  const submission: Caller['submission'] = (body, ...fields) => ({
    method: 'POST',
    target: `${BASE}/applications`,
    fields: [authorization, ['Content-Type', 'application/json'], ...fields],
    body,
  });
  return {
    keyId: key.id,
    companyId: company.id,
    jobId: job.id,
    authorization,
    get: (path) => ask({ target: BASE + path, fields: [authorization] }),
    submit: (body, idempotencyKey = randomUUID()) =>
      ask(submission(body, ['Idempotency-Key', idempotencyKey])),
    submission,
  };
}

/** A job's details, with letters that take more than one byte. */
export const JOB = {
  title: 'Línea cook 👩‍🍳',
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { type: 'hourly', min: 17.5, max: null, currency: 'USD' },
  schedule: 'full_time',
  headcount: { total: null, filled: 1 },
  applicationFormSchema: null,
} as const;

/** A valid body; change what the test is about. */
export function candidateFor(jobId: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    jobId,
    candidate: { firstName: 'Zoë', lastName: '李', email: 'zoe@example.org', phone: '+14155550123' },
    consentToContact: true,
    ...changes,
  });
}
