import { describe, expect, it } from 'vitest';
import { APPLICATION, KEY, RATES, rateOf } from '../../../../test/support/fake-partner-api.js';
import { createHandlerUnderTest } from '../../../../test/support/handler.js';
import { StorageUnavailable } from '../errors.js';

const EVERY_ROUTE = [
  ['GET', '/jobs'],
  ['GET', '/applications'],
  ['POST', '/applications'],
  ['GET', '/applications/ej_app_1'],
  ['HEAD', '/jobs'],
  ['DELETE', '/jobs'],
  ['GET', '/nothing'],
] as const;

describe('what every reply carries (Limits, rule 1)', () => {
  it.each(EVERY_ROUTE)('%s %s: rate headers, a request id, JSON, no storing', async (method, path) => {
    const { send } = createHandlerUnderTest();
    const { headers, body } = await send(method, path);
    expect(headers).toMatchObject({
      'X-RateLimit-Limit': expect.stringMatching(/^\d+$/),
      'X-RateLimit-Remaining': expect.stringMatching(/^\d+$/),
      'X-RateLimit-Reset': expect.stringMatching(/^\d{10}$/),
      'X-Request-Id': 'request-1',
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
    });
    if (method !== 'HEAD') expect(headers['Content-Length']).toBe(String(Buffer.byteLength(body)));
  });

  it('X-RateLimit-Reset is a Unix timestamp in seconds, rounded up', async () => {
    const rate = { ...RATES.admitted, resetAt: 1_767_603_660_001 };
    const { send } = createHandlerUnderTest({
      admit: async () => ({ kind: 'admitted', key: KEY, rate, application: undefined }),
    });
    expect((await send('GET', '/jobs')).headers['X-RateLimit-Reset']).toBe('1767603661');
  });

  it('each reply has a request id of its own', async () => {
    const { send } = createHandlerUnderTest();
    const ids = [await send('GET', '/jobs'), await send('GET', '/jobs')].map(
      ({ headers }) => headers['X-Request-Id'],
    );
    expect(ids).toEqual(['request-1', 'request-2']);
  });
});

