import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { requestHead, sendRaw } from '@partner-hiring/test-support/network/raw-request';
import { BASE, serve, UUID } from '@partner-hiring/test-support/servers/fastify-server';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { partnerHiringFastify } from './index.js';

describe('requests and replies', () => {
  it('sends the handler’s reply unchanged', async () => {
    const { fetch } = await serve();
    const response = await fetch(`${BASE}/applications/ej_app_1`);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-limit')).toBe('60');
    expect(response.headers.get('x-request-id')).toBe('request-1');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ id: 'ej_app_1' });
  });

  it('passes the exact bytes of the body, even in chunks', async () => {
    const { port, asked } = await serve();
    const fields = ['Content-Type: application/json', `Idempotency-Key: ${UUID}`, 'Connection: close'];
    const request = requestHead('POST', `${BASE}/applications`, ...fields, 'Transfer-Encoding: chunked');
    await sendRaw(port, [request, '3\r\n{ "\r\n', '5\r\na": 1\r\n', '3\r\n }\n\r\n', '0\r\n\r\n']);
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf('{ "a": 1 }\n'));
  });

  it('keeps two Authorization fields separate', async () => {
    const { port, asked } = await serve();
    const fields = ['Authorization: Bearer a', 'authorization: Bearer b', 'Connection: close'];
    await sendRaw(port, [requestHead('GET', `${BASE}/jobs`, ...fields)]);
    expect(asked.admissions[0]?.authorization).toEqual(['Bearer a', 'Bearer b']);
  });

  it('keeps two Idempotency-Key fields separate', async () => {
    const { port } = await serve();
    const fields = [`Idempotency-Key: ${UUID}`, `Idempotency-Key: ${UUID}`, 'Content-Type: application/json'];
    const text = await sendRaw(port, [
      requestHead('POST', `${BASE}/applications`, ...fields, 'Content-Length: 2', 'Connection: close'),
      '{}',
    ]);
    expect(text).toContain('"field":"Idempotency-Key","code":"invalid_format"');
  });

  it('uses the client address that Fastify trusts', async () => {
    const { fetch, asked } = await serve({ app: Fastify({ trustProxy: true }) });
    await fetch(`${BASE}/jobs`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(asked.admissions[0]?.clientAddress).toBe('203.0.113.9');
  });

  it('answers HEAD with the length of GET and no body, and keeps the connection', async () => {
    const { port } = await serve();
    const text = await sendRaw(port, [
      requestHead('HEAD', `${BASE}/jobs`),
      requestHead('GET', `${BASE}/nothing`, 'Connection: close'),
    ]);
    const [first = '', second = ''] = text.split('\r\n\r\n');
    expect(first).toMatch(/Content-Length: [1-9]\d+/);
    expect(second).toMatch(/^HTTP\/1\.1 404/);
  });
});

describe('the handler serves all requests under the base path', () => {
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
    ['GET', '/jobs/.', '/x/..'],
    ['GET', '/../..', ''],
  ])('%s %s', async (method, path, origin = '') => {
    const { port } = await serve();
    const text = await sendRaw(port, [requestHead(method, origin + BASE + path, 'Connection: close')]);
    expect(text).toMatch(/^HTTP\/1\.1 40[45] /);
    expect(text).toContain('X-Request-Id: request-1');
    expect(text).toContain('X-RateLimit-Limit: ');
  });

  it.each([
    ['an invalid Content-Type', 'Content-Type: nonsense', 415],
    ['a type that nothing parses', 'Content-Type: text/csv', 415],
    ['no Content-Type', 'X-Nothing: 0', 415],
    ['a JSON type without a body', 'Content-Type: application/json', 201],
  ])('%s', async (_, field, status) => {
    const { port } = await serve();
    const fields = [field, `Idempotency-Key: ${UUID}`, 'Content-Length: 3', 'Connection: close'];
    const text = await sendRaw(port, [requestHead('POST', `${BASE}/applications`, ...fields), '{"a']);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toContain('X-Request-Id: request-1');
  });

  it('works under a prefix', async () => {
    const { fetch } = await serve({ prefix: '/hiring' });
    expect((await fetch(`/hiring${BASE}/jobs?limit=2`)).status).toBe(200);
    expect((await fetch(`${BASE}/jobs`)).headers.get('x-request-id')).toBeNull();
  });

  it('works under a prefix with an absolute URL as the target', async () => {
    const { port } = await serve({ prefix: '/hiring' });
    const target = `http://elsewhere.example/hiring${BASE}/jobs`;
    expect(await sendRaw(port, [requestHead('GET', target, 'Connection: close')])).toMatch(
      /^HTTP\/1\.1 200 /,
    );
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
  ])('names the fix when it is called with %s', (_what, given) => {
    const message = '`partnerHiringFastify(partnerHiring)`';
    expect(() => partnerHiringFastify(given as never)).toThrow(message);
  });

  it('rejects a prefix with parameters', async () => {
    const { handler } = createHandlerUnderTest();
    const app = Fastify();
    await expect(app.register(partnerHiringFastify({ handler }), { prefix: '/:tenant' })).rejects.toThrow(
      /without parameters or wildcards/,
    );
  });
});
