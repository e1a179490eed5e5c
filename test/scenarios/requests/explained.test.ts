/** Each error that a partner can get is found by its request id, with the rule and a fix. */
import { StorageUnavailable } from '@partner-hiring/core';
import {
  createEmployer,
  createPartner,
  type Reply,
  send,
  submission,
  times,
} from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import {
  explainRefusal,
  WIRE_ERRORS,
  type WireErrorCode,
} from '../../../packages/core/src/domain/wire-errors.js';
import { AUTHORIZATION_REFUSALS } from '../../../packages/core/src/features/request-log/find-request.js';
import type { RequestReads } from '../../../packages/core/src/features/request-log/rules.js';
import { openRequestStage, type RequestStage } from './stage.js';

function refusalOf(code: WireErrorCode) {
  return code === 'UNAUTHORIZED'
    ? AUTHORIZATION_REFUSALS['Authorization.missing']
    : explainRefusal(code, 'operator');
}

const stage = perTest(
  () => openRequestStage(),
  (opened) => opened.close(),
);

const KEY = '11111111-1111-4111-8111-111111111111';
const CANDIDATE = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' };
const JSON_TYPE = { 'content-type': 'application/json' };

function idOf(reply: Reply): string {
  return reply.headers.get('x-request-id') ?? '';
}

async function foundOf(reply: Reply) {
  const found = await stage.fixture.operator.requests.find({ id: idOf(reply) });
  if (found === null) throw new Error(`The log does not have ${reply.text}.`);
  return found;
}

/** How a partner gets each error. */
const ERRORS: Readonly<Record<WireErrorCode, (stage: RequestStage) => Promise<Reply>>> = {
  IDEMPOTENCY_KEY_REQUIRED: ({ partner }) =>
    partner.request('POST', '/applications', { headers: JSON_TYPE, body: '{}' }),
  IDEMPOTENCY_KEY_REUSED: async ({ partner, jobId }) => {
    await partner.submit(submission(jobId), KEY);
    return partner.submit(submission(jobId, { source: 'x' }), KEY);
  },
  VALIDATION_ERROR: ({ partner }) => partner.submit('{'),
  JOB_NOT_FOUND: ({ partner }) => partner.submit(submission('job_none')),
  JOB_CLOSED: async ({ fixture, partner, jobId }) => {
    await fixture.operator.jobs.close({ id: jobId as `job_${string}` });
    return partner.submit(submission(jobId));
  },
  ACCESS_REVOKED: async ({ fixture, partner, companyId, jobId }) => {
    await fixture.operator.access.revoke({ keyId: partner.keyId, companyId });
    return partner.submit(submission(jobId));
  },
  DUPLICATE_SOURCE_APPLICATION_ID: async ({ partner, jobId }) => {
    await partner.submit(submission(jobId, { sourceApplicationId: 's1' }));
    return partner.submit(submission(jobId, { sourceApplicationId: 's1' }));
  },
  RATE_LIMITED: async ({ partner }) => {
    await times(60, () => partner.get('/jobs'));
    return partner.get('/jobs');
  },
  UNAUTHORIZED: ({ fixture }) => send(fixture, 'GET', '/jobs'),
  APPLICATION_NOT_FOUND: ({ partner }) => partner.get('/applications/none'),
  IDEMPOTENCY_KEY_IN_PROGRESS: async ({ fixture }) => {
    const partner = await createPartner(fixture, { sandbox: true });
    const { jobId } = await createEmployer(fixture, partner, { sandbox: true });
    const candidate = { ...CANDIDATE, email: 'in-progress@sandbox.example' };
    return partner.submit(submission(jobId, { candidate }));
  },
  NOT_FOUND: ({ partner }) => partner.get('/nothing'),
  METHOD_NOT_ALLOWED: ({ partner }) => partner.request('DELETE', '/jobs'),
  PAYLOAD_TOO_LARGE: ({ partner }) => partner.submit('x'.repeat(300_000)),
  UNSUPPORTED_MEDIA_TYPE: ({ partner }) =>
    partner.request('POST', '/applications', { headers: { 'content-type': 'text/plain' }, body: '{}' }),
  INTERNAL_ERROR: ({ partner, failReads }) => {
    failReads(new Error('A bug.'));
    return partner.get('/jobs');
  },
  SERVICE_UNAVAILABLE: ({ partner, failReads }) => {
    failReads(new StorageUnavailable('Down.'));
    return partner.get('/jobs');
  },
};

