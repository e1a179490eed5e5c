import {
  BASE,
  clientOf,
  FOUND,
  instantClock,
  KEY,
  reply,
  SUBMISSION,
} from '@partner-hiring/test-support/client/scripted-client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ClientOptions,
  createMemorySubmissionStore,
  type Fetch,
  type Method,
  PartnerApiError,
  SubmissionPendingError,
} from './index.js';

const CREATED = reply(201, { id: 'ej_app_1', jobId: 'job_1', sourceApplicationId: 'ats-1' });

/** A client that notes what its hooks get. */
function noted(fetch: Fetch, options: Partial<ClientOptions> = {}) {
  const seen: (readonly [string, object])[] = [];
  const note = (name: string) => (report: object) => {
    seen.push([name, { ...report }]);
    // A hook cannot change what the client does.
    for (const field of Object.keys(report)) Object.assign(report, { [field]: 'changed' });
    throw new Error('The logger is broken.');
  };
  const hooks = { onRequest: note('request'), onAttempt: note('attempt'), onWait: note('wait') };
  return { seen, client: clientOf(fetch, { clock: instantClock(), ...hooks, ...options }) };
}

describe('hooks', () => {
  test('see each request, answer and wait of a submission, and neither key nor body', async () => {
    const answers = [reply(503, '', { 'x-request-id': 'r-1' }), CREATED];
    const { seen, client } = noted(async () => answers.shift() ?? CREATED);
    await client.applications.submit(SUBMISSION);
    const facts = { method: 'POST', path: '/applications', sourceApplicationId: 'ats-1' };
    const rest = { failure: null, durationMs: 0, ignoredFields: [] };
    expect(seen).toEqual([
      ['request', { ...facts, attempt: 1 }],
      ['attempt', { ...facts, ...rest, attempt: 1, status: 503, requestId: 'r-1' }],
      ['wait', { ...facts, attempt: 2, reason: 'retry', waitMs: expect.any(Number), ahead: 0 }],
      ['request', { ...facts, attempt: 2 }],
      ['attempt', { ...facts, ...rest, attempt: 2, status: 201, requestId: null }],
    ]);
    const text = JSON.stringify(seen);
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(SUBMISSION.candidate.email);
  });
});

describe('timeouts of a call', () => {
  test.each([0, -1, Number.NaN, '5' as unknown as number, 7 * 86_400_000 + 1])('refuse %j', async (ms) => {
    const client = clientOf(async () => FOUND);
    for (const options of [{ timeoutMs: ms }, { totalTimeoutMs: ms }]) {
      const calls = [
        () => client.applications.get('ej_app_1', options),
        () => client.applications.submit(SUBMISSION, options),
        () => client.applications.abandon('ats-1', options),
        () => client.webhookEndpoint.get(options),
        () => client.request({ path: '/other' }, options),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow(/(t|totalT)imeoutMs must be/);
      expect(() => client.jobs.list(options)).toThrow(TypeError);
      expect(() => client.applications.resumePending(options)).toThrow(TypeError);
    }
  });

  test('refuse a signal that is none', async () => {
    const signal = new AbortController() as unknown as AbortSignal;
    await expect(clientOf(async () => FOUND).applications.get('ej_app_1', { signal })).rejects.toThrow(
      TypeError,
    );
  });

  test('replace those of the client, up to a week', async () => {
    const clock = instantClock();
    const busy = reply(429, { error: 'RATE_LIMITED', message: 'No.' }, { 'retry-after': '240' });
    let isOver = false;
    const client = clientOf(async () => (isOver ? CREATED : busy), { clock });
    const startedAt = clock.now();
    await expect(client.applications.submit(SUBMISSION)).rejects.toMatchObject({ reason: 'not_sent' });
    expect(clock.now() - startedAt).toBeLessThan(300_000);
    const calm = client.applications.submit(SUBMISSION, { totalTimeoutMs: 7 * 86_400_000 });
    void clock
      .sleep(0)
      .then(() => new Promise((resolve) => setTimeout(resolve, 20)).then(() => (isOver = true)));
    expect(await calm).toMatchObject({ outcome: 'created' });
    expect(clock.now() - startedAt).toBeGreaterThan(300_000);
  });

  test('of the whole call end an attempt that is under way', async () => {
    const clock = instantClock();
    const client = clientOf(() => new Promise(() => {}), { clock });
    await expect(client.applications.get('ej_app_1', { totalTimeoutMs: 5 })).rejects.toMatchObject({
      reason: 'timeout',
      message: 'No response within timeoutMs or totalTimeoutMs.',
    });
    expect(clock.slept).toEqual([5]);
  });

  test('of one attempt end it', async () => {
    const clock = instantClock();
    const client = clientOf(() => new Promise(() => {}), { clock, maxAttempts: 1 });
    await expect(client.applications.get('ej_app_1', { timeoutMs: 5 })).rejects.toMatchObject({
      reason: 'timeout',
    });
    expect(clock.slept).toEqual([5]);
  });
});

describe('errors', () => {
  test('show the fields that are wrong, and name themselves in their stack', async () => {
    const errors = [
      { field: 'candidate.email', code: 'invalid_format', message: 'Must be an e-mail address.' },
      ...Array.from({ length: 6 }, () => ({ field: '', code: 'required', message: 'Is missing.' })),
    ];
    const body = { error: 'VALIDATION_ERROR', message: 'Two fields are wrong.', details: { errors } };
    const client = clientOf(async () => reply(422, body, { 'x-request-id': 'r-1' }));
    const error = await client.applications.submit(SUBMISSION).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect(String((error as Error).stack).split('\n')[0]).toBe(
      'PartnerApiError: 422 VALIDATION_ERROR: Two fields are wrong. candidate.email: Must be an e-mail address.' +
        `${' body: Is missing.'.repeat(4)} (request r-1)`,
    );
  });

  test('of a store that cannot save the result have the request id of the answer', async () => {
    const submissions = createMemorySubmissionStore();
    const settle = () => Promise.reject(new Error('The disk is full.'));
    const created = { id: 'ej_app_1', jobId: 'job_1', sourceApplicationId: 'ats-1' };
    const client = clientOf(async () => reply(201, created, { 'x-request-id': 'r-1' }), {
      submissions: { ...submissions, settle },
    });
    await expect(client.applications.submit(SUBMISSION)).rejects.toMatchObject({
      reason: 'store',
      requestId: 'r-1',
      message: expect.stringMatching(/^The outcome of submission ats-1 is not saved \(store\): .* ej_app_1/),
    });
  });

  test('of a pending submission have the request id of the last answer', async () => {
    const answered = clientOf(async () => reply(403, '<html>', { 'x-request-id': 'r-1' }));
    const lost = clientOf(() => Promise.reject(new TypeError('fetch failed')));
    for (const [client, requestId] of [
      [answered, 'r-1'],
      [lost, null],
    ] as const) {
      const error = await client.applications.submit(SUBMISSION).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SubmissionPendingError);
      expect(error).toMatchObject({ requestId });
    }
  });
});