describe('authentication comes before everything (Authentication, 1 and 5; decision 4)', () => {
  const rate = rateOf(120, 119);
  const refuseAll = { admit: async () => ({ kind: 'unauthorized', rate }) as const };

  it.each(EVERY_ROUTE)('%s %s: 401 with equal bytes', async (method, path) => {
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

  it('hands on all Authorization fields, so that two can be refused', async () => {
    const { send, asked } = createHandlerUnderTest();
    await send('GET', '/jobs', { headers: { authorization: ['Bearer a', 'Bearer b'] } });
    expect(asked.admissions[0]).toMatchObject({
      authorization: ['Bearer a', 'Bearer b'],
      clientAddress: '192.0.2.1',
    });
  });

  it('does not read the body of a stranger', async () => {
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

describe('rate limits (Errors, 429 body; decisions 15 and 16)', () => {
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
      admit: async () => ({ kind: 'limited', rate: rateOf(60, 0) }),
    });
    expect((await send('GET', '/jobs?limit=nonsense')).status).toBe(429);
    expect(asked.queries).toEqual([]);
  });

  it('the scope of a whole key: error, message, scope and retryAfter, which Retry-After repeats', async () => {
    const { send } = createHandlerUnderTest({
      admit: async () => ({ kind: 'limited', rate: { ...rateOf(60, 0), retryAfterSeconds: 17 } }),
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
    expect(asked.guarded).toEqual([KEY]);
    expect(reply.headers['X-RateLimit-Limit']).toBe('300');
  });

  it('an exhausted guard answers 429 instead of what was wrong', async () => {
    const { send } = createHandlerUnderTest({
      chargeGuard: async () => ({ allowed: false, state: rateOf(300, 0) }),
    });
    expect((await send('GET', '/nothing')).status).toBe(429);
  });

  it('what a bucket of its own has counted is not charged to the guard', async () => {
    const { send, asked } = createHandlerUnderTest({ readApplication: async () => null });
    await send('GET', '/applications/ej_app_2');
    await send('GET', '/jobs?limit=0');
    expect(asked.guarded).toEqual([]);
  });
});

describe('paths and methods (decision 5)', () => {
  it.each([
    '',
    '/',
    '/Jobs',
    '/Applications/ej_app_1',
    '/jobs/',
    '/job%73',
    '/applications/',
    '/applications/ej_app_1/',
    '/applications/ej_app_1/more',
    '/../jobs',
  ])('%j: 404 NOT_FOUND', async (path) => {
    const reply = await createHandlerUnderTest().send('GET', path);
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([404, 'NOT_FOUND']);
  });

  it('is not found outside its base path, nor where the base path only begins alike', async () => {
    const { handler } = createHandlerUnderTest();
    for (const target of ['/jobs', '/api/v1/externaljobs', '*', '', 'jobs']) {
      const request = { method: 'GET', target, clientAddress: '', headerValues: () => [] };
      expect((await handler({ ...request, readBody: async () => 'broken_off' })).status).toBe(404);
    }
  });

  it.each([
    ['POST', '/jobs', 'GET, HEAD'],
    ['OPTIONS', '/jobs', 'GET, HEAD'],
    ['get', '/jobs', 'GET, HEAD'],
    ['PUT', '/applications', 'GET, HEAD, POST'],
    ['DELETE', '/applications/ej_app_1', 'GET, HEAD'],
    ['constructor', '/applications', 'GET, HEAD, POST'],
  ])('%s %s: 405 METHOD_NOT_ALLOWED with Allow: %s', async (method, path, allow) => {
    const reply = await createHandlerUnderTest().send(method, path);
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(reply.headers.Allow).toBe(allow);
  });

  it.each(['/jobs', '/applications', '/applications/ej_app_1', '/applications/ej_app_none!'])(
    'HEAD %s is GET without the body',
    async (path) => {
      const get = await createHandlerUnderTest().send('GET', path);
      const head = await createHandlerUnderTest().send('HEAD', path);
      expect(head).toEqual({ ...get, body: '' });
      expect(Number(head.headers['Content-Length'])).toBeGreaterThan(0);
    },
  );

  it('a whole URL as the target is understood', async () => {
    const { handler, asked } = createHandlerUnderTest();
    const target = 'https://api.example.org/api/v1/external/jobs?limit=7#part';
    const request = { method: 'GET', target, clientAddress: '', headerValues: () => [] };
    expect((await handler({ ...request, readBody: async () => 'broken_off' })).status).toBe(200);
    expect(asked.queries[0]?.limit).toBe(7);
  });

  it('serves under another base path', async () => {
    const { handler, send } = createHandlerUnderTest({}, { basePath: '/partners/' });
    expect(handler.basePath).toBe('/partners');
    expect((await send('GET', '/jobs')).status).toBe(200);
  });

  it.each(['api', '/a b', '/a?b', '//', '/a/:id'])('the base path %j is refused at once', (basePath) => {
    expect(() => createHandlerUnderTest({}, { basePath })).toThrow(
      expect.objectContaining({ code: 'MISCONFIGURED' }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('a body limit of %d is refused at once', (maxBodyBytes) => {
    expect(() => createHandlerUnderTest({}, { maxBodyBytes })).toThrow(
      expect.objectContaining({ code: 'MISCONFIGURED' }),
    );
  });
});

describe('failures on our side (decision 5)', () => {
  it('storage down: 503 SERVICE_UNAVAILABLE with Retry-After, and the bucket it would be counted in', async () => {
    const { send, logged } = createHandlerUnderTest({
      admit: () => Promise.reject(new StorageUnavailable('down', { cause: new Error('ECONNREFUSED') })),
    });
    const reply = await send('GET', '/applications/ej_app_1');
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(reply.headers).toMatchObject({
      'Retry-After': expect.stringMatching(/^[1-9]\d*$/),
      'X-RateLimit-Limit': '120',
      'X-RateLimit-Remaining': '120',
      'X-Request-Id': 'request-1',
    });
    expect(logged).toMatchObject([
      { level: 'error', fields: { requestId: 'request-1', err: { cause: { message: 'ECONNREFUSED' } } } },
    ]);
  });

  it('a request that was counted keeps its rate headers when it fails later', async () => {
    const { send } = createHandlerUnderTest({
      listJobs: () => Promise.reject(new StorageUnavailable('down')),
    });
    expect((await send('GET', '/jobs')).headers['X-RateLimit-Remaining']).toBe('59');
  });

  it('anything else: 500 INTERNAL_ERROR with a fixed body; the cause goes to the log only', async () => {
    const cause = Object.assign(new Error('boom'), { parameters: ['ada@example.org'], code: 'XX000' });
    const { send, logged } = createHandlerUnderTest({ readApplication: () => Promise.reject(cause) });
    const reply = await send('GET', '/applications/ej_app_1');
    expect(reply.status).toBe(500);
    expect(JSON.parse(reply.body)).toEqual({ error: 'INTERNAL_ERROR', message: expect.any(String) });
    expect(reply.body).not.toContain('boom');
    expect(logged).toMatchObject([{ fields: { err: { message: 'boom', code: 'XX000' } } }]);
    expect(JSON.stringify(logged)).not.toContain('ada@example.org');
  });

  it('a thrown value that is no error, and a log that throws, are no reason to reject', async () => {
    const throwing = () => {
      throw new Error('The log is full.');
    };
    const logger = { debug: throwing, info: throwing, warn: throwing, error: throwing };
    const { send } = createHandlerUnderTest({ listJobs: () => Promise.reject('a text') }, { logger });
    expect((await send('GET', '/jobs')).status).toBe(500);
  });
});

describe('GET /applications/{id}', () => {
  it('200: an Application with all its fields', async () => {
    const { send, asked } = createHandlerUnderTest();
    const reply = await send('GET', '/applications/ej_app_1?unknown=1');
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({
      id: 'ej_app_1',
      sourceApplicationId: 'their-1',
      jobId: 'job_1',
      status: 'in_progress',
      currentStage: 'Under Review',
      submittedAt: '2026-01-05T09:00:00.000Z',
      lastStatusChangeAt: '2026-01-05T09:00:00.001Z',
    });
    expect(asked.reads).toEqual([APPLICATION.id]);
  });

  it('the id in the path is percent-decoded', async () => {
    const { send, asked } = createHandlerUnderTest();
    await send('GET', '/applications/ej%5Fapp%5f1');
    expect(asked.reads).toEqual(['ej_app_1']);
  });

  it.each([
    'ej_app_2',
    'job_1',
    '%',
    '%zz',
    '%E0%A4%A',
    '%00',
    'ej_app_%00',
    '%2F',
    `ej_app_${'9'.repeat(500)}`,
  ])('%s: 404 APPLICATION_NOT_FOUND with equal bytes', async (id) => {
    const reply = await createHandlerUnderTest({ readApplication: async () => null }).send(
      'GET',
      `/applications/${id}`,
    );
    const reference = await createHandlerUnderTest({ readApplication: async () => null }).send(
      'GET',
      '/applications/ej_app_none',
    );
    expect(reply).toEqual(reference);
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([404, 'APPLICATION_NOT_FOUND']);
  });
});
