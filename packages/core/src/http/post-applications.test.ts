import { describe, expect, it } from 'vitest';
import { KEY, RATES, rateOf } from '../../../../test/support/fake-partner-api.js';
import { createHandlerUnderTest, neutralRequest } from '../../../../test/support/handler.js';
import { describeSecret } from '../domain/partner-key.js';
import type { RateState } from '../domain/rate-limit.js';
import { StorageUnavailable, validationError, WIRE_ERRORS, type WireError } from '../errors.js';
import type { CreatedOutcome, SubmitCall } from '../partner/partner-api.js';
import type { KeyOfSecret } from '../ports/repositories/keys.js';

const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
const HEADERS = { 'content-type': 'application/json', 'idempotency-key': UUID };
const BODY = JSON.stringify({
  jobId: 'job_1',
  candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
  consentToContact: true,
});

async function post(
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: string | Uint8Array = BODY,
  maxBodyBytes = 10_000,
) {
  const { send, asked } = createHandlerUnderTest({}, { maxBodyBytes });
  const reply = await send('POST', '/applications', { headers, body });
  return { ...reply, json: JSON.parse(reply.body), asked };
}

describe('a submission', () => {
  it('201 with the bytes that the use case stored, and the bucket it was counted in', async () => {
    const { status, body, headers, asked } = await post(HEADERS);
    expect([status, body]).toEqual([201, '{"id":"ej_app_1"}']);
    expect(headers['X-RateLimit-Limit']).toBe('10');
    expect(headers).not.toHaveProperty('Idempotent-Replayed');
    expect(asked.guarded).toEqual([]);
  });

  it('hands on the raw bytes, the key in lower case, and what was read of the body', async () => {
    const { asked } = await post({ ...HEADERS, 'idempotency-key': UUID.toUpperCase() });
    expect(asked.submissions).toMatchObject([
      { idempotencyKey: UUID, parsed: { kind: 'valid', submission: { jobId: 'job_1' } } },
    ]);
    expect(Buffer.from(asked.submissions[0]?.body ?? []).toString()).toBe(BODY);
  });

  it('a replay: the stored bytes and status, Idempotent-Replayed, a fresh X-Request-Id (decision 13)', async () => {
    const { send } = createHandlerUnderTest({
      submitApplication: async () => ({
        kind: 'replayed',
        reply: { status: 201, body: '{"stored":1}' },
        rate: RATES.submitted,
      }),
    });
    await send('GET', '/jobs');
    const reply = await send('POST', '/applications', { headers: HEADERS, body: BODY });
    expect([reply.status, reply.body]).toEqual([201, '{"stored":1}']);
    expect(reply.headers).toMatchObject({ 'Idempotent-Replayed': 'true', 'X-Request-Id': 'request-2' });
  });
});

