import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { startConnectProxy } from '@partner-hiring/test-support/network/connect-proxy';
import { HOSTILE_ANSWERS } from '@partner-hiring/test-support/network/hostile-addresses';
import { createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NetworkUnavailable } from '../../errors.js';
import { createResumeSource } from '../../features/resumes/defaults/resume-source.js';
import { createSafeTransport } from '../safe-transport.js';
import type { SafeHttpOptions } from './safe-http.js';

const PUBLIC = '93.184.216.34';
const PUBLIC_V6 = '2606:4700:4700::1111';
const PASSWORD = 'p@ss:wörd/1';
const CREDENTIALS = `user:${encodeURIComponent(PASSWORD)}@`;
const AUTHORIZATION = `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`;
const CERTIFICATE = await createSelfSigned(['hooks.test', 'share.test', 'files.test', 'localhost']);
const OPTIONS = { ca: CERTIFICATE.cert, resolve: async () => [PUBLIC], timeoutMs: 5_000 };

type Options = SafeHttpOptions & { readonly timeoutMs?: number };

/** Both clients of partners' URLs. Each returns the failure, or null. */
const CLIENTS: Readonly<Record<string, (url: string, options: Options) => Promise<unknown>>> = {
  async webhook(url, options) {
    const transport = createSafeTransport({ ...OPTIONS, ...options });
    onTestFinished(() => transport.close());
    const outcome = await transport.post({ url, headers: {}, body: '{}' });
    return outcome.kind === 'failed' ? outcome.failure : null;
  },
  async résumé(url, options) {
    const source = createResumeSource({ ...OPTIONS, ...options });
    onTestFinished(() => source.close());
    const download = await source.fetch(url);
    return download.kind === 'failed' ? download.reason : null;
  },
};

