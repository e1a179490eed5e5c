import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { finished } from 'node:stream/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHandlerUnderTest, type HandlerUnderTest } from '../../../test/support/handler.js';
import { partnerHiringFastify } from './index.js';

const BASE = '/api/v1/external';
const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
const MAX_BODY_BYTES = 1_000;

const apps: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

interface Served extends HandlerUnderTest {
  readonly app: FastifyInstance;
  readonly port: number;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** The plugin in an application, listening on the loopback. */
async function serve(
  options: {
    readonly app?: FastifyInstance;
    readonly prefix?: string;
    readonly changes?: Parameters<typeof createHandlerUnderTest>[0];
  } = {},
): Promise<Served> {
  const { app = Fastify(), prefix = '', changes = {} } = options;
  apps.push(app);
  const underTest = createHandlerUnderTest(changes, { maxBodyBytes: MAX_BODY_BYTES });
  await app.register(partnerHiringFastify(underTest), prefix === '' ? {} : { prefix });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const fetchPath = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  return { ...underTest, app, port, fetch: fetchPath };
}

/** Sends bytes as they are; resolves with all that came back once the server closes, or says enough. */
function sendRaw(port: number, chunks: readonly string[], isEnough = (_text: string) => false) {
  return new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    socket.setEncoding('utf8');
    socket.on('data', (data) => {
      text += data;
      if (isEnough(text)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const head = (method: string, path: string, ...lines: string[]) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: test', ...lines].join('\r\n')}\r\n\r\n`;

describe('bytes in, reply out', () => {
  it('the reply of the handler, unchanged', async () => {
    const { fetch } = await serve();
    const response = await fetch(`${BASE}/applications/ej_app_1`);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-limit')).toBe('60');
    expect(response.headers.get('x-request-id')).toBe('request-1');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ id: 'ej_app_1' });
  });

  it('the body arrives byte by byte as it was sent, also in chunks', async () => {
    const { port, asked } = await serve();
    const fields = ['Content-Type: application/json', `Idempotency-Key: ${UUID}`, 'Connection: close'];
    const request = head('POST', `${BASE}/applications`, ...fields, 'Transfer-Encoding: chunked');
    await sendRaw(port, [request, '3\r\n{ "\r\n', '5\r\na": 1\r\n', '3\r\n }\n\r\n', '0\r\n\r\n']);
    expect(Buffer.from(asked.submissions[0]?.body ?? []).toString()).toBe('{ "a": 1 }\n');
  });

  it('two Authorization fields arrive as two', async () => {
    const { port, asked } = await serve();
    const fields = ['Authorization: Bearer a', 'authorization: Bearer b', 'Connection: close'];
    await sendRaw(port, [head('GET', `${BASE}/jobs`, ...fields)]);
    expect(asked.admissions[0]?.authorization).toEqual(['Bearer a', 'Bearer b']);
  });

  it('two Idempotency-Key fields arrive as two', async () => {
    const { port } = await serve();
    const fields = [`Idempotency-Key: ${UUID}`, `Idempotency-Key: ${UUID}`, 'Content-Type: application/json'];
    const text = await sendRaw(port, [
      head('POST', `${BASE}/applications`, ...fields, 'Content-Length: 2', 'Connection: close'),
      '{}',
    ]);
    expect(text).toContain('"field":"Idempotency-Key","code":"invalid_format"');
  });

  it("the caller's address is the one that Fastify trusts", async () => {
    const { fetch, asked } = await serve({ app: Fastify({ trustProxy: true }) });
    await fetch(`${BASE}/jobs`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(asked.admissions[0]?.clientAddress).toBe('203.0.113.9');
  });

  it('HEAD: the length of GET without a byte of a body, and the connection goes on', async () => {
    const { port } = await serve();
    const text = await sendRaw(port, [
      head('HEAD', `${BASE}/jobs`),
      head('GET', `${BASE}/nothing`, 'Connection: close'),
    ]);
    const [first = '', second = ''] = text.split('\r\n\r\n');
    expect(first).toMatch(/Content-Length: [1-9]\d+/);
    expect(second).toMatch(/^HTTP\/1\.1 404/);
  });
});

describe('everything under the base path is the handler’s', () => {
  it.each([
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/nothing/at/all'],
    ['GET', '/jobs/'],
    ['PATCH', '/jobs'],
    ['OPTIONS', '/applications'],
    ['PROPFIND', '/jobs'],
    ['GET', '/applications/%zz'],
    ['GET', '/applications/%E0%A4%A?limit=%'],
    ['GET', `/applications/${'x'.repeat(1_000)}`],
    ['GET', '/applications/%zz', 'http://elsewhere.example'],
    ['GET', '/jobs/', 'http://elsewhere.example:99'],
  ])('%s %s', async (method, path, origin = '') => {
    const { port } = await serve();
    const text = await sendRaw(port, [head(method, origin + BASE + path, 'Connection: close')]);
    expect(text).toMatch(/^HTTP\/1\.1 40[45] /);
    expect(text).toContain('X-Request-Id: request-1');
    expect(text).toContain('X-RateLimit-Limit: ');
  });

  it.each([
    ['an invalid Content-Type', 'Content-Type: nonsense', 415],
    ['a type that nothing parses', 'Content-Type: text/csv', 415],
    ['no Content-Type', 'X-Nothing: 0', 415],
    ['a JSON type whose body is none', 'Content-Type: application/json', 201],
  ])('%s', async (_, field, status) => {
    const { port } = await serve();
    const fields = [field, `Idempotency-Key: ${UUID}`, 'Content-Length: 3', 'Connection: close'];
    const text = await sendRaw(port, [head('POST', `${BASE}/applications`, ...fields), '{"a']);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toContain('X-Request-Id: request-1');
  });

  it('under a prefix of the application', async () => {
    const { fetch } = await serve({ prefix: '/hiring' });
    expect((await fetch(`/hiring${BASE}/jobs?limit=2`)).status).toBe(200);
    expect((await fetch(`${BASE}/jobs`)).headers.get('x-request-id')).toBeNull();
  });

  it('under a prefix, with a whole URL as the target', async () => {
    const { port } = await serve({ prefix: '/hiring' });
    const target = `http://elsewhere.example/hiring${BASE}/jobs`;
    expect(await sendRaw(port, [head('GET', target, 'Connection: close')])).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each(['/api/v1/external', '/hiring/api/v1/external/'])(
    'the base path as a prefix, which would serve it below itself, is refused: %s',
    async (prefix) => {
      const message = expect.stringContaining('Mount it without "/api/v1/external"');
      await expect(serve({ prefix })).rejects.toMatchObject({ code: 'MISCONFIGURED', message });
    },
  );

  it.each([
    ['the application, as where it is registered without a call', Fastify()],
    ['a promise', Promise.resolve()],
    ['nothing', undefined],
  ])('called with %s, it says the fix', (_what, given) => {
    const message = '`partnerHiringFastify(partnerHiring)`';
    expect(() => partnerHiringFastify(given as never)).toThrow(message);
  });

  it('a prefix that varies is refused at once', async () => {
    const { handler } = createHandlerUnderTest();
    const app = Fastify();
    await expect(app.register(partnerHiringFastify({ handler }), { prefix: '/:tenant' })).rejects.toThrow(
      /must not vary/,
    );
  });
});

describe('bodies that are not read', () => {
  const fields = ['Content-Type: application/json', `Idempotency-Key: ${UUID}`];

  it('announced as too large: our 413 with our headers, then the connection goes on', async () => {
    const { port } = await serve({ app: Fastify({ bodyLimit: 100 }) });
    const text = await sendRaw(port, [
      head('POST', `${BASE}/applications`, ...fields, 'Content-Length: 2000'),
      'x'.repeat(2_000),
      head('GET', `${BASE}/jobs`, 'Connection: close'),
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE.*HTTP\/1\.1 200 /s);
    expect(text).toContain('X-RateLimit-Limit: 300');
  });

  it('within our limit and over that of Fastify: taken', async () => {
    const { fetch, asked } = await serve({ app: Fastify({ bodyLimit: 100 }) });
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    const body = ' '.repeat(900);
    expect((await fetch(`${BASE}/applications`, { method: 'POST', headers, body })).status).toBe(201);
    expect(asked.submissions[0]?.body.byteLength).toBe(900);
  });

  it('too large without saying so: 413 before the end of it', async () => {
    const { port } = await serve();
    const chunk = `3e8\r\n${'x'.repeat(1_000)}\r\n`;
    const text = await sendRaw(
      port,
      [head('POST', `${BASE}/applications`, ...fields, 'Transfer-Encoding: chunked'), chunk, chunk],
      (received) => received.includes('PAYLOAD_TOO_LARGE'),
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('a client that never stops sending is cut off, after it could read the reply', async () => {
    const { port } = await serve();
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connect(port, '127.0.0.1');
      socket.write(head('POST', `${BASE}/applications`, ...fields, 'Transfer-Encoding: chunked'));
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('connect', pour).on('drain', pour);
      socket.on('data', (data) => {
        received += String(data);
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(received));
    });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('of a stranger: 401 without reading it', async () => {
    const rate = {
      limit: 120,
      remaining: 119,
      resetAt: 60_000,
      retryAfterSeconds: 1,
      scope: { kind: 'partner' },
    };
    const { port } = await serve({
      changes: { admit: async () => ({ kind: 'unauthorized', rate }) as never },
    });
    const text = await sendRaw(
      port,
      [head('POST', `${BASE}/applications`, ...fields, 'Content-Length: 500')],
      (received) => received.includes('UNAUTHORIZED'),
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('a client that goes away in the middle submits nothing', async () => {
    const { port, asked, app } = await serve();
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head('POST', `${BASE}/applications`, ...fields, 'Content-Length: 100')}{"jobId":1}`);
    while (asked.admissions.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await app.close();
    while (asked.guarded.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(asked.submissions).toEqual([]);
  });
});

describe('the application around it', () => {
  it('its routes, parsers, limits and 404s stay its own', async () => {
    const app = Fastify();
    app.post('/echo', async (request) => ({ got: request.body }));
    const { fetch } = await serve({ app });
    const headers = { 'content-type': 'application/json' };
    const echoed = await fetch('/echo', { method: 'POST', headers, body: '{"a":1}' });
    expect(await echoed.json()).toEqual({ got: { a: 1 } });
    expect(echoed.headers.get('x-request-id')).toBeNull();
    const unparsed = await fetch('/echo', {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: 'a',
    });
    expect(unparsed.status).toBe(415);
    expect(await (await fetch('/elsewhere')).json()).toMatchObject({
      message: 'Route GET:/elsewhere not found',
    });
    for (const path of ['/elsewhere/%zz', `${BASE}-docs/%zz`]) expect((await fetch(path)).status).toBe(400);
  });

  it('its error and not-found handlers, its other hooks and parsers do not touch our replies', async () => {
    const app = Fastify();
    app.setErrorHandler(() => ({ theirs: true }));
    app.setNotFoundHandler(() => ({ theirs: true }));
    app.addHook('preParsing', async () => Promise.reject(new Error('theirs')));
    app.addHook('onSend', async () => 'theirs');
    const { fetch } = await serve({ app });
    expect((await fetch(`${BASE}/nothing`)).status).toBe(404);
    const body = '{}';
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    const created = await fetch(`${BASE}/applications`, { method: 'POST', headers, body });
    expect(await created.text()).toBe('{"id":"ej_app_1"}');
  });

  it('its onRequest hooks run before and may set headers; its onResponse hooks run after', async () => {
    const app = Fastify();
    const statuses: number[] = [];
    app.addHook('onRequest', async (_, reply) => {
      reply.headers({ 'strict-transport-security': 'max-age=1', 'x-request-id': 'theirs' });
    });
    app.addHook('onResponse', async (_, reply) => {
      statuses.push(reply.statusCode);
    });
    const { fetch } = await serve({ app });
    const { headers } = await fetch(`${BASE}/nothing`);
    expect(headers.get('strict-transport-security')).toBe('max-age=1');
    expect(headers.get('x-request-id')).toBe('request-1');
    await expect.poll(() => statuses).toEqual([404]);
  });

  it('a hook that takes its time and holds the body back meanwhile loses nothing of it', async () => {
    const app = Fastify();
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      raw.pause();
      setTimeout(done, 20);
    });
    const { fetch, asked } = await serve({ app });
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    const body = ' '.repeat(900);
    expect((await fetch(`${BASE}/applications`, { method: 'POST', headers, body })).status).toBe(201);
    expect(asked.submissions[0]?.body.byteLength).toBe(900);
  });

  it('what arrives while it closes is answered, where the application leaves that to its routes', async () => {
    const app = Fastify({ return503OnClosing: false });
    let finish = () => {};
    const isFinishing = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const isClosing = new Promise<void>((resolve) => {
      app.addHook('preClose', async () => resolve());
    });
    app.get('/long', () => isFinishing.then(() => 'long'));
    const { port } = await serve({ app });
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    const text = socket.reduce((all: string, part: string) => all + part, '');
    const isBegun = once(app.server, 'request');
    socket.write(head('GET', '/long'));
    await isBegun;
    const closed = app.close();
    await isClosing;
    const isArrived = once(app.server, 'request');
    socket.write(head('GET', `${BASE}/nothing`));
    await isArrived;
    finish();
    await closed;
    expect(await text).toMatch(/longHTTP\/1\.1 404 .*X-RateLimit-Limit.*"error":"NOT_FOUND"/s);
  });

  it('works with inject', async () => {
    const { app } = await serve();
    const response = await app.inject({ url: `${BASE}/applications/ej_app_1` });
    expect(response.json()).toMatchObject({ id: 'ej_app_1' });
  });
});

describe('a body that a hook of the application has read: 500, and the host is told the fix', () => {
  const HOOKS: readonly (readonly [string, (raw: IncomingMessage) => unknown])[] = [
    ['to its end', (raw) => finished(raw.resume())],
    ['in part', (raw) => once(raw, 'data').then(() => raw.pause())],
    ['and is still reading', (raw) => raw.resume()],
  ];
  it.each(HOOKS)('%s', async (_, read) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const app = Fastify();
    app.addHook('onRequest', async ({ raw }) => void (await read(raw)));
    const { fetch, asked, logged } = await serve({ app });
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    for (const _time of [1, 2]) {
      const response = await fetch(`${BASE}/applications`, { method: 'POST', headers, body: '{"a":1}' });
      expect(response.status).toBe(500);
      expect(response.headers.get('x-ratelimit-limit')).not.toBeNull();
      expect(await response.json()).toMatchObject({ error: 'INTERNAL_ERROR' });
    }
    expect(asked.submissions).toEqual([]);
    const message = expect.stringContaining('Keep `onRequest` hooks that read bodies off its path');
    expect(logged[0]).toMatchObject({ level: 'error', fields: { err: { name: 'OperatorError', message } } });
    expect(warn.mock.calls).toEqual([[message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' }]]);
  });

  it('what needs no body goes on', async () => {
    const app = Fastify();
    app.addHook('onRequest', async ({ raw }) => void raw.resume());
    const { fetch } = await serve({ app });
    const headers = { 'content-type': 'application/json', 'idempotency-key': UUID };
    expect((await fetch(`${BASE}/applications/ej_app_1`)).status).toBe(200);
    expect((await fetch(`${BASE}/applications`, { method: 'POST', headers })).status).toBe(201);
  });
});

describe('over HTTP/2', () => {
  const POSTED = {
    ':method': 'POST',
    ':path': `${BASE}/applications`,
    'content-type': 'application/json',
    'idempotency-key': UUID,
  };
  const READ = { ':path': `${BASE}/applications/ej_app_1` };

  it('the same replies, and clients that go away leave the server as it was', async () => {
    const underTest = createHandlerUnderTest({}, { maxBodyBytes: MAX_BODY_BYTES });
    const arrivals: (() => void)[] = [];
    let onBoth = () => {};
    const bothArrived = new Promise<void>((resolve) => {
      onBoth = resolve;
    });
    let isHeld = false;
    const handler = Object.assign(
      async (request: Parameters<typeof underTest.handler>[0]) => {
        if (isHeld) {
          await new Promise<void>((resolve) => {
            if (arrivals.push(resolve) === 2) onBoth();
          });
        }
        return underTest.handler(request);
      },
      { basePath: BASE },
    );
    const app = Fastify({ http2: true });
    app.addHook('onRequest', async (_request, reply) => void reply.header('x-host', 'yes'));
    await app.register(partnerHiringFastify({ handler }));
    const session = connectHttp2(await app.listen({ host: '127.0.0.1', port: 0 }));

    async function ask(headers: Readonly<Record<string, string>>, body = ''): Promise<IncomingHttpHeaders> {
      const stream = session.request(headers, { endStream: false });
      stream.end(body);
      const [answered] = await once(stream, 'response');
      await once(stream.resume(), 'close');
      return answered;
    }
    expect(await ask(READ)).toMatchObject({ ':status': 200, 'x-host': 'yes', 'x-ratelimit-limit': '60' });
    expect(await ask(POSTED, '{}')).toMatchObject({ ':status': 201 });
    expect(await ask(POSTED, 'x'.repeat(50 * MAX_BODY_BYTES))).toMatchObject({ ':status': 413 });

    isHeld = true;
    const leaving = connectHttp2(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
    for (const headers of [READ, POSTED]) {
      leaving
        .request(headers, { endStream: false })
        .on('error', () => {})
        .write('{');
    }
    await bothArrived;
    leaving.destroy();
    await once(leaving, 'close');
    isHeld = false;
    for (const goOn of arrivals) goOn();
    expect(await ask(READ)).toMatchObject({ ':status': 200 });
    expect(underTest.asked.submissions).toHaveLength(1);
    session.destroy();
    await app.close();
  });
});
