import { once } from 'node:events';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { finished } from 'node:stream/promises';
import express, { type ErrorRequestHandler, type Express } from 'express';
import express4 from 'express4';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHandlerUnderTest, type HandlerUnderTest } from '../../../test/support/handler.js';
import { partnerHiringExpress } from './index.js';

const BASE = '/api/v1/external';
const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
const MAX_BODY_BYTES = 1_000;
const POSTED = { 'content-type': 'application/json', 'idempotency-key': UUID };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Served extends HandlerUnderTest {
  readonly port: number;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(body: string): Promise<Response>;
}

/** Serves an application that `mount` has put the middleware into. */
async function serve(
  app: Express,
  mount: (middleware: ReturnType<typeof partnerHiringExpress>) => void,
): Promise<Served> {
  const underTest = createHandlerUnderTest({}, { maxBodyBytes: MAX_BODY_BYTES });
  mount(partnerHiringExpress(underTest));
  const port = await listen(app);
  const fetchPath = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const post = (body: string) => fetchPath(`${BASE}/applications`, { method: 'POST', headers: POSTED, body });
  return { ...underTest, port, fetch: fetchPath, post };
}

function listen(app: Express): Promise<number> {
  return new Promise((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
  });
}

/** Sends bytes as they are; resolves with all that came back once the server closes. */
function sendRaw(port: number, ...chunks: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    socket.setEncoding('utf8');
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const head = (method: string, path: string, ...lines: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: test', 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`;

const VERSIONS: readonly (readonly [string, typeof express])[] = [
  ['Express 5', express],
  ['Express 4', express4],
];

describe.each(VERSIONS)('%s', (_version, createApp) => {
  describe('bytes in, reply out', () => {
    it('the reply of the handler, unchanged, and unsigned by Express', async () => {
      const app = createApp();
      const { fetch } = await serve(app, (middleware) => app.use(middleware));
      const response = await fetch(`${BASE}/applications/ej_app_1`);
      expect(response.status).toBe(200);
      expect([...response.headers.keys()].sort()).toEqual(
        [
          ...['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive'],
          ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'],
        ].sort(),
      );
      expect(response.headers.get('x-request-id')).toBe('request-1');
      expect(await response.json()).toMatchObject({ id: 'ej_app_1' });
    });

    it('the body arrives byte by byte as it was sent, also in chunks', async () => {
      const app = createApp();
      const { port, asked } = await serve(app, (middleware) => app.use(middleware));
      const fields = ['Content-Type: application/json', `Idempotency-Key: ${UUID}`];
      const request = head('POST', `${BASE}/applications`, ...fields, 'Transfer-Encoding: chunked');
      await sendRaw(port, request, '3\r\n{ "\r\n', '5\r\na": 1\r\n', '3\r\n }\n\r\n', '0\r\n\r\n');
      expect(Buffer.from(asked.submissions[0]?.body ?? []).toString()).toBe('{ "a": 1 }\n');
    });

    it('two Authorization fields arrive as two', async () => {
      const app = createApp();
      const { port, asked } = await serve(app, (middleware) => app.use(middleware));
      const fields = ['Authorization: Bearer a', 'authorization: Bearer b'];
      await sendRaw(port, head('GET', `${BASE}/jobs`, ...fields));
      expect(asked.admissions[0]?.authorization).toEqual(['Bearer a', 'Bearer b']);
    });

    it.each([
      [false, '127.0.0.1'],
      [true, '203.0.113.9'],
    ])("the caller's address, with `trust proxy` %s", async (trusted, address) => {
      const app = createApp().set('trust proxy', trusted);
      const { fetch, asked } = await serve(app, (middleware) => app.use(middleware));
      await fetch(`${BASE}/jobs`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
      expect(asked.admissions[0]?.clientAddress).toBe(address);
    });
  });

  describe('everything under the base path is the handler’s', () => {
    it.each([
      ['GET', BASE],
      ['GET', `${BASE}/`],
      ['GET', `${BASE}?limit=1`],
      ['GET', `${BASE}/nothing/at/all`],
      ['GET', `${BASE}/jobs/`],
      ['PATCH', `${BASE}/jobs`],
      ['OPTIONS', `${BASE}/applications`],
      ['PROPFIND', `${BASE}/jobs`],
      ['GET', `${BASE}/applications/%zz`],
      ['GET', `${BASE}/applications/%E0%A4%A?limit=%`],
      ['GET', `http://elsewhere.example${BASE}/jobs/`],
      ['GET', '/api/v1/%65xternal/jobs'],
    ])('%s %s', async (method, path) => {
      const app = createApp();
      const { port } = await serve(app, (middleware) => app.use(middleware));
      const text = await sendRaw(port, head(method, path));
      expect(text).toMatch(/^HTTP\/1\.1 40[45] /);
      expect(text).toContain('X-Request-Id: request-1');
    });

    it.each([
      '/',
      '/api/v1',
      '/api/v1/externals/jobs',
      '/API/v1/external/jobs',
      '/elsewhere?/api/v1/external/',
    ])('%s is not', async (path) => {
      const app = createApp();
      const { port } = await serve(app, (middleware) => app.use(middleware));
      app.use((_request, response) => void response.status(418).end());
      expect(await sendRaw(port, head('GET', path))).toMatch(/^HTTP\/1\.1 418 /);
    });

    it('under a prefix, a pattern as well, and there only', async () => {
      const app = createApp();
      const { port, asked } = await serve(app, (middleware) =>
        app.use(['/hiring', '/of/:tenant'], middleware),
      );
      const statusOf = async (target: string) => (await sendRaw(port, head('GET', target))).slice(9, 12);
      expect(await statusOf(`/hiring${BASE}/jobs?limit=2`)).toBe('200');
      expect(await statusOf(`http://elsewhere.example/hiring${BASE}/jobs?limit=3`)).toBe('200');
      expect(await statusOf(`/of/acme${BASE}/jobs?limit=4`)).toBe('200');
      expect(asked.admissions).toHaveLength(3);
      expect(await statusOf(`${BASE}/jobs`)).toBe('404');
      expect(asked.admissions).toHaveLength(3);
    });

    it('in a router of its own', async () => {
      const app = createApp();
      const router = createApp.Router();
      app.use('/hiring', router);
      const { fetch } = await serve(app, (middleware) => router.use(middleware));
      expect((await fetch(`/hiring${BASE}/applications/ej_app_1`)).status).toBe(200);
    });
  });

  describe('the application around it', () => {
    it('its parsers and routes stay its own', async () => {
      const app = createApp();
      const { fetch, post } = await serve(app, (middleware) => app.use(middleware, createApp.json()));
      app.post('/echo', (request, response) => void response.json({ got: request.body }));
      const headers = { 'content-type': 'application/json' };
      const echoed = await fetch('/echo', { method: 'POST', headers, body: '{"a":1}' });
      expect(await echoed.json()).toEqual({ got: { a: 1 } });
      expect((await post('{}')).status).toBe(201);
    });

    it('headers that its middleware set are sent along; ours win', async () => {
      const app = createApp();
      app.use((_request, response, next) => {
        response.set({
          'Strict-Transport-Security': 'max-age=1',
          'X-Request-Id': 'theirs',
          'X-Powered-By': 'us',
        });
        next();
      });
      const { fetch } = await serve(app, (middleware) => app.use(middleware));
      const { headers } = await fetch(`${BASE}/nothing`);
      expect(headers.get('strict-transport-security')).toBe('max-age=1');
      expect(headers.get('x-request-id')).toBe('request-1');
      expect(headers.get('x-powered-by')).toBe('us');
    });

    it('a middleware in front that takes its time loses nothing of the body', async () => {
      const app = createApp();
      app.use((_request, _response, next) => void setTimeout(next, 20));
      const { post, asked } = await serve(app, (middleware) => app.use(middleware));
      expect((await post(' '.repeat(900))).status).toBe(201);
      expect(asked.submissions[0]?.body.byteLength).toBe(900);
    });

    it('nor does one that holds the body back meanwhile', async () => {
      const app = createApp();
      app.use((request, _response, next) => {
        request.pause();
        setTimeout(next, 20);
      });
      const { post, asked } = await serve(app, (middleware) => app.use(middleware));
      expect((await post(' '.repeat(900))).status).toBe(201);
      expect(asked.submissions[0]?.body.byteLength).toBe(900);
    });

    it('a middleware that answered in our place has answered, and the connection goes on', async () => {
      const app = createApp();
      const { handler } = createHandlerUnderTest();
      const isAskedNext = new AbortController();
      const slow = async (request: Parameters<typeof handler>[0]) => {
        await once(isAskedNext.signal, 'abort');
        return handler(request);
      };
      app.use(BASE, (_request, response, next) => {
        next();
        response.status(503).send('too late');
      });
      app.use(partnerHiringExpress({ handler: Object.assign(slow, { basePath: BASE }) }));
      app.get('/next', (_request, response) => {
        isAskedNext.abort();
        setTimeout(() => response.send('the next'), 50);
      });
      const errors: unknown[] = [];
      app.use((error: unknown, _request: unknown, _response: unknown, next: (error: unknown) => void) => {
        errors.push(error);
        next(error);
      });
      const text = await sendRaw(
        await listen(app),
        `GET ${BASE}/jobs HTTP/1.1\r\nHost: test\r\n\r\n`,
        head('GET', '/next'),
      );
      expect(text).toMatch(/^HTTP\/1\.1 503 .*too lateHTTP\/1\.1 200 .*the next$/s);
      expect(errors).toEqual([]);
    });
  });

  it.each([BASE, `/hiring${BASE}/`, ['/other', BASE]])(
    'at its own base path, which it would serve below itself, it refuses to be mounted: %j',
    (path) => {
      const message = expect.stringContaining(`Mount it without "${BASE}"`);
      const misconfigured = expect.objectContaining({ code: 'MISCONFIGURED', message });
      const mount = () => createApp().use(path, partnerHiringExpress(createHandlerUnderTest()));
      expect(mount).toThrow(misconfigured);
    },
  );

  it('behind a path that takes the base path away it warns once of that, and hands on', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const router = createApp.Router();
    const { fetch } = await serve(createApp().use(BASE, router), (middleware) => router.use(middleware));
    for (const path of [`${BASE}/jobs`, `${BASE}/applications`]) expect((await fetch(path)).status).toBe(404);
    const message = expect.stringContaining('`app.use(partnerHiringExpress(partnerHiring))`');
    expect(warn.mock.calls).toEqual([[message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' }]]);
  });

  it('outside the base path nobody is warned', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const router = createApp.Router();
    const { fetch } = await serve(createApp().use('/hiring', router), (middleware) => router.use(middleware));
    for (const path of ['/hiring/jobs', `/hiring${BASE}x/jobs`, `${BASE}/jobs`])
      expect((await fetch(path)).status).toBe(404);
    expect(warn).not.toHaveBeenCalled();
  });

  it('handed over without a call, or called with a promise, it says the fix', async () => {
    const message = '`partnerHiringExpress(partnerHiring)`';
    const app = createApp().use(partnerHiringExpress as never);
    app.use(((error, _request, response, _next) => {
      response.status(500).end(error.message);
    }) satisfies ErrorRequestHandler);
    const response = await fetch(`http://127.0.0.1:${await listen(app)}${BASE}/jobs`);
    expect(await response.text()).toContain(message);
    expect(() => partnerHiringExpress(Promise.resolve() as never)).toThrow(message);
  });

  describe('behind a body parser it refuses to be mounted, and names the fix', () => {
    const mountable = () => partnerHiringExpress(createHandlerUnderTest());
    const refusal = (parser: string) =>
      expect.objectContaining({
        code: 'MISCONFIGURED',
        message: expect.stringMatching(
          new RegExp(`behind the body parser express\\.${parser}\\(\\)\\. Mount it before the body parser`),
        ),
      });

    it.each(['json', 'urlencoded', 'raw', 'text'] as const)('express.%s()', (parser) => {
      const app = createApp().use(createApp[parser]({ extended: false } as never));
      expect(() => app.use(mountable())).toThrow(refusal(parser));
    });

    it.each([
      ['on a path that covers ours', () => createApp().use('/api', createApp.json()), '/'],
      ['on a path that covers the prefix', () => createApp().use('/hiring', createApp.json()), '/hiring'],
      [
        'in a router in front',
        () => createApp().use('/api', createApp.Router().use('/v1', createApp.json())),
        '/',
      ],
      [
        'under one of two prefixes',
        () => createApp().use('/hiring', createApp.json()),
        ['/other', '/hiring'],
      ],
      [
        'in the same call',
        () => createApp().use(createApp.json(), (_request, _response, next) => next()),
        '/',
      ],
    ] as [string, () => Express, string | string[]][])('%s', (_, create, prefix) => {
      const app = create();
      expect(() => app.use(prefix, mountable())).toThrow(refusal('json'));
    });

    it('of an application that ours is mounted on later', () => {
      const inner = createApp().use('/hiring', mountable());
      const outer = createApp().use('/v2/hiring', createApp.json());
      expect(() => outer.use('/v2', inner)).toThrow(refusal('json'));
    });

    it.each([
      ['on other paths', () => createApp().use('/mine', createApp.json()), '/'],
      ['on our path outside the prefix', () => createApp().use('/api', createApp.json()), '/hiring'],
      [
        'in a router for other paths',
        () => createApp().use('/api', createApp.Router().use('/mine', createApp.json())),
        '/',
      ],
    ] as [string, () => Express, string][])('a parser %s does no harm', (_, create, prefix) => {
      const app = create();
      expect(() => app.use(prefix, mountable())).not.toThrow();
    });
  });

  describe('a body that something unseen has read: 500, and the host is told the fix', () => {
    const parsers: readonly (readonly [string, (app: Express) => void])[] = [
      [
        'a parser without a name',
        (app) => app.use((request, response, next) => createApp.json()(request, response, next)),
      ],
      [
        'one that read it to its end',
        (app) =>
          app.use(async (request, _response, next) => {
            await finished(request.resume());
            next();
          }),
      ],
      [
        'one that is still reading',
        (app) => app.use((request, _response, next) => void next(void request.resume())),
      ],
    ];
    it.each(parsers)('%s', async (_, use) => {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      const app = createApp();
      use(app);
      const { post, logged, asked } = await serve(app, (middleware) => app.use(middleware));
      for (const _time of [1, 2]) {
        const response = await post('{"jobId":"job_1"}');
        expect(response.status).toBe(500);
        expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
        expect(await response.json()).toMatchObject({ error: 'INTERNAL_ERROR' });
      }
      expect(asked.submissions).toEqual([]);
      expect(logged[0]).toMatchObject({
        level: 'error',
        fields: {
          err: { name: 'OperatorError', message: expect.stringContaining('Mount it before the body') },
        },
      });
      expect(warn.mock.calls).toEqual([
        [
          expect.stringContaining('Mount it before the body'),
          { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' },
        ],
      ]);
    });

    it('express.json() in front of a router that holds ours', async () => {
      vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
      const app = createApp();
      const router = createApp.Router();
      app.use(createApp.json(), router);
      const { post, asked } = await serve(app, (middleware) => router.use(middleware));
      expect((await post('{"jobId":"job_1"}')).status).toBe(500);
      expect(asked.submissions).toEqual([]);
    });

    it('what needs no body goes on', async () => {
      const app = createApp();
      app.use((request, response, next) => createApp.json()(request, response, next));
      const { fetch } = await serve(app, (middleware) => app.use(middleware));
      expect((await fetch(`${BASE}/applications/ej_app_1`)).status).toBe(200);
      expect((await fetch(`${BASE}/applications`, { method: 'POST', headers: POSTED })).status).toBe(201);
    });

    it('so does what announces none, after something that waited for its end', async () => {
      const app = createApp();
      app.use(async (request, _response, next) => {
        await finished(request.resume());
        next();
      });
      const { port } = await serve(app, (middleware) => app.use(middleware));
      const fields = Object.entries(POSTED).map(([name, value]) => `${name}: ${value}`);
      const text = await sendRaw(port, head('POST', `${BASE}/applications`, ...fields));
      expect(text).toMatch(/^HTTP\/1\.1 201 /);
    });
  });
});

it('over HTTP/2, whose bodies need not be announced, nothing of them is lost', async () => {
  const { handler, asked } = createHandlerUnderTest();
  const middleware = partnerHiringExpress({ handler });
  // Express itself speaks HTTP/1; those who bridge it hand over what Node's compatibility makes of a stream.
  const server = createHttp2Server((request, response) =>
    middleware(request as never, response as never, (error) => response.destroy(error as Error)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':method': 'POST', ':path': `${BASE}/applications`, ...POSTED });
  stream.end('{"a":1}');
  const [headers] = await once(stream, 'response');
  expect(headers).toMatchObject({ ':status': 201 });
  expect(Buffer.from(asked.submissions[0]?.body ?? []).toString()).toBe('{"a":1}');
  session.destroy();
  server.close();
});
