/**
 * The replies of the four routes, while everything that a host can turn on is off. `recorded-replies.json` has those of
 * the commit before `GET /events` and `/webhook-endpoint` were added. After a change that is meant to be seen by partners,
 * run this file with `RECORD=1`, and read the difference. The messages of errors are those of `WIRE_ERRORS`, and stand as … there:
 * `docs/openapi.json` has them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { WIRE_ERRORS, type WireErrorCode } from '@partner-hiring/core/contract';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner } from '@partner-hiring/test-support/partner';
import { expect, it, onTestFinished } from 'vitest';

const FILE = new URL('recorded-replies.json', import.meta.url);
const BASE = 'https://hiring.example.com/api/v1/external';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const PATHS = [
  '/jobs',
  '/applications',
  '/applications/ej_app_none',
  '/events',
  '/webhook-endpoint',
  '/webhook-endpoint/test',
  '/webhook-endpoint/deliveries',
  '/webhook-endpoint/deliveries/evt_1/resend',
  '/unknown',
  '/jobs/',
  '',
];

const JOB = {
  title: 'Line Cook',
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { type: 'hourly', min: 17.5, max: null, currency: 'USD' },
  schedule: 'full_time',
  headcount: { total: 2, filled: 1 },
  applicationFormSchema: [{ key: 'weekends', label: 'Weekends?', type: 'boolean', required: true }],
} as const;

interface Parts {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Names ids, cursors and request ids, which are random, after the order in which they first appear. */
function createNaming(): (text: string) => string {
  const names = new Map<string, string>();
  const nameOf = (id: string, kind: string) => {
    const name = names.get(id) ?? `${kind}_${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  return (text) =>
    text
      .replaceAll(/\b(ej_app|job|co|evt)_[0-9a-z]{26}\b/g, (id, kind: string) => nameOf(id, kind))
      .replaceAll(/"next_cursor":"([\w-]+)"/g, (_, cursor: string) => `"next_cursor":<${cursor.length}>`)
      .replaceAll(/"x-request-id":"[^"]+"/g, '"x-request-id":"…"');
}

/** Leaves out the message that the table has for the error, and its bytes of the length. */
function withoutMessage(reply: string, error: unknown): string {
  const { message } = WIRE_ERRORS[error as WireErrorCode] ?? {};
  const parts = reply.split(`"message":${JSON.stringify(message)}`);
  if (parts.length !== 2) return reply;
  const bytes = Buffer.byteLength(JSON.stringify(message));
  return parts
    .join('"message":…')
    .replace(/"content-length":"(\d+)"/, (_, length) => `"content-length":"${Number(length) - bytes}"`);
}

async function playAll(fixture: Fixture): Promise<readonly string[]> {
  const { operator } = fixture;
  const partner = await createPartner(fixture, { endpoint: false });
  const { keyId } = partner;
  const { companyId, jobId: first } = await createEmployer(fixture, partner);
  const { id: jobId } = await operator.jobs.publish({ companyId, ...JOB });
  const { id: closed } = await operator.jobs.publish({ companyId, ...JOB });
  const { companyId: left, jobId: revoked } = await createEmployer(fixture, partner);
  await operator.jobs.close({ id: closed });
  await operator.jobs.close({ id: first });
  await operator.access.revoke({ keyId, companyId: left });
  const name = createNaming();
  const lines: string[] = [];
  let lengthOfGet = '';

  async function ask(path: string, { method = 'GET', body, headers = {} }: Parts = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { authorization: `Bearer ${partner.secret}`, ...headers };
    const request = new Request(BASE + path, {
      method,
      headers: sent,
      ...(text === undefined ? {} : { body: text }),
    });
    const reply = await fixture.partnerHiring.fetch(request);
    const { status } = reply;
    const got = await reply.text();
    const line = JSON.stringify([`${method} ${path}`, status, Object.fromEntries(reply.headers)]);
    const json = got === '' ? {} : (JSON.parse(got) as Readonly<Record<string, unknown>>);
    const length = `"content-length":"${reply.headers.get('content-length')}"`;
    // Each HEAD follows the GET of its path.
    const seen = method === 'HEAD' ? line.replace(lengthOfGet, '"content-length":"of GET"') : line;
    lines.push(name(withoutMessage(`${seen} ${got}`, json.error)));
    if (method === 'GET') lengthOfGet = length;
    return json;
  }
  const submit = (body: unknown, number: number, headers: Readonly<Record<string, string>> = {}) => {
    const key = `9c6f3f0e-6c0e-4f5a-9d53-${String(number).padStart(12, '0')}`;
    const own = { 'content-type': 'application/json', 'idempotency-key': key };
    return ask('/applications', { method: 'POST', body, headers: { ...own, ...headers } });
  };
  const candidate = { firstName: 'Zoë', lastName: '李', email: 'zoe@example.org', phone: '+14155550123' };
  const answers = { applicationFormAnswers: { weekends: true } };
  const submission = { jobId, candidate, consentToContact: true, ...answers, sourceApplicationId: 'ats-1' };

  for (const path of PATHS) for (const method of METHODS) await ask(path, { method });
  await ask('/jobs', { headers: { authorization: '' } });
  await ask('/jobs', { headers: { authorization: 'Bearer pek_live_none' } });
  for (const query of [
    'limit=1',
    'limit=0',
    'limit=x&cursor=forged',
    'cursor=forged',
    'updated_since=soon',
    'company_id=co_none',
  ]) {
    await ask(`/jobs?${query}`);
    await ask(`/applications?${query}`);
  }
  await ask('/applications?status=lost');
  await submit(submission, 1);
  await submit(submission, 1);
  await submit({ ...submission, source: 'x' }, 1);
  await submit(submission, 2);
  await submit({ ...submission, jobId: 'job_none' }, 3);
  await submit({ ...submission, jobId: closed }, 4);
  await submit({ ...submission, jobId: revoked }, 5);
  await submit({ ...submission, sourceApplicationId: 'ats-2', applicationFormAnswers: { other: 1 } }, 6);
  await submit({ candidate: { firstName: '', lastName: 'x'.repeat(101), email: 'a', phone: 1 } }, 7);
  await submit('{', 8);
  await submit('x'.repeat(300_000), 9);
  await submit(submission, 10, { 'content-type': 'text/plain' });
  await submit(submission, 11, { 'content-encoding': 'gzip' });
  await submit(submission, 12, { 'idempotency-key': '' });
  await submit(submission, 13, { 'idempotency-key': 'no-uuid' });
  const page = await ask('/applications?limit=1&status=received');
  const [application] = page.data as readonly { readonly id: `ej_app_${string}` }[];
  if (application === undefined) throw new Error('The list must have the submission.');
  await operator.applications.move({ id: application.id });
  await operator.applications.decide({ id: application.id, decision: 'accepted' });
  await ask(`/applications/${application.id}`);
  await ask(`/applications/${application.id}`, { method: 'HEAD' });
  for (let number = 20; number < 31; number += 1) {
    await submit({ ...submission, sourceApplicationId: `ats-${number}` }, number);
  }
  await ask('/applications?limit=3');
  return lines;
}

it('are byte for byte those of the recorded replies', async () => {
  const fixture = await createFixture();
  onTestFinished(() => fixture.close());
  const lines = await playAll(fixture);
  if (process.env.RECORD === '1') writeFileSync(FILE, `${JSON.stringify(lines, null, 2)}\n`);
  expect(lines).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
});
