import { fingerprintOf, RATES, rateOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { BODY, HEADERS, post, UUID } from '@partner-hiring/test-support/submission-body';
import { describe, expect, it } from 'vitest';
import type { RateState } from '../../domain/rate-limit.js';
import { WIRE_ERRORS } from '../../domain/wire-errors.js';
import { validationError, type WireError } from '../../errors.js';

describe('a submission', () => {
  it('201 with the stored bytes and the bucket that counted it', async () => {
    const { status, body, headers, asked } = await post(HEADERS);
    expect([status, body]).toEqual([201, '{"id":"ej_app_1"}']);
    expect(headers['X-RateLimit-Limit']).toBe('10');
    expect(headers).not.toHaveProperty('Idempotent-Replayed');
    expect(asked.guarded).toEqual([]);
  });

  it('passes on the fingerprint, the key in lower case, and the parsed body', async () => {
    const { asked } = await post({ ...HEADERS, 'idempotency-key': UUID.toUpperCase() });
    expect(asked.submissions).toMatchObject([
      { idempotencyKey: UUID, parsed: { kind: 'valid', submission: { jobId: 'job_1' } } },
    ]);
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(BODY));
  });

  it('is replayed with the stored bytes and status, Idempotent-Replayed and a new X-Request-Id (decision 13)', async () => {
    const { send } = createHandlerUnderTest({
      submitApplication: async () => ({
        kind: 'replayed',
        applicationId: 'ej_app_1',
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

describe('refusals of the use case, by the table of errors', () => {
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

  it('409 IDEMPOTENCY_KEY_IN_PROGRESS has Retry-After: 1', async () => {
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

  it('429 of a company has the scope partner_company with companyId', async () => {
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