describe('a submission of a presumed caller', () => {
  const CALLER: KeyOfSecret = {
    key: KEY,
    secret: describeSecret(KEY.id, 'production', 'pek_live_x', KEY.createdAt),
  };
  const created = {
    kind: 'created',
    reply: { status: 201, body: '{"id":"ej_app_9"}' },
    rate: RATES.submitted,
  } as const;

  /** Posts for a caller whom the use cases presume; answers also what was asked of them in one step. */
  async function postPresumed(
    outcome: CreatedOutcome | null,
    headers: Readonly<Record<string, string>> = HEADERS,
    body: string = BODY,
  ) {
    const steps: Omit<SubmitCall, 'key'>[] = [];
    let reads = 0;
    const { handler, asked } = createHandlerUnderTest({
      presume: () => CALLER,
      submitPresumed: async (_, call) => {
        steps.push(call);
        return outcome;
      },
    });
    const request = neutralRequest('POST', '/api/v1/external/applications', { headers, body });
    const reply = await handler({
      ...request,
      readBody: (limit) => {
        reads += 1;
        return request.readBody(limit);
      },
    });
    return { reply, asked, steps, reads };
  }

  it('is answered like any other, and nothing else is asked', async () => {
    const { reply, asked, steps } = await postPresumed(created);
    expect([reply.status, reply.body]).toEqual([201, '{"id":"ej_app_9"}']);
    expect(reply.headers).toEqual(
      (await createHandlerUnderTest().send('POST', '/applications', { headers: HEADERS, body: BODY }))
        .headers,
    );
    expect([asked.admissions, asked.submissions, asked.guarded]).toEqual([[], [], []]);
    expect(steps).toMatchObject([{ idempotencyKey: UUID, parsed: { kind: 'valid' } }]);
  });

  it('goes the ordinary way, with the same bytes, read and parsed once, if that could not be done', async () => {
    const { reply, asked, steps, reads } = await postPresumed(null);
    expect([reply.status, reply.body]).toEqual([201, '{"id":"ej_app_1"}']);
    expect(asked.admissions).toHaveLength(1);
    expect(asked.submissions).toEqual([{ ...steps[0], key: KEY }]);
    expect(asked.submissions[0]?.parsed).toBe(steps[0]?.parsed);
    expect(reads).toBe(1);
  });

  it.each([
    [415, 'UNSUPPORTED_MEDIA_TYPE', { ...HEADERS, 'content-type': 'text/plain' }, BODY],
    [422, 'IDEMPOTENCY_KEY_REQUIRED', { 'content-type': 'application/json' }, BODY],
    [422, 'VALIDATION_ERROR', { ...HEADERS, 'idempotency-key': 'x' }, BODY],
    [413, 'PAYLOAD_TOO_LARGE', HEADERS, ' '.repeat(300_000)],
  ])('%d %s is refused and counted in the ordinary way, once', async (status, error, headers, body) => {
    const { reply, asked, steps, reads } = await postPresumed(created, headers, body);
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([status, error]);
    expect([steps.length, asked.admissions.length, asked.guarded.length, reads]).toEqual([0, 1, 1, 1]);
  });

  it('503 if nobody can say whether it was done, and it is not tried again', async () => {
    const { send, asked } = createHandlerUnderTest({
      presume: () => CALLER,
      submitPresumed: () => Promise.reject(new StorageUnavailable('The outcome is unknown.')),
    });
    const reply = await send('POST', '/applications', { headers: HEADERS, body: BODY });
    expect(reply.status).toBe(503);
    expect(reply.headers).toHaveProperty('Retry-After');
    expect(reply.headers['X-RateLimit-Limit']).toBe('300');
    expect([asked.admissions, asked.submissions]).toEqual([[], []]);
  });
});

