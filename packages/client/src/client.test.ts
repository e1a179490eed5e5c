import { describe, expect, test } from 'vitest';
import { systemClock } from './clock.js';
import {
  type ClientOptions,
  createMemorySyncStore,
  createPartnerClient,
  type Fetch,
  type FetchResponse,
  type Job,
  PartnerApiError,
  PartnerConnectionError,
} from './index.js';

const KEY = `pek_test_${'k'.repeat(49)}`;
const BASE = 'https://api.example.org/api/v1/external';

/** Sleeps last no time: what is waited for is written down. */
function instantClock() {
  let now = Date.parse('2026-11-21T10:00:00.000Z');
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      // Time-outs and deadlines are cut short by their signal; pauses are not.
      const isCut = () => signal?.aborted === true;
      if (!isCut()) {
        await new Promise<void>((resolve) => {
          setTimeout(resolve, 2);
          signal?.addEventListener('abort', () => resolve());
        });
      }
      if (isCut()) return;
      slept.push(ms);
      now += ms;
    },
  };
}

function reply(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): FetchResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: new Headers(headers), text: async () => text };
}

function clientOf(fetch: Fetch, options: Partial<ClientOptions> = {}) {
  return createPartnerClient({
    baseUrl: BASE,
    apiKey: KEY,
    fetch,
    clock: instantClock(),
    random: () => 0,
    ...options,
  });
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<readonly Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

const job = (id: string, updatedAt = '2026-11-21T09:00:00.000Z') =>
  ({ id, company: { id: 'co_1', name: 'One' }, updatedAt }) as Job;

const SUBMISSION = {
  jobId: 'job_1',
  candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
  consentToContact: true,
  sourceApplicationId: 'ats-1',
} as const;

describe('options', () => {
  test.each<[string, Partial<ClientOptions>]>([
    ['baseUrl is no URL', { baseUrl: 'api.example.org' }],
    ['baseUrl is plain http', { baseUrl: 'http://api.example.org/api' }],
    ['allowInsecureHttp must be true or false', { allowInsecureHttp: 'false' as unknown as boolean }],
    ['neither credentials nor a query', { baseUrl: 'https://me@api.example.org/api' }],
    ['neither credentials nor a query', { baseUrl: `${BASE}?key=1` }],
    ['apiKey must be the whole key', { apiKey: '' }],
    ['apiKey must be the whole key', { apiKey: `${KEY}\n` }],
    ['apiKey must be the whole key', { apiKey: 'whsec_1' }],
    ['timeoutMs must be', { timeoutMs: 0 }],
    ['totalTimeoutMs must be', { totalTimeoutMs: Number.NaN }],
    ['maxAttempts must be', { maxAttempts: -1 }],
    ['maxRetryAfterMs must be', { maxRetryAfterMs: Number.POSITIVE_INFINITY }],
    ['maxConcurrency must be', { maxConcurrency: Number.POSITIVE_INFINITY }],
    ['scope must not be empty', { scope: '' }],
  ])('%s: %j', (message, options) => {
    expect(() => clientOf(async () => reply(200, {}), options)).toThrow(TypeError);
    expect(() => clientOf(async () => reply(200, {}), options)).toThrow(message);
  });

  test('plain http passes to this machine, and where it is asked for; slashes at the end do not matter', async () => {
    const urls: string[] = [];
    const fetch: Fetch = async (url) => {
      urls.push(url);
      return reply(200, { data: [] });
    };
    await all(clientOf(fetch, { baseUrl: 'http://127.0.0.1:3000/api/' }).jobs.list());
    await all(
      clientOf(fetch, { baseUrl: 'http://api.test/v1//', allowInsecureHttp: true }).jobs.list({ limit: 5 }),
    );
    expect(urls).toEqual(['http://127.0.0.1:3000/api/jobs?limit=200', 'http://api.test/v1/jobs?limit=5']);
  });
});

describe('a request', () => {
  test('carries the key, follows no redirect, and says where it was sent', async () => {
    const seen: unknown[] = [];
    const client = clientOf(async (_, { headers, redirect }) => {
      seen.push([headers.authorization, redirect]);
      return reply(302, '', { location: 'https://elsewhere.example.org' });
    });
    const error = await client.applications.get('ej_app_1').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect(error).toMatchObject({ code: 'HTTP_302', requestId: null });
    expect(seen).toEqual([[`Bearer ${KEY}`, 'manual']]);
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
      const cause = Object.assign(new Error(message), { code: 'ECONNREFUSED' });
      const client = clientOf(() => Promise.reject(new TypeError('fetch failed', { cause })), {
        maxAttempts: 1,
      });
      await expect(client.applications.get('ej_app_1')).rejects.toMatchObject({
        reason: 'network',
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
      expect(error).toMatchObject({ reason: 'timeout' });
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

  test.each<[string, FetchResponse]>([
    ['a page in HTML', reply(200, '<html>')],
    ['another JSON', reply(200, { ok: true })],
    ['rows without an id', reply(200, { data: [{}] })],
  ])('takes %s with status 200 for no answer', async (_, answer) => {
    const client = clientOf(async () => answer, { maxAttempts: 2 });
    await expect(all(client.jobs.list())).rejects.toMatchObject({ reason: 'invalid_answer' });
  });
});

describe('traffic', () => {
  test('lets no more than maxConcurrency out, and a long queue does not keep a short one waiting', async () => {
    let underWay = 0;
    let most = 0;
    const order: string[] = [];
    const client = clientOf(
      async (url) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 1));
        underWay -= 1;
        order.push(url);
        return url.includes('/jobs')
          ? reply(200, { data: [] })
          : reply(200, { id: 'ej_app_1', jobId: 'job_1' });
      },
      { maxConcurrency: 2, clock: systemClock },
    );
    const reads = Array.from({ length: 20 }, () => client.applications.get('ej_app_1'));
    await Promise.all([...reads, all(client.jobs.list())]);
    expect(most).toBe(2);
    expect(order.findIndex((url) => url.includes('/jobs'))).toBeLessThan(5);
  });
});

test('a submission whose lost attempt was done, which only its sourceApplicationId tells, is found', async () => {
  const application = { id: 'ej_app_1', sourceApplicationId: 'ats-1', jobId: 'job_1', status: 'received' };
  const answers = [
    () => Promise.reject(new TypeError('fetch failed')),
    async () =>
      reply(409, {
        error: 'DUPLICATE_SOURCE_APPLICATION_ID',
        message: 'It is taken.',
        details: { applicationId: 'ej_app_1' },
      }),
    async () => reply(200, application),
  ];
  const client = clientOf(async () => (await answers.shift()?.()) ?? reply(500, ''));
  expect(await client.applications.submit(SUBMISSION)).toMatchObject({
    outcome: 'found',
    application: { id: 'ej_app_1' },
  });
});

describe('a 429', () => {
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

describe('a list', () => {
  test('is read page by page as it is needed, with its filters on each page', async () => {
    const urls: string[] = [];
    const client = clientOf(async (url) => {
      urls.push(url.slice(BASE.length));
      const cursor = new URL(url).searchParams.get('cursor');
      return reply(
        200,
        cursor === null ? { data: [job('job_1')], next_cursor: 'c+1' } : { data: [job('job_2')] },
        {
          'x-request-id': `r-${urls.length}`,
          'x-updated-through': `t-${urls.length}`,
        },
      );
    });
    const list = client.jobs.list({ companyId: 'co_1', updatedSince: new Date('2026-11-21T00:00:00Z') });
    for await (const { id } of list) if (id === 'job_1') break;
    expect(urls).toHaveLength(1);
    const pages = await all(list.pages());
    expect(pages).toMatchObject([
      { nextCursor: 'c+1', updatedThrough: 't-2', requestId: 'r-2' },
      { nextCursor: null, updatedThrough: 't-3', requestId: 'r-3' },
    ]);
    const filter = '/jobs?limit=200&updated_since=2026-11-21T00%3A00%3A00.000Z&company_id=co_1';
    expect(urls.slice(1)).toEqual([filter, `${filter}&cursor=c%2B1`]);
  });

  test('that names a page as its own next one ends with an error', async () => {
    const client = clientOf(async () => reply(200, { data: [], next_cursor: 'c' }));
    await expect(all(client.jobs.list())).rejects.toMatchObject({ reason: 'invalid_answer' });
  });
});

describe('sync', () => {
  const INVALID_CURSOR = reply(422, {
    error: 'VALIDATION_ERROR',
    message: 'No.',
    details: { errors: [{ field: 'cursor', code: 'invalid_cursor', message: 'Not a cursor of this list.' }] },
  });

  test('begins again where a cursor is no longer taken, once', async () => {
    let isOver = false;
    const client = clientOf(async (url) => {
      if (!url.includes('cursor')) return reply(200, { data: [job('job_1')], next_cursor: 'c' });
      const answer = isOver ? reply(200, { data: [job('job_2')] }) : INVALID_CURSOR;
      isOver = true;
      return answer;
    });
    const store = createMemorySyncStore<Job>();
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'whole', rows: 2, disappeared: [] });
    expect([...store.rows.keys()]).toEqual(['job_1', 'job_2']);
    isOver = false;
    const broken = clientOf(async (url) =>
      url.includes('cursor') ? INVALID_CURSOR : reply(200, { data: [job('job_1')], next_cursor: 'c' }),
    );
    await expect(broken.jobs.sync({ store, compareEveryMs: 0 })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect([...store.rows.keys()]).toEqual(['job_1', 'job_2']);
  });

  test('of a service without X-Updated-Through overlaps by minutes, and only once a list was read to its end', async () => {
    const asked: (string | null)[] = [];
    const client = clientOf(async (url) => {
      const query = new URL(url).searchParams;
      asked.push(query.get('updated_since'));
      return reply(200, {
        data: [job('job_1', '2026-11-21T09:00:00.000Z'), job('job_2', '2026-11-21T08:00:00.000Z')],
      });
    });
    const store = createMemorySyncStore<Job>();
    await client.jobs.sync({ store });
    await client.jobs.sync({ store });
    expect(asked).toEqual([null, '2026-11-21T08:55:00.000Z']);
  });

  test('compares with the whole list when the last comparison is old, and says what has gone', async () => {
    let rows = [job('job_1'), job('job_2')];
    const clock = instantClock();
    let pages = 0;
    const client = clientOf(async () => reply(200, { data: rows }, { 'x-updated-through': `t-${++pages}` }), {
      clock,
    });
    const store = createMemorySyncStore<Job>();
    await client.jobs.sync({ store });
    rows = [job('job_2')];
    const changes = { kind: 'changes', rows: 1, disappeared: [] };
    expect(await client.jobs.sync({ store })).toEqual({ ...changes, updatedThrough: 't-2' });
    await clock.sleep(24 * 60 * 60 * 1_000 - 1);
    expect(await client.jobs.sync({ store })).toEqual({ ...changes, updatedThrough: 't-3' });
    await clock.sleep(1);
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'whole', disappeared: ['job_1'] });
    expect([...store.rows.keys()]).toEqual(['job_2']);
    expect(await client.jobs.sync({ store })).toMatchObject({ kind: 'changes' });
    expect(await client.jobs.sync({ store, compareEveryMs: 0 })).toMatchObject({ kind: 'whole' });
  });

  test('of one company asks for that one alone, and ends when its signal aborts', async () => {
    const companies: (string | null)[] = [];
    const ending = new AbortController();
    const client = clientOf(async (url) => {
      companies.push(new URL(url).searchParams.get('company_id'));
      if (companies.length === 1) return reply(200, { data: [], next_cursor: 'c' });
      queueMicrotask(() => ending.abort(new Error('no longer wanted')));
      return new Promise(() => {});
    });
    const store = createMemorySyncStore<Job>();
    const work = client.jobs.sync({ store, companyId: 'co_1', signal: ending.signal });
    await expect(work).rejects.toThrow('no longer wanted');
    expect(companies).toEqual(['co_1', 'co_1']);
  });

  test.each([0, undefined])(
    'keeps its state where a page fails, and rejects with what the store does (compareEveryMs: %s)',
    async (compareEveryMs) => {
      const store = createMemorySyncStore<Job>();
      await clientOf(async () => reply(200, { data: [job('job_1')] })).jobs.sync({ store });
      const before = await store.readState();
      const later = job('job_2', '2026-11-21T12:00:00.000Z');
      const client = clientOf(async (url) =>
        url.includes('cursor') ? reply(401, '') : reply(200, { data: [later], next_cursor: 'c' }),
      );
      const options = compareEveryMs === undefined ? {} : { compareEveryMs };
      await expect(client.jobs.sync({ store, ...options })).rejects.toMatchObject({ code: 'HTTP_401' });
      expect([...store.rows.keys()]).toEqual(['job_1', 'job_2']);
      expect(await store.readState()).toEqual(before);
      const full = { ...store, apply: () => Promise.reject(new Error('The disk is full.')) };
      await expect(client.jobs.sync({ store: full, ...options })).rejects.toThrow('The disk is full.');
    },
  );

  test('takes turns with another one of the same store', async () => {
    const client = clientOf(async () => reply(200, { data: [job('job_1')] }));
    const store = createMemorySyncStore<Job>();
    const reports = await Promise.all([client.jobs.sync({ store }), client.jobs.sync({ store })]);
    expect(reports.map(({ kind }) => kind)).toEqual(['whole', 'changes']);
  });

  test('that fails half way has dropped nothing', async () => {
    const store = createMemorySyncStore<Job>();
    await clientOf(async () => reply(200, { data: [job('job_1'), job('job_9')] })).jobs.sync({ store });
    const failing = clientOf(async (url) =>
      url.includes('cursor')
        ? reply(401, { error: 'UNAUTHORIZED', message: 'No.' })
        : reply(200, { data: [job('job_1')], next_cursor: 'c' }),
    );
    await expect(failing.jobs.sync({ store, compareEveryMs: 0 })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect([...store.rows.keys()]).toEqual(['job_1', 'job_9']);
  });
});