/** A receiver with TLS that notes the names it is asked for. `/to?url` redirects. */
async function startReceiver() {
  const names: (readonly [unknown, string | undefined])[] = [];
  const server = createServer(CERTIFICATE, (request, response) => {
    names.push([(request.socket as TLSSocket).servername, request.headers.host]);
    const [, target] = request.url?.split('?to=') ?? [];
    if (target === undefined) response.end('%PDF-1.7');
    else response.writeHead(302, { location: target }).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, names };
}

const postThrough = (url: string, options: Options = {}) => {
  const transport = createSafeTransport({ ...OPTIONS, ...options, proxy: { url } });
  onTestFinished(() => transport.close());
  return transport.post({ url: 'https://hooks.test/', headers: {}, body: '{}' });
};

describe.each(Object.entries(CLIENTS))('a %s through a proxy', (_what, call) => {
  it('names a checked address to it, and the name to the receiver', async () => {
    const proxy = await startConnectProxy();
    const { port, names } = await startReceiver();
    for (const resolve of [undefined, 'here'] as const) {
      const how = resolve === undefined ? {} : { resolve };
      expect(await call(`https://hooks.test:${port}/`, { proxy: { url: proxy.url, ...how } })).toBeNull();
    }
    expect(proxy.asked).toEqual([`${PUBLIC}:${port}`, `${PUBLIC}:${port}`]);
    expect(names[0]).toEqual(['hooks.test', `hooks.test:${port}`]);
  });

  it('asks it for no name with an address that is not public', async () => {
    const proxy = await startConnectProxy();
    for (const address of HOSTILE_ANSWERS) {
      const resolve = async () => [PUBLIC, address];
      expect(await call('https://hooks.test/', { resolve, proxy: { url: proxy.url } })).toBe(
        'address_refused',
      );
    }
    expect(proxy.asked).toEqual([]);
  });

  it('sends the name to a proxy that resolves, if the host wants so', async () => {
    const proxy = await startConnectProxy({ resolves: true });
    const { port, names } = await startReceiver();
    const options: Options = {
      proxy: { url: proxy.url, resolve: 'proxy' },
      resolve: () => Promise.reject(new Error('Nobody asks this resolver.')),
    };
    expect(await call(`https://hooks.test:${port}/`, options)).toBeNull();
    expect(proxy.asked).toEqual([`hooks.test:${port}`]);
    expect(names).toEqual([['hooks.test', `hooks.test:${port}`]]);
  });

  it.each([
    '127.0.0.1',
    '0x7f.1',
    '169.254.169.254',
    '168.63.129.16',
    '[::1]',
    '[64:ff9b::5db8:d822]',
    'localhost',
    'a.localhost',
    'metadata',
    'metadata.',
    'printer.local',
    'metadata.google.internal',
    'db.svc.cluster.local.',
    'router.home.arpa',
    'INTRANET',
    'wiki.corp',
    'nas.lan',
  ])('still refuses %s where the proxy resolves', async (host) => {
    const proxy = await startConnectProxy({ resolves: true });
    const options: Options = { proxy: { url: proxy.url, resolve: 'proxy' } };
    expect(await call(`https://${host}/`, options)).toBe('address_refused');
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    ['403', (socket: Socket) => socket.end('HTTP/1.1 403 No\r\n\r\n')],
    ['407', (socket: Socket) => socket.end('HTTP/1.1 407 No\r\n\r\n')],
    ['502', (socket: Socket) => socket.end('HTTP/1.1 502 No\r\n\r\n')],
    ['302', (socket: Socket) => socket.end('HTTP/1.1 302 No\r\nLocation: https://hooks.test/\r\n\r\n')],
    ['no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n')],
    ['the end', (socket: Socket) => socket.end()],
    ['a reset', (socket: Socket) => socket.resetAndDestroy()],
    ['an endless header', (socket: Socket) => pour(socket)],
  ])('ends with proxy_refused when it answers with %s', async (_answer, answer) => {
    const proxy = await startConnectProxy({ answer });
    expect(await call('https://hooks.test/', { proxy: { url: proxy.url } })).toBe('proxy_refused');
    await expect.poll(() => proxy.openConnections()).toBe(0);
  });

  it('ends at its deadline when the proxy hangs, and leaves no connection', async () => {
    const proxy = await startConnectProxy({
      answer: (socket) => socket.resume().on('end', () => socket.end()),
    });
    expect(await call('https://hooks.test/', { proxy: { url: proxy.url }, timeoutMs: 100 })).toBe(
      'timed_out',
    );
    await expect.poll(() => proxy.openConnections()).toBe(0);
  });

  it('does not count where the proxy cannot be reached', async () => {
    const url = `http://${CREDENTIALS}127.0.0.1:1`;
    const error = await call('https://hooks.test/', { proxy: { url } }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkUnavailable);
    expect(error).toMatchObject({ message: expect.stringContaining('(ECONNREFUSED). Check `proxy.url`') });
    expectNoPassword(error);
  });
});

function pour(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n');
  const more = () => socket.writable && socket.write(`x: ${'y'.repeat(1_000)}\r\n`, () => setImmediate(more));
  more();
}

function expectNoPassword(value: unknown): void {
  const text = inspect(value, { depth: 10, showHidden: true });
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), AUTHORIZATION.slice('Basic '.length)]) {
    expect(text).not.toContain(secret);
  }
}

