import { createBuilders, SAMPLE_JOB_DETAILS, sampleSubmission } from '../../packages/testing/src/builders.js';
import {
  sendTestRequest,
  type TestKey,
  type TestReply,
  type TestRequestParts,
} from '../../packages/testing/src/test-key.js';
import type { Fixture } from './fixture.js';

/** The base path of the API in every test story. */
export const BASE_PATH = '/api/v1/external';

/** A reply as a partner's program reads it. */
export type Reply = TestReply;

/** A request beyond its method and path. */
export type RequestParts = TestRequestParts;

/** A partner's program, which calls the API with its key. */
export interface Partner extends Omit<TestKey, 'partnerId' | 'endpointUrl' | 'waitFor' | 'submit'> {
  /** Submits a candidate; a fresh idempotency key unless one is given. */
  submit(body: unknown, idempotencyKey?: string): Promise<Reply>;
}

/** Sends one request to the API of a fixture, without a network. */
export function send(
  fixture: { readonly partnerHiring: Pick<Fixture['partnerHiring'], 'fetch'> },
  method: string,
  path: string,
  parts: RequestParts = {},
): Promise<Reply> {
  const { fetch } = fixture.partnerHiring;
  return sendTestRequest({ fetch, basePath: BASE_PATH }, method, path, parts);
}

/** Creates a partner with a key and, unless `endpoint` is false, a webhook endpoint. */
export async function createPartner(
  fixture: Fixture,
  options: {
    readonly sandbox?: boolean;
    readonly endpoint?: boolean;
    readonly partnerId?: `ptn_${string}`;
  } = {},
): Promise<Partner> {
  const { endpoint: hasEndpoint = true, sandbox = false, partnerId } = options;
  const { createKey } = createBuilders({
    operator: fixture.operator,
    fetch: (request) => fixture.partnerHiring.fetch(request),
    basePath: BASE_PATH,
    waitFor: (...waited) => fixture.transport.waitFor(...waited),
  });
  return createKey({
    environment: sandbox ? 'sandbox' : 'production',
    endpointUrl: hasEndpoint ? 'https://ats.example.org/webhooks' : null,
    ...(partnerId === undefined ? {} : { partnerId }),
  });
}

/** The details of a complete and believable job. A test overrides those that it is about. */
export const WAREHOUSE_JOB = SAMPLE_JOB_DETAILS;

/** A company that grants the partner access, with one open job. */
export async function createEmployer(
  fixture: { readonly operator: Pick<Fixture['operator'], 'companies' | 'access' | 'jobs'> },
  partner: Pick<Partner, 'keyId'>,
  options: { readonly sandbox?: boolean } = {},
): Promise<{ readonly companyId: `co_${string}`; readonly jobId: `job_${string}` }> {
  const company = await fixture.operator.companies.create({
    name: 'Initech',
    environment: options.sandbox === true ? 'sandbox' : 'production',
  });
  await fixture.operator.access.grant({ keyId: partner.keyId, companyId: company.id });
  const job = await fixture.operator.jobs.publish({ companyId: company.id, ...WAREHOUSE_JOB });
  return { companyId: company.id, jobId: job.id };
}

/** Returns a valid submission for a job. `changes` overrides its fields. */
export const submission = sampleSubmission;

/** The ids of the rows of a list. */
export function ids(reply: Reply): string[] {
  return (reply.json.data as { id: string }[]).map(({ id }) => id);
}

/** The validation errors as `field: code`. */
export function fieldErrors(reply: Reply): string[] {
  const { errors } = reply.json.details as { errors: { field: string; code: string }[] };
  return errors.map(({ field, code }) => `${field}: ${code}`);
}

/** The status and error code of a reply. */
export function outcomeOf({ status, json }: Reply): readonly unknown[] {
  return [status, json.error];
}

/** The rate headers: limit, remaining, reset. */
export function rateOf({ headers }: Reply): readonly number[] {
  return ['limit', 'remaining', 'reset'].map((part) =>
    Number(headers.get(`x-ratelimit-${part}`) ?? Number.NaN),
  );
}

/** Runs `act` the given number of times in sequence. Returns all results. */
export async function times<T>(count: number, act: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await act());
  return results;
}