describe.each(Object.entries(ERRORS))('%s', (code, cause) => {
  it('is found by the request id of its reply, with a rule and a fix', async () => {
    const reply = await cause(stage);
    expect(reply.json.error).toBe(code);
    const found = await foundOf(reply);
    expect(found).toMatchObject({
      code,
      status: reply.status,
      refusal: refusalOf(code as WireErrorCode),
    });
    expect(found.refusal?.rule).toMatch(/\w.*\.$/);
    expect(found.refusal?.fix).toMatch(/\w.*\.$/);
    const isAnonymous = code === 'UNAUTHORIZED';
    expect(found.keyId === null).toBe(isAnonymous);
    expect(found.client !== null).toBe(isAnonymous);
    expect(found.keyLabel === null).toBe(isAnonymous);
  });
});

it('explains every code', () => {
  expect(Object.keys(ERRORS).toSorted()).toEqual(Object.keys(WIRE_ERRORS).toSorted());
});

it('names the fields that failed with their codes, but none that the partner invented', async () => {
  const { partner, jobId } = stage;
  const invalid = submission(jobId, { candidate: { ...CANDIDATE, email: 'no', lastName: '' }, source: 7 });
  expect((await foundOf(await partner.submit(invalid))).fields).toEqual([
    'candidate.lastName: too_short',
    'candidate.email: invalid_format',
    'source: invalid_type',
  ]);
  const answers = { applicationFormAnswers: { 'Ada Lovelace': true, other: 'x' } };
  expect((await foundOf(await partner.submit(submission(jobId, answers)))).fields).toEqual([
    'applicationFormAnswers.*: unknown_field',
  ]);
  expect((await foundOf(await partner.submit('{'))).fields).toEqual(['body: invalid_json']);
  expect((await foundOf(await partner.submit(submission(jobId), 'x'))).fields).toEqual([
    'Idempotency-Key: invalid_format',
  ]);
  expect((await foundOf(await partner.get('/jobs?limit=x&cursor=y'))).fields).toEqual([
    'cursor: invalid_cursor',
    'limit: invalid_type',
  ]);
});

it('a submission has the application, and a replay the request that it repeats', async () => {
  const { partner, partnerId, jobId, fixture } = stage;
  const body = submission(jobId);
  const first = await partner.submit(body, KEY);
  const applicationId = first.json.id as `ej_app_${string}`;
  await stage.clock.advance(1_500);
  const replay = await partner.submit(body, KEY);
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
  const original = await foundOf(first);
  expect(original).toMatchObject({
    applicationId,
    isReplay: false,
    repeats: null,
    refusal: null,
    status: 201,
  });
  expect(original).toMatchObject({ keyId: partner.keyId, partnerId, code: null, count: 1 });
  expect(await foundOf(replay)).toMatchObject({ applicationId, isReplay: true, repeats: idOf(first) });
  const { items: requests } = await fixture.operator.requests.list({ applicationId });
  expect(requests.map(({ requestId }) => requestId)).toEqual([idOf(replay), idOf(first)]);
});

it('a duplicate has the application that it duplicates', async () => {
  const { partner, jobId } = stage;
  const body = submission(jobId, { sourceApplicationId: 's1' });
  const first = await partner.submit(body);
  const second = await foundOf(await partner.submit(body));
  expect(second).toMatchObject({ code: 'DUPLICATE_SOURCE_APPLICATION_ID', applicationId: first.json.id });
});

