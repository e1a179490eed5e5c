import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.js';
import type { Field, RawResponse, RequestParts } from './raw-connection.js';

export const BASE = '/api/v1/external';

/** A partner with its own key, and a company with one open job. */
export interface Caller {
  readonly keyId: `key_${string}`;
  readonly companyId: `co_${string}`;
  readonly jobId: `job_${string}`;
  readonly authorization: Field;
  get(path: string): Promise<RawResponse>;
  /** Submits a body, with a new idempotency key by default. */
  submit(body: string | Uint8Array, idempotencyKey?: string): Promise<RawResponse>;
  /** Returns the request for a submission, with extra headers. */
  submission(body: string | Uint8Array, ...fields: readonly Field[]): RequestParts;
}

/** Creates a caller. Tests do not share rate limits. */
export async function createCaller(
  { operator, ask }: Pick<Fixture, 'operator' | 'ask'>,
  environment: 'production' | 'sandbox' = 'production',
): Promise<Caller> {
  const partner = await operator.partners.create({ name: 'ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId: partner.id, environment });
  const company = await operator.companies.create({ name: 'Diner “Zur Post”', environment });
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

/** A job with multi-byte characters. */
export const JOB = {
  title: 'Línea cook 👩‍🍳',
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { type: 'hourly', min: 17.5, max: null, currency: 'USD' },
  schedule: 'full_time',
  headcount: { total: null, filled: 1 },
  applicationFormSchema: null,
} as const;

export function candidateFor(jobId: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    jobId,
    candidate: { firstName: 'Zoë', lastName: '李', email: 'zoe@example.org', phone: '+14155550123' },
    consentToContact: true,
    ...changes,
  });
}