describe('a proxy', () => {
  it('gets user name and password, over TLS too', async () => {
    const proxy = await startConnectProxy({ accepts: AUTHORIZATION, tls: CERTIFICATE });
    const { port } = await startReceiver();
    const url = proxy.url.replace('//', `//${CREDENTIALS}`);
    expect(await CLIENTS.webhook?.(`https://hooks.test:${port}/`, { proxy: { url } })).toBeNull();
    expect(proxy.credentials).toEqual([AUTHORIZATION]);
  });

  it('with a certificate of a stranger does not get the password', async () => {
    const proxy = await startConnectProxy({ tls: await createSelfSigned(['localhost']) });
    const attempt = postThrough(proxy.url.replace('//', `//${CREDENTIALS}`));
    await expect(attempt).rejects.toBeInstanceOf(NetworkUnavailable);
    expect(proxy.asked).toEqual([]);
  });

  it('that refuses or echoes the password is reported without it', async () => {
    const refusing = await startConnectProxy({ accepts: 'Basic other' });
    const echoing = await startConnectProxy({
      answer: (socket, { headers }) => socket.end(`${headers['proxy-authorization']} ${PASSWORD}\r\n\r\n`),
    });
    const outcomes = [];
    for (const { url } of [refusing, echoing]) {
      outcomes.push(await postThrough(url.replace('//', `//${CREDENTIALS}`)));
    }
    expect(outcomes).toMatchObject([
      { failure: 'proxy_refused', message: expect.stringContaining('status 407. Put a user name') },
      { failure: 'proxy_refused', message: expect.stringContaining('no valid answer') },
    ]);
    expectNoPassword(outcomes);
  });

  it('gets the next address when it cannot reach one, and at most four', async () => {
    const { port } = await startReceiver();
    const proxy = await startConnectProxy({ reach: (host) => (host === PUBLIC ? '127.0.0.1' : null) });
    const options = { proxy: { url: proxy.url }, resolve: async () => [PUBLIC_V6, PUBLIC] };
    expect(await CLIENTS.webhook?.(`https://hooks.test:${port}/`, options)).toBeNull();
    expect(proxy.asked).toEqual([`[${PUBLIC_V6}]:${port}`, `${PUBLIC}:${port}`]);
    const many = { ...options, resolve: async () => Array.from({ length: 50 }, () => PUBLIC_V6) };
    expect(await CLIENTS.webhook?.(`https://hooks.test:${port}/`, many)).toBe('proxy_refused');
    expect(proxy.asked).toHaveLength(2 + 4);
  });

  it('keeps a tunnel for the next webhook', async () => {
    const proxy = await startConnectProxy();
    const { port, names } = await startReceiver();
    const transport = createSafeTransport({ ...OPTIONS, proxy: { url: proxy.url } });
    onTestFinished(() => transport.close());
    const event = { url: `https://hooks.test:${port}/`, headers: {}, body: '{}' };
    for (const _time of [1, 2]) expect(await transport.post(event)).toMatchObject({ status: 200 });
    expect([names.length, proxy.asked.length]).toEqual([2, 1]);
  });

  it('gets each target of a redirect, which is checked like the first', async () => {
    const proxy = await startConnectProxy();
    const { port } = await startReceiver();
    const resolve = async (name: string) => [name === 'inside.test' ? '10.0.0.1' : PUBLIC];
    const fetch = (to: string) =>
      CLIENTS.résumé?.(`https://share.test:${port}/?to=${to}`, { resolve, proxy: { url: proxy.url } });
    expect(await fetch(`https://files.test:${port}/`)).toBeNull();
    expect(proxy.asked).toEqual([`${PUBLIC}:${port}`, `${PUBLIC}:${port}`]);
    expect(await fetch(`https://inside.test:${port}/`)).toBe('address_refused');
    expect(await fetch('https://127.0.0.1/')).toBe('address_refused');
    expect(proxy.asked).toHaveLength(4);
  });
});

it.each([
  [{ url: `ftp://${CREDENTIALS}proxy.test` }, /must be an http or https URL/],
  [{ url: `http://${CREDENTIALS}` }, /is not a URL/],
  [{ url: `http://${CREDENTIALS}proxy.test/path` }, /no path/],
  [{ url: 'http://%zz:1@proxy.test' }, /percent-encoded/],
  [{ url: `http://${CREDENTIALS}proxy.test`, resolve: 'there' }, /'here' or 'proxy'/],
  [{ url: `http://${CREDENTIALS}proxy.test`, resolves: 'here' }, /`proxy.resolves`/],
  [`http://${CREDENTIALS}proxy.test`, /must be an object/],
])('refuses wrong options without the password: %j', (proxy, message) => {
  const errors = [createSafeTransport, createResumeSource].map((create) => {
    try {
      return create({ proxy: proxy as never });
    } catch (error) {
      return error;
    }
  });
  for (const error of errors) {
    expect(error).toMatchObject({ code: 'MISCONFIGURED', message: expect.stringMatching(message) });
    expectNoPassword(error);
  }
});