it('lists by key, partner, errors and time, in pages, and refuses other combinations', async () => {
  const { partner, partnerId, fixture, clock, jobId } = stage;
  const { requests } = fixture.operator;
  const other = await createPartner(fixture, { sandbox: true, partnerId });
  const sent: string[] = [];
  for (const by of [partner, other, partner]) {
    sent.push(idOf(await by.submit('{')));
    await clock.advance(10);
  }
  sent.push(idOf(await partner.submit(submission(jobId))));
  const newest = sent.toReversed();
  const idsOf = async (filter: Parameters<typeof requests.list>[0]) =>
    (await requests.list(filter)).items.map(({ requestId }) => requestId);
  expect(await idsOf({})).toEqual(newest);
  expect(await idsOf(undefined)).toEqual(newest);
  expect(await idsOf({ partnerId })).toEqual(newest);
  expect(await idsOf({ partnerId: 'ptn_none' })).toEqual([]);
  expect(await idsOf({ keyId: other.keyId })).toEqual([sent[1]]);
  expect(await idsOf({ keyId: partner.keyId, onlyErrors: true })).toEqual([sent[2], sent[0]]);
  const first = await requests.list({ partnerId, limit: 3 });
  expect(first.items.map(({ requestId }) => requestId)).toEqual(newest.slice(0, 3));
  const cursor = first.nextCursor ?? '';
  expect(await idsOf({ partnerId, cursor })).toEqual(newest.slice(3));
  const [last] = (await requests.list({ limit: 1 })).items;
  const at = last?.at ?? 0;
  expect(await idsOf({ since: at - 10, until: at })).toEqual([sent[2]]);
  await expect(requests.list({ cursor })).rejects.toThrow(/cursor must be/);
  await expect(requests.list({ keyId: partner.keyId, partnerId })).rejects.toThrow(
    /`keyId` and `partnerId` cannot be combined/,
  );
  await expect(requests.list({ onlyErrors: 'yes' as never })).rejects.toThrow(
    /onlyErrors must be true or false/,
  );
});

it('counts successful reads by route and minute', async () => {
  const { partner, fixture, clock } = stage;
  const first = await partner.get('/jobs');
  await partner.request('HEAD', '/jobs');
  const third = await partner.get('/jobs');
  await partner.get('/applications');
  await fixture.operator.requests.listReads({ keyId: partner.keyId });
  const minute = clock.now() - (clock.now() % 60_000);
  await clock.advance(60_000);
  const last = await partner.get('/jobs');
  const { keyId } = partner;
  const { items: reads, nextCursor } = await fixture.operator.requests.listReads({ keyId });
  const lastReads: RequestReads[] = [];
  for await (const each of fixture.operator.requests.eachRead({ keyId, onlyLast: true, limit: 1 }))
    lastReads.push(each);
  const shown = reads.map(({ route, minute: at, count, lastRequestId }) => [route, at, count, lastRequestId]);
  expect(shown).toEqual([
    ['/jobs', minute + 60_000, 1, idOf(last)],
    ['/jobs', minute, 3, idOf(third)],
    ['/applications', minute, 1, expect.any(String)],
  ]);
  expect(nextCursor).toBeNull();
  expect(lastReads.map(({ route, lastRequestId }) => [route, lastRequestId])).toEqual([
    ['/applications', expect.any(String)],
    ['/jobs', idOf(last)],
  ]);
  expect(await fixture.operator.requests.find({ id: idOf(first) })).toBeNull();
  const page = await fixture.operator.requests.listReads({ keyId: partner.keyId, limit: 1 });
  const next = {
    keyId: partner.keyId,
    limit: 9,
    ...(page.nextCursor === null ? {} : { cursor: page.nextCursor }),
  };
  expect((await fixture.operator.requests.listReads(next)).items).toEqual(reads.slice(1));
});

describe('without the request log', () => {
  const off = perTest(
    () => openRequestStage({ requestLog: false }),
    (opened) => opened.close(),
  );

  it('records nothing', async () => {
    await off.partner.submit('{');
    await off.partner.get('/jobs');
    await off.clock.advance(5_000);
    expect((await off.fixture.operator.requests.list()).items).toEqual([]);
    expect(off.writes()).toBe(0);
  });
});
