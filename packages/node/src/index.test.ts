import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import {
  serveBehindPlatform,
  UNUSABLE_RAW_BODIES,
} from '@partner-hiring/test-support/servers/body-reading-platform';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createNodeHandler, type NodeHandlerOptions } from './index.js';

const BASE = '/api/v1/external';
const POSTED = {
  'content-type': 'application/json',
  'idempotency-key': '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10',
};

function create(options: NodeHandlerOptions = {}) {
  const underTest = createHandlerUnderTest({}, { maxBodyBytes: 1_000 });
  return { ...underTest, handle: createNodeHandler(underTest, options) };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const post = (origin: string, body: string, headers = {}) =>
  fetch(`${origin}${BASE}/applications`, { method: 'POST', headers: { ...POSTED, ...headers }, body });

const own = (response: ServerResponse) => () => response.end('own');

it('serves the base path, and calls `next` for every other path', async () => {
  const { handle } = create();
  const origin = await serve((request, response) => handle(request, response, own(response)));
  expect((await fetch(`${origin}${BASE}/applications/ej_app_1`)).status).toBe(200);
  expect((await fetch(`${origin}${BASE}`)).status).toBe(404);
  for (const path of ['/', '/own', `${BASE}x/jobs`, `/hiring${BASE}/jobs`, `${BASE.toUpperCase()}/jobs`]) {
    expect(await (await fetch(origin + path)).text(), path).toBe('own');
  }
});

it('answers 404 to every other path without `next`', async () => {
  const { handle, asked } = create();
  const origin = await serve(handle);
  for (const path of ['/', '/own', `${BASE}x/applications/ej_app_1`]) {
    const reply = await fetch(origin + path);
    expect([reply.status, await reply.json()], path).toMatchObject([404, { error: 'NOT_FOUND' }]);
  }
  expect(asked.submissions).toEqual([]);
});

it.each(['/hiring', '/hiring/'])('serves below the prefix %s', async (prefix) => {
  const { handle } = create({ prefix });
  const origin = await serve((request, response) => handle(request, response, own(response)));
  expect((await fetch(`${origin}/hiring${BASE}/applications/ej_app_1`)).status).toBe(200);
  expect(await (await fetch(`${origin}${BASE}/applications/ej_app_1`)).text()).toBe('own');
});

it.each([
  ['hiring', 'must start with "/"'],
  [BASE, `Mount it without "${BASE}"`],
  [`/hiring${BASE}/`, `Mount it without "${BASE}"`],
])('refuses the prefix %s, and names the fix', (prefix, message) => {
  const misconfigured = { code: 'MISCONFIGURED', message: expect.stringContaining(message) };
  expect(() => create({ prefix })).toThrow(expect.objectContaining(misconfigured));
});

it('refuses a promise of the library, and names the fix', () => {
  expect(() => createNodeHandler(Promise.resolve() as never)).toThrow('`createNodeHandler(partnerHiring)`');
});

it('takes the exact bytes of the body', async () => {
  const { handle, asked } = create();
  const body = '{ "a": "é" }';
  expect((await post(await serve(handle), body)).status).toBe(201);
  expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(body));
});

it.each([
  ['of the connection', {}, '127.0.0.1'],
  [
    'that the option returns',
    { clientAddress: ({ headers }) => headers['x-real-ip']?.toString() } satisfies NodeHandlerOptions,
    '203.0.113.7',
  ],
  ['`unknown` if the option returns none', { clientAddress: () => undefined }, 'unknown'],
])('passes the address %s', async (_, options, address) => {
  const { handler } = create();
  const seen: string[] = [];
  const spied = Object.assign((request: Parameters<typeof handler>[0]) => {
    seen.push(request.clientAddress);
    return handler(request);
  }, handler);
  const origin = await serve(createNodeHandler({ handler: spied }, options));
  await fetch(`${origin}${BASE}/jobs`, { headers: { 'x-real-ip': '203.0.113.7' } });
  expect(seen).toEqual([address]);
});

it.each([
  ['a Buffer', (bytes: Buffer) => bytes],
  ['a Uint8Array', (bytes: Buffer) => new Uint8Array(bytes)],
])('takes the exact bytes from `rawBody` if a platform has read the body and left %s', async (_, keep) => {
  const { handle, asked } = create();
  const origin = await serveBehindPlatform(handle, keep);
  expect((await post(origin, '{ "a": "é" }')).status).toBe(201);
  expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf('{ "a": "é" }'));
  expect((await post(origin, ' '.repeat(1_001))).status).toBe(413);
});

it.each(UNUSABLE_RAW_BODIES)('returns 500 and warns if `rawBody` is %s', async (_, keep) => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  const { handle, asked } = create();
  const origin = await serveBehindPlatform(handle, keep);
  for (const _time of [1, 2]) expect((await post(origin, '{"a":1}')).status).toBe(500);
  expect(asked.submissions).toEqual([]);
  expect(warn.mock.calls).toEqual([
    [
      expect.stringContaining('before the body parser'),
      { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' },
    ],
  ]);
});

it('keeps headers that were set before, except those of the API', async () => {
  const { handle } = create();
  const origin = await serve((request, response) => {
    response.setHeader('X-Own', 'kept').setHeader('Content-Type', 'text/html');
    return handle(request, response);
  });
  const { headers } = await fetch(`${origin}${BASE}/applications/ej_app_1`);
  expect(headers.get('x-own')).toBe('kept');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
});

it('passes an unexpected error to `next`, and answers 500 without it', async () => {
  const clientAddress = () => {
    throw new Error('The host’s function failed.');
  };
  const { handle } = create({ clientAddress });
  const told = await serve((request, response) =>
    handle(request, response, (error) => response.end(String(error))),
  );
  expect(await (await fetch(`${told}${BASE}/jobs`)).text()).toBe('Error: The host’s function failed.');
  const reply = await fetch(`${await serve(handle)}${BASE}/jobs`);
  expect([reply.status, await reply.text()]).toEqual([500, '']);
});

it('rejects with the error that `next` throws', async () => {
  const { handle } = create();
  const refused: unknown[] = [];
  const origin = await serve((request, response) => {
    const next = () => Promise.reject(new Error('own'));
    handle(request, response, next).catch((error: unknown) => {
      refused.push(error);
      response.end();
    });
  });
  await fetch(`${origin}/own`);
  expect(refused).toEqual([new Error('own')]);
});
