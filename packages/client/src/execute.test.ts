import { describe, expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../../../test/support/clock.js';
import {
  all,
  clientOf,
  instantClock,
  KEY,
  reply,
  SUBMISSION,
} from '../../../test/support/scripted-client.js';
import { systemClock } from './clock.js';
import { type Fetch, type FetchResponse, PartnerApiError, PartnerConnectionError } from './index.js';

describe('a request', () => {
  test('carries the key, follows no redirect, and says where it was sent', async () => {
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

  test.each([{ id: 'ej_app_1', jobId: 'job_1' }, ''])(
    'that is answered with 300 is no success, and not sent again: %j',
    async (body) => {
      const answers = [reply(300, body)];
      const client = clientOf(async () => answers.shift() ?? reply(200, { id: 'ej_app_1', jobId: 'job_1' }));
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: 'HTTP_300' });
    },
  );

  test('that is answered clearly is not sent again', async () => {
    let requests = 0;
    const body = { error: 'APPLICATION_NOT_FOUND', message: 'The application does not exist.' };
    const client = clientOf(async () => {
      requests += 1;
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

  test.each([408, 425, 500, 502])('that is answered with %i is sent again', async (status) => {
    const answers = [reply(status, ''), reply(200, { id: 'ej_app_1', jobId: 'job_1' })];
    const client = clientOf(async () => answers.shift() ?? reply(404, ''));
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
  });

  test('whose idempotency key is in use is sent again with the same key, no sooner than Retry-After', async () => {
    const clock = instantClock();
    const keys: unknown[] = [];
    const busy = { error: 'IDEMPOTENCY_KEY_IN_PROGRESS', message: 'Under way.' };
    const answers = [reply(409, busy, { 'retry-after': '1' })];
    const client = clientOf(
      async (_, { headers }) => {
        keys.push(headers['idempotency-key']);
        return answers.shift() ?? reply(201, { id: 'ej_app_1', jobId: 'job_1' });
      },
      { clock },
    );
    expect(await client.applications.submit(SUBMISSION)).toMatchObject({ application: { id: 'ej_app_1' } });
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(clock.slept).toEqual([1_250]);
  });

  test('that something else answers, in a form of its own, is no error of the service', async () => {
    const body = { statusCode: 404, error: 'Not Found', message: 'Route GET:/jobs not found' };
    const client = clientOf(async () => reply(404, body));
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
      code: 'HTTP_404',
      message: expect.stringContaining('see that baseUrl is right'),
    });
  });

  test('that finds nobody says where it looked, as far as fetch tells', async () => {
    const refused = { aggregate: '', one: 'connect ECONNREFUSED 127.0.0.1:3000' };
    for (const message of Object.values(refused)) {
      const failure = new TypeError('fetch failed', {
        cause: Object.assign(new Error(message), { code: 'ECONNREFUSED' }),
      });
      const client = clientOf(() => Promise.reject(failure), { maxAttempts: 1 });
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
        reason: 'network',
        cause: failure,
        message: `No answer: fetch failed (${message || 'ECONNREFUSED'}).`,
      });
    }
  });

  test('whose fetch rejects with nothing at all is lost like any other', async () => {
    const client = clientOf(() => Promise.reject(null), { maxAttempts: 1 });
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
      name: 'PartnerConnectionError',
      reason: 'network',
      message: 'No answer: null.',
    });
  });

  test('is tried maxAttempts times, with pauses that grow, no sooner than Retry-After, and then says why', async () => {
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
    expect(reports).toEqual(
      [1, 2, 3, 4].map((attempt) => ({ ...report, attempt, failure: null, durationMs: 0 })),
    );
  });

  test.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('The metrics are down.');
      },
    ],
    ['is asynchronous and rejects', () => Promise.reject(new Error('The metrics are down.'))],
  ])('loses a report, and nothing else, where an onAttempt %s', async (_, onAttempt) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        return requests === 1 ? reply(503, '') : reply(200, { id: 'ej_app_1', jobId: 'job_1' });
      },
      { onAttempt },
    );
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    // Node tells of a rejection that nobody handles once all microtasks have run.
    await new Promise((resolve) => setImmediate(resolve));
    expect([requests, unhandled]).toEqual([2, []]);
  });

  test('pauses twice as long after each lost answer, up to 20 seconds, and tells of every one', async () => {
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

  test('ends before a pause that would last beyond totalTimeoutMs', async () => {
    const clock = instantClock();
    const client = clientOf(async () => reply(503, ''), { clock, random: () => 1, totalTimeoutMs: 1_000 });
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: 'HTTP_503' });
    expect(clock.slept).toEqual([500]);
  });

  test('understands Retry-After as a date, by the clock of whoever answers', async () => {
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

  test.each([503, 429])('does not wait after %i for a Retry-After beyond totalTimeoutMs', async (status) => {
    const clock = instantClock();
    const client = clientOf(async () => reply(status, '', { 'retry-after': '60' }), {
      clock,
      totalTimeoutMs: 30_000,
    });
    await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({ code: `HTTP_${status}` });
    expect(clock.slept).toEqual([]);
  });

  test('waits for a Retry-After of just maxRetryAfterMs', async () => {
    const clock = instantClock();
    const answers = [reply(503, '', { 'retry-after': '60' })];
    const client = clientOf(async () => answers.shift() ?? reply(200, { id: 'ej_app_1', jobId: 'job_1' }), {
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
  ])('does not wait after %i for a Retry-After beyond maxRetryAfterMs: %j', async (status, retryAfter) => {
    const clock = instantClock();
    const startedAt = clock.now();
    let isOver = false;
    const client = clientOf(
      async () =>
        isOver
          ? reply(200, { id: 'ej_app_1', jobId: 'job_1' })
          : reply(status, '', { 'retry-after': retryAfter }),
      { clock, totalTimeoutMs: Number.MAX_SAFE_INTEGER / 2, maxRetryAfterMs: 60_000 },
    );
    const error: unknown = await client.applications.get('ej_app_1').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect((error as PartnerApiError).retryAfterSeconds).toBeGreaterThanOrEqual(86_400);
    expect((error as PartnerApiError).retryAfterSeconds).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    expect(clock.now()).toBe(startedAt);

    isOver = true;
    expect(await client.applications.get('ej_app_1')).toMatchObject({ id: 'ej_app_1' });
    expect(clock.now() - startedAt).toBe(status === 429 ? 60_000 : 0);
  });

  test.each<[string, () => Promise<FetchResponse>]>([
    ['headers', () => new Promise(() => {})],
    ['a body', async () => ({ ...reply(200, ''), text: () => new Promise<string>(() => {}) })],
  ])(
    'does not wait for %s longer than timeoutMs, also where fetch does not heed its signal',
    async (_, fetch) => {
      const error = await clientOf(fetch, { maxAttempts: 2 })
        .applications.get('ej_app_1')
        .catch((e: unknown) => e);
      expect(error).toBeInstanceOf(PartnerConnectionError);
      expect(error).toMatchObject({ reason: 'timeout', message: 'No answer within timeoutMs.' });
    },
  );

  test.each(['waits', 'is on its way'])(
    'ends at once when its signal aborts while it %s, and throws the reason',
    async (when) => {
      const ending = new AbortController();
      const end = () => ending.abort(new Error('no longer wanted'));
      const fetch: Fetch = () => {
        queueMicrotask(end);
        return new Promise(() => {});
      };
      const client = clientOf(fetch, { clock: systemClock, timeoutMs: 120_000 });
      const aborted = client.applications.get('ej_app_1', { signal: ending.signal });
      if (when === 'waits') end();
      await expect(aborted).rejects.toThrow('no longer wanted');
    },
  );

  test('ends in the midst of a pause when its signal aborts, and is not sent again', async () => {
    const clock = createFakeClock();
    const ending = new AbortController();
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        return reply(503, '', { 'retry-after': '60' });
      },
      { clock },
    );
    const ended = client.applications.get('ej_app_1', { signal: ending.signal }).catch((e: unknown) => e);
    await clock.advance(1_000);
    ending.abort('no longer wanted');
    expect(await ended).toBe('no longer wanted');
    expect(requests).toBe(1);
  });

  test.each<[string, FetchResponse]>([
    ['a page in HTML', reply(200, '<html>')],
    ['another JSON', reply(200, { ok: true })],
    ['rows without an id', reply(200, { data: [{}] })],
  ])('takes %s with status 200 for no answer', async (_, answer) => {
    const client = clientOf(async () => answer, { maxAttempts: 2 });
    await expect(all(client.jobs.list())).rejects.toMatchObject({ reason: 'invalid_answer' });
  });
});

describe('a 429', () => {
  test('is no attempt, and is waited out for as long as it asks, no longer', async () => {
    const clock = instantClock();
    const startedAt = clock.now();
    const answers = Array.from({ length: 3 }, () => reply(429, '', { 'retry-after': '5' }));
    const client = clientOf(async () => answers.shift() ?? reply(200, { id: 'ej_app_1', jobId: 'job_1' }), {
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
  ])('is waited out for a second at least, with Retry-After %j and scope %j', async (retryAfter, scope) => {
    const clock = instantClock();
    const startedAt = clock.now();
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        const body = { error: 'RATE_LIMITED', message: 'Slower.', scope, companyId: 'co_1' };
        return requests <= 3
          ? reply(429, body, { 'retry-after': retryAfter })
          : reply(201, { id: 'ej_app_1', jobId: 'job_1' });
      },
      { clock },
    );
    await client.applications.submit(SUBMISSION);
    expect(requests).toBe(4);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(3_000);
  });
});