describe('refusals of the use case, as the table of errors has them', () => {
  const table: readonly (readonly [number, WireError])[] = [
    [422, { code: 'IDEMPOTENCY_KEY_REUSED', details: { sameJson: true } }],
    [422, validationError([{ field: 'jobId', code: 'required', message: 'This field is required.' }])],
    [404, { code: 'JOB_NOT_FOUND' }],
    [409, { code: 'JOB_CLOSED' }],
    [403, { code: 'ACCESS_REVOKED' }],
    [409, { code: 'DUPLICATE_SOURCE_APPLICATION_ID', details: { applicationId: 'ej_app_7' } }],
    [409, { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' }],
  ];
  it.each(table)('%d %j', async (status, error) => {
    const { send, asked } = createHandlerUnderTest({
      submitApplication: async () => ({ kind: 'refused', error, rate: RATES.submitted }),
    });
    const reply = await send('POST', '/applications', { headers: HEADERS, body: BODY });
    const { code, details } = error;
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.body)).toEqual({ error: code, message: WIRE_ERRORS[code].message, details });
    expect(reply.headers['X-RateLimit-Limit']).toBe('10');
    expect(asked.guarded).toEqual([]);
  });

  it('409 IDEMPOTENCY_KEY_IN_PROGRESS: Retry-After: 1', async () => {
    const { send } = createHandlerUnderTest({
      submitApplication: async () => ({
        kind: 'refused',
        error: { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' },
        rate: RATES.guard,
      }),
    });
    const reply = await send('POST', '/applications', { headers: HEADERS, body: BODY });
    expect(reply.headers['Retry-After']).toBe('1');
  });

  it('429 of a company: scope partner_company with companyId', async () => {
    const rate: RateState = {
      ...rateOf(10, 0),
      retryAfterSeconds: 12,
      scope: { kind: 'partner_company', companyId: 'co_1' },
    };
    const { send } = createHandlerUnderTest({
      submitApplication: async () => ({ kind: 'refused', error: { code: 'RATE_LIMITED' }, rate }),
    });
    const reply = await send('POST', '/applications', { headers: HEADERS, body: BODY });
    expect(reply.status).toBe(429);
    expect(reply.headers['Retry-After']).toBe('12');
    expect(JSON.parse(reply.body)).toEqual({
      error: 'RATE_LIMITED',
      message: expect.any(String),
      scope: 'partner_company',
      companyId: 'co_1',
      retryAfter: 12,
    });
  });
});

describe('413, 415 and the idempotency key, in that order (decisions 5, 11 and 12)', () => {
  it('413 PAYLOAD_TOO_LARGE one byte over the limit, and not at it', async () => {
    expect((await post(HEADERS, BODY, BODY.length)).status).toBe(201);
    const announced = { ...HEADERS, 'content-length': String(BODY.length) };
    expect((await post(announced, BODY, BODY.length)).status).toBe(201);
    const { status, json, headers } = await post(HEADERS, BODY, BODY.length - 1);
    expect([status, json.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(headers['X-RateLimit-Limit']).toBe('300');
  });

  it('413 without reading a body that announces itself as too large', async () => {
    const { handler } = createHandlerUnderTest();
    const request = neutralRequest('POST', '/api/v1/external/applications', {
      headers: { ...HEADERS, 'content-length': '262145' },
    });
    const reply = await handler({ ...request, readBody: () => Promise.reject(new Error('It was read.')) });
    expect(reply.status).toBe(413);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; version=1',
    'application/json;profile="https://ats.example/v2; charset=latin1" ; charset=utf-8',
  ])('Content-Type: %s is taken', async (type) => {
    expect((await post({ ...HEADERS, 'content-type': type })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; version=1; charset=latin1',
    'application/json; charset',
    'application/json version=1',
    'application/json, application/json',
    'multipart/form-data',
    'json',
    '',
  ])('Content-Type: %s is 415 UNSUPPORTED_MEDIA_TYPE', async (type) => {
    const { status, json } = await post({ ...HEADERS, 'content-type': type });
    expect([status, json.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('a Content-Type of blanks costs no more than its length: or this test times out', async () => {
    for (const type of ['application/json', 'application/json;', 'application/json;a="']) {
      const endless = `${type}${' '.repeat(100_000)}x`;
      expect((await post({ ...HEADERS, 'content-type': endless })).status).toBe(415);
    }
  });

  it('no Content-Type, or two of them: 415', async () => {
    expect((await post({ 'idempotency-key': UUID })).status).toBe(415);
    const two = ['application/json', 'application/json'];
    expect((await post({ ...HEADERS, 'content-type': two })).status).toBe(415);
  });

  it('any content encoding but identity: 415', async () => {
    expect((await post({ ...HEADERS, 'content-encoding': 'identity' })).status).toBe(201);
    expect((await post({ ...HEADERS, 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post({ ...HEADERS, 'content-encoding': 'identity, gzip' })).status).toBe(415);
  });

  it.each([
    ['missing', {}],
    ['empty', { 'idempotency-key': '' }],
    ['blank', { 'idempotency-key': '  ' }],
  ])('an Idempotency-Key that is %s: 422 IDEMPOTENCY_KEY_REQUIRED', async (_, header) => {
    const { status, json } = await post({ 'content-type': 'application/json', ...header });
    expect([status, json.error]).toEqual([422, 'IDEMPOTENCY_KEY_REQUIRED']);
  });

  it.each([
    ['no UUID', 'order-17'],
    ['a UUID of another version', '9c6f3f0e-6c0e-1f5a-9d53-0a4b8f2f7a10'],
    ['given twice', [UUID, UUID]],
    ['given twice and joined', `${UUID}, ${UUID}`],
  ])('an Idempotency-Key that is %s: VALIDATION_ERROR on the header', async (_, value) => {
    const { status, json } = await post({ ...HEADERS, 'idempotency-key': value });
    expect([status, json.error]).toEqual([422, 'VALIDATION_ERROR']);
    expect(json.details.errors).toMatchObject([{ field: 'Idempotency-Key', code: 'invalid_format' }]);
  });

  it('too large comes before the media type, which comes before the key', async () => {
    expect((await post({ 'content-type': 'text/plain' }, BODY, 5)).status).toBe(413);
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('the key comes before the fields, and the fields wait for the replay look-up', async () => {
    expect((await post({ 'content-type': 'application/json' }, '{')).json.error).toBe(
      'IDEMPOTENCY_KEY_REQUIRED',
    );
    const { asked } = await post(HEADERS, '{');
    expect(asked.submissions).toMatchObject([{ parsed: { kind: 'invalid', json: undefined } }]);
  });

  it('a body that broke off is never submitted', async () => {
    const { handler, asked } = createHandlerUnderTest();
    const request = neutralRequest('POST', '/api/v1/external/applications', { headers: HEADERS });
    const reply = await handler({ ...request, readBody: async () => 'broken_off' });
    expect(reply.status).toBe(422);
    expect(asked.submissions).toEqual([]);
  });
});
