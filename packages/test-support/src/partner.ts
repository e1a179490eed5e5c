import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.js';

/** The path under which every story finds the API. */
export const BASE_PATH = '/api/v1/external';

/** A reply as a partner's program reads it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; loosely typed, for assertions. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** A request beyond its method and path. */
export interface RequestParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** A partner's program, with its key in hand. */
export interface Partner {
  readonly keyId: `key_${string}`;
  readonly secret: string;
  /** The secret that its webhooks are signed with; null without an endpoint. */
  readonly signingSecret: string | null;
  request(method: string, path: string, parts?: RequestParts): Promise<Reply>;
  get(path: string): Promise<Reply>;
  /** Submits a candidate; a fresh idempotency key unless one is given. */
  submit(body: unknown, idempotencyKey?: string): Promise<Reply>;
}

/** Sends one request to the world's API, without a network. */
export async function send(
  fixture: { readonly partnerHiring: Pick<Fixture['partnerHiring'], 'fetch'> },
  method: string,
  path: string,
  parts: RequestParts = {},
): Promise<Reply> {
  const response = await fixture.partnerHiring.fetch(
    new Request(`http://api.test${BASE_PATH}${path}`, {
      method,
      headers: parts.headers ?? {},
      ...(parts.body === undefined ? {} : { body: parts.body }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parseObject(text) };
}

/** A partner with a key and, unless told otherwise, an endpoint. */
export async function createPartner(
  fixture: Fixture,
  options: {
    readonly sandbox?: boolean;
    readonly endpoint?: boolean;
    readonly partnerId?: `ptn_${string}`;
  } = {},
): Promise<Partner> {
  const partnerId = options.partnerId ?? (await fixture.operator.partners.add({ name: 'Acme ATS' })).id;
  const issued = await fixture.operator.keys.issue({
    partnerId,
    environment: options.sandbox === true ? 'sandbox' : 'production',
    ...(options.endpoint === false ? {} : { endpointUrl: 'https://ats.example.org/webhooks' }),
  });
  const { secret } = issued;
  const request: Partner['request'] = (method, path, parts = {}) =>
    send(fixture, method, path, {
      ...parts,
      headers: { authorization: `Bearer ${secret}`, ...parts.headers },
    });
  return {
    keyId: issued.key.id,
    secret,
    signingSecret: issued.endpoint?.signingSecret ?? null,
    request,
    get: (path) => request('GET', path),
    submit: (body, idempotencyKey = randomUUID()) =>
      request('POST', '/applications', {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      }),
  };
}

/** A job's details, believable and complete; change what the story is about. */
export const WAREHOUSE_JOB = {
  title: 'Warehouse associate',
  location: { city: 'Reno', state: 'NV', country: 'US' },
  compensation: { type: 'hourly', min: 21.5, max: 26, currency: 'USD' },
  schedule: 'full_time',
  headcount: { total: 4, filled: 1 },
  applicationFormSchema: null,
} as const;

/** A company that grants the partner access, with one open job. */
export async function createEmployer(
  fixture: Fixture,
  partner: Pick<Partner, 'keyId'>,
  options: { readonly sandbox?: boolean } = {},
): Promise<{ readonly companyId: `co_${string}`; readonly jobId: `job_${string}` }> {
  const company = await fixture.operator.companies.register({
    name: 'Initech',
    environment: options.sandbox === true ? 'sandbox' : 'production',
  });
  await fixture.operator.access.grant({ keyId: partner.keyId, companyId: company.id });
  const job = await fixture.operator.jobs.publish({ companyId: company.id, ...WAREHOUSE_JOB });
  return { companyId: company.id, jobId: job.id };
}

/** A valid submission; change what the story is about. */
export function submission(jobId: string, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    jobId,
    candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
    consentToContact: true,
    ...changes,
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
