/** No text that a partner can send, in whatever place, is too much for the database. */
import { randomUUID } from 'node:crypto';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { BASE_PATH, createEmployer, createPartner, submission } from '@partner-hiring/test-support/partner';
import { afterAll, describe, expect, it } from 'vitest';

// One platform for all tests: each text is refused or finds nothing, so none leaves a trace.
const limits = { read_application: 10_000, list_applications: 10_000, list_jobs: 10_000, guard: 10_000 };
const fixture = await createFixture({ limits });
const partner = await createPartner(fixture);
const { jobId } = await createEmployer(fixture, partner);
afterAll(() => fixture.close());

/** NUL, a lone surrogate as bytes, bytes that are no UTF-8, a sign that is no escape; and each behind other text. */
const ESCAPES = ['%00', '%ED%A0%80', '%FF', '%C0%80', '%', '%u0000'].flatMap((text) => [
  text,
  `job_1${text}`,
]);

/** The same in JSON. */
const TEXTS = ['\0', 'ej_app_1\0', '\ud800', '\udfffej_app_1'];

describe('in a path', () => {
  it.each(ESCAPES)('an application named %s is unknown', async (id) => {
    for (const path of [`/applications/${id}`, `/applications/ej_app_${id}`]) {
      const reply = await partner.get(path);
      expect([reply.status, reply.json.error]).toEqual([404, 'APPLICATION_NOT_FOUND']);
    }
  });
});

describe('in a query', () => {
  const names = ['updated_since', 'cursor', 'limit', 'company_id', 'status', 'other'];
  it.each(ESCAPES)('%s is refused, or narrows a list to nothing', async (value) => {
    for (const list of ['/jobs', '/applications']) {
      for (const name of names) {
        const { status, json } = await partner.get(`${list}?${name}=${value}`);
        expect([200, 422], `${list} ${name}`).toContain(status);
        if (status === 422) expect(json).toMatchObject({ details: { errors: [{ field: name }] } });
        else if (name !== 'other') expect([name, json.data]).toEqual(['company_id', []]);
      }
    }
  });

  it.each(TEXTS)('a cursor made up with %j is refused', async (text) => {
    for (const list of ['jobs', 'applications']) {
      for (const values of [
        [1, list, partner.keyId, null, text, null, 5],
        [1, list, text, null, null, null, 5],
        [1, list, partner.keyId, null, null, null, text],
      ]) {
        const cursor = Buffer.from(JSON.stringify(values)).toString('base64url');
        const { status, json } = await partner.get(`/${list}?cursor=${cursor}`);
        expect([status, json.details]).toMatchObject([
          422,
          { errors: [{ field: 'cursor', code: 'invalid_cursor' }] },
        ]);
      }
    }
  });
});

describe('in a submission', () => {
  it.each(TEXTS)('%j is refused in each place of the body, and nothing is stored', async (text) => {
    const valid = submission(jobId) as Record<string, unknown>;
    const candidate = valid.candidate as object;
    const bodies = [
      { ...valid, jobId: text },
      ...['firstName', 'lastName', 'email', 'phone'].map((name) => ({
        ...valid,
        candidate: { ...candidate, [name]: text },
      })),
      ...['source', 'sourceApplicationId', 'resumeUrl'].map((name) => ({ ...valid, [name]: text })),
      { ...valid, applicationFormAnswers: { [text]: true } },
      { ...valid, applicationFormAnswers: { nights: [text] } },
    ];
    for (const body of bodies) {
      const { status, json } = await partner.submit(body);
      expect([status, json.error]).toEqual([422, 'VALIDATION_ERROR']);
    }
    expect((await fixture.operator.applications.list()).items).toEqual([]);
  });

  it.each(TEXTS)('%j is ignored in unknown fields and in their names (decision 8)', async (text) => {
    const valid = submission(jobId) as Record<string, unknown>;
    const candidate = { ...(valid.candidate as object), note: text };
    const { status } = await partner.submit({ ...valid, candidate, note: text, [text]: text });
    expect(status).toBe(201);
  });

  it('an Idempotency-Key with it is none, also where an adapter hands it over', async () => {
    for (const key of ['\0', `${randomUUID()}\0`, '\ud800', `\udfff${randomUUID()}`]) {
      const headers = { authorization: `Bearer ${partner.secret}`, 'idempotency-key': key };
      const { status } = await handOver('POST', '/applications', headers, submission(jobId));
      expect([key, status]).toEqual([key, 422]);
    }
  });
});

it.each(TEXTS)('a key with %j in it is no key', async (text) => {
  for (const key of [text, `${partner.secret}${text}`, `pek_live_${text}`]) {
    const { status } = await handOver('GET', '/jobs', { authorization: `Bearer ${key}` });
    expect([key, status]).toEqual([key, 401]);
  }
});

/** A request as an adapter hands it over whose server lets any text through. */
function handOver(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown = {},
) {
  return fixture.partnerHiring.handler({
    method,
    target: BASE_PATH + path,
    clientAddress: '192.0.2.1',
    headerValues: (name) => [{ 'content-type': 'application/json', ...headers }[name] ?? []].flat(),
    readBody: async () => Buffer.from(JSON.stringify(body)),
  });
}
