import {
  all,
  BASE,
  clientOf,
  FOUND,
  instantClock,
  KEY,
  reply,
  SUBMISSION,
} from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import { type FetchResponse, PartnerApiError, PartnerConnectionError } from './index.js';

describe('a request', () => {
  test('has the key, and does not follow redirects', async () => {
    const seen: unknown[] = [];
    const client = clientOf(async (_, { headers, redirect }) => {
      seen.push([headers.authorization, headers.accept, redirect]);
      return reply(302, '', { location: 'https://elsewhere.example.org' });
    });
    const error = await client.applications.get('ej_app_1').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect(error).toMatchObject({ code: 'HTTP_302', requestId: null });
    expect(seen).toEqual([[`Bearer ${KEY}`, 'application/json', 'manual']]);
  });

  test.each([{ id: 'ej_app_1', jobId: 'job_1', sourceApplicationId: 'ats-1' }, ''])(
    'fails on status 300 without a retry: %j',
    async (body) => {
      const answers = [reply(300, body)];
      const client = clientOf(async () => answers.shift() ?? FOUND);
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: 'HTTP_300' });
    },
  );

  test('is not retried after a clear response', async () => {
    let requests = 0;
    const body = { error: 'APPLICATION_NOT_FOUND', message: 'The application does not exist.' };
    const client = clientOf(async (url) => {
      requests += 1;
      expect(url).toBe(`${BASE}/applications/a%2F..%2Fb`);
      return reply(404, body, { 'x-request-id': 'r-1' });
    });
    await expect(client.applications.get('a/../b')).rejects.toMatchObject({
      status: 404,
      code: 'APPLICATION_NOT_FOUND',
      requestId: 'r-1',
      message: '404 APPLICATION_NOT_FOUND: The application does not exist. (request r-1)',
    });
    expect(requests).toBe(1);
  });

  test.each([408, 425, 500, 502])('is retried after status %i', async (status) => {
    const answers = [reply(status, ''), FOUND];
    const client = clientOf(async () => answers.shift() ?? reply(404, ''));
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
  });

  test('is retried with the same key after IDEMPOTENCY_KEY_IN_PROGRESS, after Retry-After', async () => {
    const clock = instantClock();
    const keys: unknown[] = [];
    const busy = { error: 'IDEMPOTENCY_KEY_IN_PROGRESS', message: 'Under way.' };
    const answers = [reply(409, busy, { 'retry-after': '1' })];
    const client = clientOf(
      async (_, { headers }) => {
        keys.push(headers['idempotency-key']);
        return (
          answers.shift() ?? reply(201, { id: 'ej_app_1', jobId: 'job_1', sourceApplicationId: 'ats-1' })
        );
      },
      { clock },
    );
    expect(await client.applications.submit(SUBMISSION)).toMatchObject({ application: { id: 'ej_app_1' } });
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(clock.slept).toEqual([1_250]);
  });

  test.each<[string, FetchResponse]>([
    ['an HTML page', reply(200, '<html>')],
    ['another JSON', reply(200, { ok: true })],
    ['a list of rows without an id', reply(200, { data: [{}] })],
  ])('fails when the response with status 200 is %s', async (_, answer) => {
    const client = clientOf(async () => answer, { maxAttempts: 2 });
    await expect(all(client.jobs.list())).rejects.toMatchObject({ reason: 'invalid_answer' });
  });

  test.each([{ id: 'ej_app_1' }, { jobId: 'job_1' }])(
    'fails when the response is not an application: %j',
    async (json) => {
      const client = clientOf(async () => reply(200, json), { maxAttempts: 2 });
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ reason: 'invalid_answer' });
    },
  );

  test('is retried after a waiting page, after its Retry-After', async () => {
    const clock = instantClock();
    const answers = [reply(202, '<html>', { 'retry-after': '5' })];
    const client = clientOf(async () => answers.shift() ?? FOUND, { clock });
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.slept).toEqual([5_250]);
  });
});

