/** Submissions one at a time: what the partner sees is never older than what the operator has committed. */
import { randomUUID } from 'node:crypto';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  BASE_PATH,
  createEmployer,
  createPartner,
  type Partner,
  send,
  submission,
} from '@partner-hiring/test-support/partner';
import { ids } from '@partner-hiring/test-support/replies';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let database: TestDatabase;
let fixture: Fixture;
let partner: Partner;
let jobId: `job_${string}`;
let companyId: `co_${string}`;
/** The requested résumés. */
let fetched: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  fetched = [];
  const fetch = async (url: string) => {
    fetched.push(url);
    return { kind: 'failed', reason: 'too_large', retryable: false } as const;
  };
  const clock = createFakeClock();
  const storage = await database.open(clock);
  fixture = await createFixture({ storage, resumeSource: { fetch, close: async () => {} } }, {}, clock);
  partner = await createPartner(fixture, { endpoint: false });
  ({ companyId, jobId } = await createEmployer(fixture, partner));
});
afterEach(async () => {
  await fixture.close();
  await database.remove();
});

/** Submits one at a time, and returns the replies. */
async function submitEach(bodies: readonly unknown[]) {
  const replies = [];
  for (const body of bodies) replies.push(await partner.submit(body));
  return replies;
}

const statuses = (replies: readonly { readonly status: number }[]) => replies.map(({ status }) => status);