describe('the User-Agent', () => {
  afterEach(() => void vi.unstubAllGlobals());

  test.each<[string | undefined, string | undefined]>([
    [undefined, 'partner-hiring-client/0.1.0'],
    ['Node.js/24', 'partner-hiring-client/0.1.0'],
    ['Mozilla/5.0 (X11; Linux x86_64)', undefined],
  ])('in %j is %j', async (runtime, sent) => {
    vi.stubGlobal('navigator', runtime === undefined ? undefined : { userAgent: runtime });
    const seen: unknown[] = [];
    const client = clientOf(async (_, { headers }) => {
      seen.push(headers['user-agent']);
      return FOUND;
    });
    await client.applications.get('ej_app_1');
    expect(seen).toEqual([sent]);
  });

  test('has the version of the package', async () => {
    const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
    expect(manifest.version).toBe('0.1.0');
  });
});

describe('request', () => {
  test('refuses a GET with a body', async () => {
    const request = clientOf(async () => reply(200, {})).request({ path: '/later', body: {} });
    await expect(request).rejects.toThrow(new TypeError('A GET has no body.'));
  });

  test('sends any other route with the key, and returns what came', async () => {
    const seen: unknown[] = [];
    const client = clientOf(async (url, { method, headers, body }) => {
      seen.push([method, url, headers.authorization, headers['content-type'], body]);
      return method === 'DELETE' ? reply(204, '') : reply(200, { is: 'new' }, { 'x-request-id': 'r-1' });
    });
    expect(await client.request({ path: '/later?a=1' })).toEqual({
      status: 200,
      json: { is: 'new' },
      requestId: 'r-1',
    });
    const body = { a: 1 };
    const put = client.request({ method: 'PUT', path: '/later', body });
    body.a = 2;
    await put;
    expect(await client.request({ method: 'DELETE', path: '/later' })).toMatchObject({ status: 204 });
    const [key, json] = [`Bearer ${KEY}`, 'application/json'];
    expect(seen).toEqual([
      ['GET', `${BASE}/later?a=1`, key, undefined, undefined],
      ['PUT', `${BASE}/later`, key, json, '{"a":1}'],
      ['DELETE', `${BASE}/later`, key, undefined, undefined],
    ]);
  });

  test.each<['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', number]>([
    ['GET', 6],
    ['PUT', 6],
    ['DELETE', 6],
    ['POST', 1],
    ['PATCH', 1],
  ])('sends a lost %s %i times', async (method, times) => {
    let sent = 0;
    const client = clientOf(() => {
      sent += 1;
      return Promise.reject(new TypeError('fetch failed'));
    });
    await expect(client.request({ method, path: '/later' })).rejects.toMatchObject({ reason: 'network' });
    expect(sent).toBe(times);
  });

  test.each([
    '/applications',
    '/applications/',
    '//applications',
    '/Applications?x=1',
    '/applic%61tions#x',
    '/jobs/../applications',
    '/jobs/%2e%2e/applications',
    '/%2Fapplications',
    '/\\applications',
    '/appli\ncations',
  ])('refuses to post to %j, and reads it', async (path) => {
    const paths: string[] = [];
    const client = clientOf(async (url) => {
      paths.push(url);
      return reply(200, {});
    });
    for (const method of ['POST', 'post']) {
      await expect(client.request({ method: method as Method, path })).rejects.toThrow('applications.submit');
    }
    expect(paths).toEqual([]);
    await client.request({ path });
    expect(paths).toHaveLength(1);
  });

  test.each(['', 'jobs', '/../jobs', '.evil.example/x', '@evil.example/x', '?a=1', ':80/x', '/%2e%2e/x'])(
    'sends nothing to %j, which is not below the base address',
    async (path) => {
      const urls: string[] = [];
      const client = clientOf(async (url) => {
        urls.push(url);
        return reply(200, {});
      });
      await expect(client.request({ path })).rejects.toThrow(TypeError);
      expect(urls).toEqual([]);
    },
  );
});
