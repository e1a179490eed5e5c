import { KEY, RATES, rateOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { describe, expect, it } from 'vitest';

const EVERY_ROUTE = [
  ['GET', '/jobs'],
  ['GET', '/applications'],
  ['POST', '/applications'],
  ['GET', '/applications/ej_app_1'],
  ['HEAD', '/jobs'],
  ['DELETE', '/jobs'],
  ['GET', '/nothing'],
] as const;

describe('the headers of every reply (contract 8.6)', () => {
  it.each(EVERY_ROUTE)('%s %s has rate headers, a request id, JSON and no storing', async (method, path) => {
    const { send } = createHandlerUnderTest();
    const { headers, body } = await send(method, path);
    expect(headers).toMatchObject({
      'X-RateLimit-Limit': expect.stringMatching(/^\d+$/),
      'X-RateLimit-Remaining': expect.stringMatching(/^\d+$/),
      'X-RateLimit-Reset': expect.stringMatching(/^\d{10}$/),
      'X-Request-Id': 'request-1',
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    if (method !== 'HEAD') expect(headers['Content-Length']).toBe(String(Buffer.byteLength(body)));
  });

  it('X-RateLimit-Reset is a Unix timestamp in seconds, rounded up', async () => {
    const rate = { ...RATES.admitted, resetAt: 1_767_603_660_001 };
    const { send } = createHandlerUnderTest({
      admit: async () => ({
        kind: 'admitted',
        key: { ...KEY, secretHash: 'hash' },
        rate,
        application: undefined,
      }),
    });
    expect((await send('GET', '/jobs')).headers['X-RateLimit-Reset']).toBe('1767603661');
  });

  it('gives each reply its own request id', async () => {
    const { send } = createHandlerUnderTest();
    const ids = [await send('GET', '/jobs'), await send('GET', '/jobs')].map(
      ({ headers }) => headers['X-Request-Id'],
    );
    expect(ids).toEqual(['request-1', 'request-2']);
  });
});

describe('authentication precedes every other check (contract 4.5; decision 4)', () => {
  const rate = rateOf(120, 119);
  const refuseAll = { admit: async () => ({ kind: 'unauthorized', rate }) as const };

  it.each(EVERY_ROUTE)('%s %s gets 401 with equal bytes', async (method, path) => {
    const { send, asked } = createHandlerUnderTest(refuseAll);
    const reply = await send(method, path, { body: 'no json' });
    const reference = await createHandlerUnderTest(refuseAll).send('GET', '/jobs');
    expect(reply).toEqual({ ...reference, body: method === 'HEAD' ? '' : reference.body });
    expect(reply.status).toBe(401);
    expect(reply.headers['WWW-Authenticate']).toBe('Bearer');
    expect(reply.headers['X-RateLimit-Limit']).toBe('120');
    expect([asked.guarded, asked.queries, asked.reads, asked.submissions]).toEqual([[], [], [], []]);
  });

  it('names the documented fields and the code UNAUTHORIZED', async () => {
    const { body } = await createHandlerUnderTest(refuseAll).send('GET', '/jobs');
    expect(JSON.parse(body)).toEqual({ error: 'UNAUTHORIZED', message: expect.any(String) });
  });

  it('passes on all Authorization fields, so that two can be refused', async () => {
    const { send, asked } = createHandlerUnderTest();
    await send('GET', '/jobs', { headers: { authorization: ['Bearer a', 'Bearer b'] } });
    expect(asked.admissions[0]).toMatchObject({
      authorization: ['Bearer a', 'Bearer b'],
      clientAddress: '192.0.2.1',
    });
  });

  it('does not read the body of a request without a valid key', async () => {
    const { handler } = createHandlerUnderTest(refuseAll);
    const reply = await handler({
      method: 'POST',
      target: '/api/v1/external/applications',
      clientAddress: '192.0.2.1',
      headerValues: () => [],
      readBody: () => Promise.reject(new Error('The body was read.')),
    });
    expect(reply.status).toBe(401);
  });
});

describe('rate limits (contract 9.16; decisions 15 and 16)', () => {
  it.each([
    ['GET', '/jobs', 'list_jobs'],
    ['HEAD', '/jobs', 'list_jobs'],
    ['GET', '/applications', 'list_applications'],
    ['GET', '/applications/ej_app_1', 'read_application'],
    ['POST', '/applications', null],
    ['GET', '/nothing', null],
    ['PUT', '/jobs', null],
  ])('%s %s is admitted against %s', async (method, path, bucket) => {
    const { send, asked } = createHandlerUnderTest();
    await send(method, path);
    expect(asked.admissions.map((call) => call.bucket)).toEqual([bucket]);
  });

  it('a GET is charged before its parameters are read', async () => {
    const { send, asked } = createHandlerUnderTest({
      admit: async () => ({ kind: 'limited', rate: rateOf(60, 0), repeatedBy: null }),
    });
    expect((await send('GET', '/jobs?limit=nonsense')).status).toBe(429);
    expect(asked.queries).toEqual([]);
  });

  it('429 of a key has error, message, scope and retryAfter, which equals Retry-After', async () => {
    const { send } = createHandlerUnderTest({
      admit: async () => ({
        kind: 'limited',
        rate: { ...rateOf(60, 0), retryAfterSeconds: 17 },
        repeatedBy: null,
      }),
    });
    const reply = await send('GET', '/jobs');
    expect(JSON.parse(reply.body)).toEqual({
      error: 'RATE_LIMITED',
      message: expect.any(String),
      scope: 'partner',
      retryAfter: 17,
    });
    expect(reply.headers).toMatchObject({ 'Retry-After': '17', 'X-RateLimit-Remaining': '0' });
  });

  it.each([
    ['GET', '/nothing'],
    ['DELETE', '/applications'],
    ['POST', '/applications'],
  ])('%s %s is refused and charged to the guard, whose state it shows', async (method, path) => {
    const { send, asked } = createHandlerUnderTest();
    const reply = await send(method, path);
    expect(asked.guarded).toMatchObject([KEY]);
    expect(reply.headers['X-RateLimit-Limit']).toBe('300');
  });

  it('sends 429 instead of the error if the guard is exhausted', async () => {
    const { send } = createHandlerUnderTest({
      chargeGuard: async () => ({ allowed: false, state: rateOf(300, 0) }),
    });
    expect((await send('GET', '/nothing')).status).toBe(429);
  });

  it('does not charge the guard for a request that its own bucket counted', async () => {
    const { send, asked } = createHandlerUnderTest({ readApplication: async () => null });
    await send('GET', '/applications/ej_app_2');
    await send('GET', '/jobs?limit=0');
    expect(asked.guarded).toEqual([]);
  });
});