describe('POST /applications, one at a time', () => {
  it('sends equal replies with increasing counts', async () => {
    const bodies = Array.from({ length: 11 }, (_, number) =>
      submission(jobId, { sourceApplicationId: `ats-${number}`, resumeUrl: 'https://cv.example/1' }),
    );
    const replies = await submitEach(bodies);
    expect(statuses(replies)).toEqual([...Array(10).fill(201), 429]);
    const named = replies.slice(0, 10).map(({ headers }) => [...headers.keys()]);
    for (const names of named) expect(names).toEqual(named[0]);
    expect(replies.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0].map(String),
    );
    const listed = await partner.get('/applications');
    expect(ids(listed)).toEqual(replies.slice(0, 10).map(({ json }) => json.id));
    // What was read back is what the 201 said.
    const { json } = await partner.get(`/applications/${String(replies[5]?.json.id)}`);
    expect(json.submittedAt).toBe(replies[5]?.json.createdAt);
    expect(json.sourceApplicationId).toBe('ats-5');
  });

  it('fetches each résumé without waiting for the next poll', async () => {
    fixture.partnerHiring.worker.start();
    for (const number of [1, 2, 3]) {
      await partner.submit(submission(jobId, { resumeUrl: `https://cv.example/${number}` }));
      await expect.poll(() => fetched.length, { timeout: 5_000 }).toBe(number);
    }
  });

  it('replays the same submission, and refuses another body', async () => {
    await submitEach([submission(jobId), submission(jobId)]);
    const [key, body] = [randomUUID(), JSON.stringify(submission(jobId, { source: 'site' }))];
    const first = await partner.submit(body, key);
    const again = await partner.submit(body, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await partner.submit(`${body} `, key)).json.error).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(ids(await partner.get('/applications'))).toHaveLength(3);
    expect(statuses(await submitEach([submission(jobId), submission(jobId)]))).toEqual([201, 201]);
  });

  const refusals: readonly [string, () => Promise<unknown>, number, string][] = [
    ['the job is closed', () => fixture.operator.jobs.close({ id: jobId }), 409, 'JOB_CLOSED'],
    [
      'access is revoked',
      () => fixture.operator.access.revoke({ keyId: partner.keyId, companyId }),
      403,
      'ACCESS_REVOKED',
    ],
    [
      'the key is revoked',
      () => fixture.operator.keys.revoke({ keyId: partner.keyId, all: true }),
      401,
      'UNAUTHORIZED',
    ],
    [
      'the secret was replaced without an overlap',
      () => fixture.operator.keys.rotate({ keyId: partner.keyId, overlapMs: 0 }),
      401,
      'UNAUTHORIZED',
    ],
  ];
  it.each(refusals)('refuses the next submission when %s', async (_, end, status, error) => {
    expect(statuses(await submitEach([submission(jobId), submission(jobId)]))).toEqual([201, 201]);
    await end();
    const reply = await partner.submit(submission(jobId));
    expect([reply.status, reply.json.error]).toEqual([status, error]);
  });

  it('accepts both secrets of a rotation until the old one expires', async () => {
    const { secret } = await fixture.operator.keys.rotate({ keyId: partner.keyId, overlapMs: 40_000 });
    const renewed = (body: unknown) =>
      send(fixture, 'POST', '/applications', {
        body: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
      });
    expect(statuses(await submitEach([submission(jobId), submission(jobId)]))).toEqual([201, 201]);
    expect((await renewed(submission(jobId))).status).toBe(201);
    await fixture.clock.advance(39_999);
    expect(statuses(await submitEach([submission(jobId)]))).toEqual([201]);
    await fixture.clock.advance(1);
    const late = await partner.submit(submission(jobId));
    expect([late.status, late.json.error]).toEqual([401, 'UNAUTHORIZED']);
    expect((await renewed(submission(jobId))).status).toBe(201);
  });

  it('refuses a revoked key at once, before its body arrives', async () => {
    await submitEach([submission(jobId), submission(jobId)]);
    await fixture.operator.keys.revoke({ keyId: partner.keyId, all: true });
    const stalled = new ReadableStream<Uint8Array>({});
    const reply = await fixture.partnerHiring.fetch(
      new Request(`http://api.test${BASE_PATH}/applications`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${partner.secret}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: stalled,
        duplex: 'half',
      }),
    );
    expect(reply.status).toBe(401);
  });

  it('ends bootstrap mode', async () => {
    await fixture.operator.access.enableBootstrap({ keyId: partner.keyId, companyId });
    await fixture.clock.advance(24 * 60 * 60_000 - 1_000);
    const many = Array.from({ length: 12 }, () => submission(jobId));
    expect(statuses(await submitEach(many))).toEqual(Array(12).fill(201));
    await fixture.clock.advance(1_000);
    expect(statuses(await submitEach(many.slice(1)))).toEqual([...Array(10).fill(201), 429]);
  });

  it('frees an expired idempotency key', async () => {
    const key = randomUUID();
    const first = await partner.submit(submission(jobId), key);
    await fixture.clock.advance(24 * 60 * 60_000 - 1);
    expect((await partner.submit(submission(jobId, { source: 'site' }), key)).status).toBe(422);
    await fixture.clock.advance(1);
    await submitEach([submission(jobId)]);
    const body = submission(jobId, { source: 'site' });
    const again = await partner.submit(body, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(again.json.id).not.toBe(first.json.id);
    expect((await partner.submit(body, key)).text).toBe(again.text);
  });

  it('judges by the current job', async () => {
    await submitEach([submission(jobId), submission(jobId)]);
    const question = { key: 'shift', label: 'Shift?', type: 'boolean', required: true };
    await fixture.operator.jobs.update({ id: jobId, changes: { applicationFormSchema: [question] } });
    expect((await partner.submit(submission(jobId))).status).toBe(422);
  });

  it('reports answers that do not fit the job', async () => {
    const question = { key: 'shift', label: 'Shift?', type: 'boolean', required: true };
    await fixture.operator.jobs.update({ id: jobId, changes: { applicationFormSchema: [question] } });
    const fitting = () => submission(jobId, { applicationFormAnswers: { shift: true } });
    expect(statuses(await submitEach([fitting(), fitting()]))).toEqual([201, 201]);
    const { status, json } = await partner.submit(submission(jobId));
    expect([status, json.details]).toEqual([
      422,
      { errors: [expect.objectContaining({ field: 'applicationFormAnswers.shift', code: 'required' })] },
    ]);
    expect(statuses(await submitEach([fitting()]))).toEqual([201]);
  });

  it('accepts a source id once, and reports errors of fields', async () => {
    const mine = submission(jobId, { sourceApplicationId: 'ats-1' });
    const [, first, second] = await submitEach([submission(jobId), mine, mine]);
    expect(second?.json).toMatchObject({
      error: 'DUPLICATE_SOURCE_APPLICATION_ID',
      details: { applicationId: first?.json.id },
    });
    await submitEach([submission(jobId)]);
    const wrong = await partner.submit(submission(jobId, { consentToContact: false }));
    expect([wrong.status, wrong.json.error]).toEqual([422, 'VALIDATION_ERROR']);
  });

  it('accepts a crowd of the same submission once', async () => {
    await submitEach([submission(jobId), submission(jobId)]);
    const [key, body] = [randomUUID(), JSON.stringify(submission(jobId))];
    const replies = await Promise.all(Array.from({ length: 50 }, () => partner.submit(body, key)));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(49);
    expect(ids(await partner.get('/applications'))).toHaveLength(3);
  });

  it('records the use of the secret each minute', async () => {
    await submitEach([submission(jobId), submission(jobId)]);
    await fixture.clock.advance(60_000);
    await submitEach([submission(jobId), submission(jobId)]);
    const [key] = (await fixture.operator.keys.list()).items;
    expect(key?.secrets[0]?.lastUsedAt).toBe(fixture.clock.now());
  });
});
