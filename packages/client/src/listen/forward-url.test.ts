import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLoopbackLookup, readForwardUrl, shownUrl } from './forward-url.js';
import { ListenError } from './listen-error.js';
import { createPostWebhook } from './post-webhook.js';

test.each([
  'http://localhost:3000/hooks',
  'https://LOCALHOST/',
  'http://a.b.localhost./',
  'http://127.0.0.1:1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://[::1]:1/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
])('%s is on this machine', (url) => {
  expect(readForwardUrl(url, false)).toBeInstanceOf(URL);
});

test.each([
  'http://example.com/',
  'http://localhost.evil/',
  'http://localhost.evil.com:3000/',
  'http://evil-localhost/',
  'http://127.0.0.1.nip.io/',
  'http://127.0.0.1.evil/',
  'http://0.0.0.0/',
  'http://3221225985/',
  'http://0xc0.0.2.1/',
  'http://10.0.0.1/',
  'http://192.168.0.1/',
  'http://169.254.169.254/',
  'http://[::]/',
  'http://[::2]/',
  'http://[::ffff:192.0.2.1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://ⓔxample.com/',
  'http://localhost%2eevil/',
])('%s is refused, and permitted by --allow-remote', (url) => {
  expect(() => readForwardUrl(url, false)).toThrow('not on this machine');
  expect(readForwardUrl(url, true)).toBeInstanceOf(URL);
});

test.each([
  ['localhost:3000/hooks', 'http or https'],
  ['ftp://localhost/', 'http or https'],
  ['file:///etc/passwd', 'http or https'],
  ['http://localhost@evil.com/', 'user or password'],
  ['http://127.0.0.1:80@evil.com/', 'user or password'],
])('%s is refused even with --allow-remote', (url, says) => {
  expect(() => readForwardUrl(url, true)).toThrow(says);
});

test('shows no query of a URL', () => {
  expect(shownUrl(new URL('http://localhost:1/hooks?token=abc'))).toBe('http://localhost:1/hooks?…');
});

/** Starts a server on loopback; returns its port. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

type Answer = (error: NodeJS.ErrnoException | null, addresses: readonly object[]) => void;

/** A lookup with these addresses. */
function lookupOf(...addresses: readonly string[]) {
  const lookup = (_host: string, _options: object, answer: Answer) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  return createLoopbackLookup(lookup as never);
}

const never = new AbortController().signal;

test.each([['127.0.0.1', '192.0.2.1'], ['192.0.2.1'], ['::ffff:192.0.2.1'], ['fe80::1%lo'], ['0.0.0.0']])(
  'does not connect to a name below localhost with the addresses %s',
  async (...addresses) => {
    const arrived: string[] = [];
    const port = await serve((request, response) => {
      arrived.push(request.url ?? '');
      response.end();
    });
    const url = new URL(`http://hooks.localhost:${port}/`);
    const post = createPostWebhook({ url, secrets: ['whsec_a'], lookup: lookupOf(...addresses) });
    await expect(post('{}', never)).rejects.toThrow(ListenError);
    expect(arrived).toEqual([]);
  },
);

test('connects to a name that has only loopback addresses', async () => {
  const port = await serve((request, response) => response.end(request.headers.host));
  const url = new URL(`http://hooks.localhost:${port}/`);
  const post = createPostWebhook({ url, secrets: ['whsec_a'], lookup: lookupOf('127.0.0.1', '::1') });
  expect(await post('{}', never)).toEqual({ kind: 'answered', status: 200 });
});

test('does not follow redirects', async () => {
  const arrived: string[] = [];
  const port = await serve((request, response) => {
    arrived.push(request.url ?? '');
    response.writeHead(307, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
  });
  const url = new URL(`http://127.0.0.1:${port}/hooks?a=1`);
  const post = createPostWebhook({ url, secrets: ['whsec_a'] });
  expect(await post('{}', never)).toEqual({ kind: 'answered', status: 307, excerpt: '' });
  expect(arrived).toEqual(['/hooks?a=1']);
});

test('says why there is no answer, and stops at the signal', async () => {
  const server = createPlainServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const post = createPostWebhook({ url: new URL(`http://127.0.0.1:${port}/`), secrets: ['whsec_a'] });
  expect(await post('{}', never)).toEqual({ kind: 'failed', why: 'ECONNRESET' });

  const stop = new AbortController();
  const hanging = await serve(() => stop.abort());
  const held = createPostWebhook({ url: new URL(`http://127.0.0.1:${hanging}/`), secrets: ['whsec_a'] });
  await expect(held('{}', stop.signal)).rejects.toThrow('aborted');
});