describe('retries', () => {
  test('stop after maxAttempts, back off beyond Retry-After, and report every attempt', async () => {
    const clock = instantClock();
    const startedAt = clock.now();
    const sentAfter: number[] = [];
    const reports: unknown[] = [];
    const headers = { 'retry-after': '5', 'x-request-id': 'r-1' };
    const client = clientOf(
      async () => {
        sentAfter.push(clock.now() - startedAt);
        return reply(503, { error: 'SERVICE_UNAVAILABLE', message: 'Down.' }, headers);
      },
      { clock, maxAttempts: 4, onAttempt: (report) => reports.push(report) },
    );
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 5,
    });
    expect(clock.slept).toEqual([5_250, 5_500, 6_000]);
    expect(sentAfter).toEqual([0, 5_250, 10_750, 16_750]);
    const report = { method: 'GET', path: '/applications/ej_app_1', status: 503, requestId: 'r-1' };
    const rest = { failure: null, durationMs: 0, ignoredFields: [], sourceApplicationId: null };
    expect(reports).toEqual([1, 2, 3, 4].map((attempt) => ({ ...report, attempt, ...rest })));
  });

  test('double the pause after each lost request, up to 20 seconds', async () => {
    const clock = instantClock();
    const reports: unknown[] = [];
    const client = clientOf(() => Promise.reject(new TypeError('fetch failed')), {
      clock,
      random: () => 1,
      maxAttempts: 8,
      onAttempt: ({ status, failure, requestId }) => reports.push([status, failure, requestId]),
    });
    await expect(client.applications.get('ej_app_1')).rejects.toBeInstanceOf(PartnerConnectionError);
    expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000]);
    expect(reports).toEqual(Array(8).fill([null, 'network', null]));
  });

  test.each([1_000, 1_500])(
    'stop before a pause that would exceed totalTimeoutMs of %i',
    async (totalTimeoutMs) => {
      const clock = instantClock();
      const client = clientOf(async () => reply(503, ''), { clock, random: () => 1, totalTimeoutMs });
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: 'HTTP_503' });
      expect(clock.slept).toEqual([500]);
    },
  );

  test('accept Retry-After as a date, on the clock of the Date header', async () => {
    const clock = instantClock();
    const answers = [
      reply(503, '', {
        'retry-after': 'Sat, 21 Nov 2020 10:00:40 GMT',
        date: 'Sat, 21 Nov 2020 10:00:00 GMT',
      }),
      reply(200, { data: [] }),
    ];
    await all(clientOf(async () => answers.shift() ?? reply(500, ''), { clock }).jobs.list());
    expect(clock.slept).toEqual([40_250]);
  });

  test.each([503, 429])('do not wait after %i for a Retry-After beyond totalTimeoutMs', async (status) => {
    const clock = instantClock();
    const client = clientOf(async () => reply(status, '', { 'retry-after': '60' }), {
      clock,
      totalTimeoutMs: 30_000,
    });
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: `HTTP_${status}` });
    expect(clock.slept).toEqual([]);
  });

  test('wait for a Retry-After of exactly maxRetryAfterMs', async () => {
    const clock = instantClock();
    const answers = [reply(503, '', { 'retry-after': '60' })];
    const client = clientOf(async () => answers.shift() ?? FOUND, {
      clock,
      maxRetryAfterMs: 60_000,
    });
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.slept).toEqual([60_250]);
  });

  test.each([
    [503, '86400'],
    [503, 'Sun, 21 Nov 2286 10:00:00 GMT'],
    [429, '86400'],
    [429, '9'.repeat(400)],
  ])('do not wait after %i for a Retry-After beyond maxRetryAfterMs: %j', async (status, retryAfter) => {
    const clock = instantClock();
    const startedAt = clock.now();
    let isOver = false;
    const client = clientOf(async () => (isOver ? FOUND : reply(status, '', { 'retry-after': retryAfter })), {
      clock,
      totalTimeoutMs: 7 * 86_400_000,
      maxRetryAfterMs: 60_000,
    });
    const error: unknown = await client.applications.get('ej_app_1').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect((error as PartnerApiError).retryAfterSeconds).toBeGreaterThanOrEqual(86_400);
    expect((error as PartnerApiError).retryAfterSeconds).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    expect(clock.now()).toBe(startedAt);

    isOver = true;
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.now() - startedAt).toBe(status === 429 ? 60_000 : 0);
  });
});

describe('a 429', () => {
  test('does not count as an attempt, and waits for exactly Retry-After', async () => {
    const clock = instantClock();
    const startedAt = clock.now();
    const answers = Array.from({ length: 3 }, () => reply(429, '', { 'retry-after': '5' }));
    const client = clientOf(async () => answers.shift() ?? FOUND, {
      clock,
      maxAttempts: 1,
    });
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.now() - startedAt).toBe(15_000);
  });

  test.each([
    ['0', 'partner'],
    ['0', 'partner_company'],
    ['-1', null],
    ['0.5', null],
    ['Sat, 21 Nov 2020 10:00:00 GMT', null],
    ['soon', null],
  ])('waits for at least a second with Retry-After %j and scope %j', async (retryAfter, scope) => {
    const clock = instantClock();
    const startedAt = clock.now();
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        const body = { error: 'RATE_LIMITED', message: 'Slower.', scope, companyId: 'co_1' };
        return requests <= 3
          ? reply(429, body, { 'retry-after': retryAfter })
          : reply(201, { id: 'ej_app_1', jobId: 'job_1', sourceApplicationId: 'ats-1' });
      },
      { clock },
    );
    await client.applications.submit(SUBMISSION);
    expect(requests).toBe(4);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(3_000);
  });
});

describe('the error of a failed request', () => {
  test('has the code HTTP_404 when another server answers', async () => {
    const body = { statusCode: 404, error: 'Not Found', message: 'Route GET:/jobs not found' };
    const client = clientOf(async () => reply(404, body));
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
      code: 'HTTP_404',
      message: expect.stringContaining('check baseUrl'),
    });
  });

  test('has the reason of the failed connection', async () => {
    const refused = { aggregate: '', one: 'connect ECONNREFUSED 127.0.0.1:3000' };
    for (const message of Object.values(refused)) {
      const failure = new TypeError('fetch failed', {
        cause: Object.assign(new Error(message), { code: 'ECONNREFUSED' }),
      });
      const client = clientOf(() => Promise.reject(failure), { maxAttempts: 1 });
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
        reason: 'network',
        cause: failure,
        message: `No response: fetch failed (${message || 'ECONNREFUSED'}).`,
      });
    }
  });

  test('is a network error when fetch rejects with null', async () => {
    const client = clientOf(() => Promise.reject(null), { maxAttempts: 1 });
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
      name: 'PartnerConnectionError',
      reason: 'network',
      message: 'No response: null.',
    });
  });
});
