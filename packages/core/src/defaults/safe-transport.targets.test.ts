import {
  startAnswering,
  startRawServer,
  startRequestServer,
} from '@partner-hiring/test-support/network/raw-server';
import { createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NetworkUnavailable } from '../errors.js';
import { createSafeTransport, type SafeTransportOptions } from './safe-transport.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const ADDRESS_REFUSED = {
  kind: 'failed',
  failure: 'address_refused',
  message: expect.stringContaining('`allowPrivateNetworks` is off'),
};
const URL_REFUSED = { kind: 'failed', failure: 'url_refused' };
const LOOPBACK = async () => ['127.0.0.1'];

function createTransport(options: SafeTransportOptions) {
  const transport = createSafeTransport({ timeoutMs: 3_000, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

function post(url: string, options: SafeTransportOptions = {}) {
  return createTransport(options).post({ url, headers: {}, body: '{}' });
}

afterEach(() => vi.unstubAllEnvs());

describe('URLs', () => {
  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'example.com/hooks',
    '//example.com/',
    'https://',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:password@example.com/',
    'https://[fe80::1%25eth0]/',
    '',
  ])('refuses %s', async (url) => {
    expect(await post(url)).toMatchObject(URL_REFUSED);
  });

  it('accepts plain http only if it is allowed', async () => {
    const server = await startAnswering(OK);
    expect(await post(server.url, { allowPrivateNetworks: true })).toMatchObject(URL_REFUSED);
    expect(server.connections()).toBe(0);
    const options = { allowPrivateNetworks: true, allowPlainHttp: true };
    expect(await post(server.url, options)).toMatchObject({ kind: 'answered' });
  });
});

describe('addresses', () => {
  it.each(['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::ffff:7f00:1]', '127.0.0.1.', '１２７.０.０.１'])(
    'refuses %s as a literal without connecting',
    async (host) => {
      const server = await startAnswering(OK);
      const url = `http://${host}:${server.port}/`;
      expect(await post(url, { allowPlainHttp: true })).toMatchObject(ADDRESS_REFUSED);
      expect(server.connections()).toBe(0);
    },
  );

  it.each([
    ['a private address', ['127.0.0.1']],
    ['a private address behind a public one', ['93.184.215.14', '127.0.0.1']],
    ['a private address before a public one', ['127.0.0.1', '93.184.215.14']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a metadata address', ['2606:4700:4700::1111', '169.254.169.254']],
    ['what is no address', ['localhost']],
  ])('refuses a name that resolves to %s without connecting', async (_what, addresses) => {
    const server = await startAnswering(OK);
    const url = `http://rebind.test:${server.port}/`;
    const outcome = await post(url, { allowPlainHttp: true, resolve: async () => addresses });
    expect(outcome).toMatchObject(ADDRESS_REFUSED);
    expect(server.connections()).toBe(0);
  });

  it('refuses the names of this machine with its own resolver', async () => {
    const server = await startAnswering(OK);
    const outcome = await post(`http://localhost:${server.port}/`, { allowPlainHttp: true });
    expect(outcome).toMatchObject(ADDRESS_REFUSED);
    expect(server.connections()).toBe(0);
  });

  it('accepts the names of this machine if private networks are allowed', async () => {
    const server = await startAnswering(OK);
    const options = { allowPlainHttp: true, allowPrivateNetworks: true };
    expect(await post(`http://localhost:${server.port}/`, options)).toMatchObject({ kind: 'answered' });
  });

  it('connects to the checked address and does not resolve again', async () => {
    const server = await startAnswering(OK);
    const answers = [['127.9.9.9'], ['127.0.0.1']];
    const resolve = vi.fn(async () => answers.shift() ?? ['127.0.0.1']);
    const options = { allowPlainHttp: true, allowPrivateNetworks: true, resolve };
    const outcome = await post(`http://rebind.test:${server.port}/`, options);
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'connection_failed' });
    expect(resolve).toHaveBeenCalledOnce();
    expect(server.connections()).toBe(0);
  });

  it('refuses a resolver that changes to loopback on a later attempt', async () => {
    const server = await startAnswering(OK);
    const resolve = vi.fn(LOOPBACK);
    const transport = createTransport({ allowPlainHttp: true, resolve });
    const request = { url: `http://rebind.test:${server.port}/`, headers: {}, body: '' };
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await transport.post(request)).toMatchObject(ADDRESS_REFUSED);
    }
    expect(server.connections()).toBe(0);
  });

  it('tries the next address if one refuses the connection', async () => {
    const server = await startAnswering(OK);
    const resolve = async () => ['127.9.9.9', '127.0.0.1'];
    const options = { allowPlainHttp: true, allowPrivateNetworks: true, resolve };
    expect(await post(`http://two.test:${server.port}/`, options)).toMatchObject({ kind: 'answered' });
  });

  it.each([
    ['rejects', () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))],
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    ['rejects with no error', () => Promise.reject('x')],
    ['finds nothing', async () => []],
  ] as const)('reports an unresolved name if the resolver %s', async (_what, resolve) => {
    expect(await post('https://nowhere.test/', { resolve })).toMatchObject({
      kind: 'failed',
      failure: 'name_not_resolved',
    });
  });
});

describe('a resource that this machine lacks', () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error('queryA x.test'), { code }));

  it.each([
    ['no file descriptor of this process', 'EMFILE', 'ulimit -n'],
    ['no file descriptor of the machine', 'ENFILE', 'fs.file-max'],
    ['no buffer', 'ENOBUFS', 'no memory'],
    ['no memory', 'ENOMEM', 'no memory'],
    ['no name server', 'ECONNREFUSED', '/etc/resolv.conf'],
  ])('rejects the attempt with a message that names the fix: %s', async (_what, code, help) => {
    const posted = post('https://partner.test/', { resolve: failing(code) });
    await expect(posted).rejects.toThrow(NetworkUnavailable);
    await expect(posted).rejects.toThrow(help);
    await expect(posted).rejects.toThrow(`(${code}).`);
  });

  it.each(['EHOSTUNREACH', 'EAI_AGAIN', 'ETIMEOUT', 'ESERVFAIL'])(
    'is not confused with failures that a partner can cause: %s',
    async (code) => {
      const outcome = await post('https://partner.test/', { resolve: failing(code) });
      expect(outcome).toMatchObject({ kind: 'failed', failure: 'name_not_resolved' });
    },
  );

  it('is not confused with a refused connection', async () => {
    const options = { allowPlainHttp: true, allowPrivateNetworks: true, resolve: LOOPBACK };
    expect(await post('http://closed.test:1/', options)).toMatchObject({
      kind: 'failed',
      failure: 'connection_failed',
      message: 'The connection failed (ECONNREFUSED).',
    });
  });
});

const good = await createSelfSigned(['hooks.test']);

describe('TLS', () => {
  async function postOverTls(url: (port: number) => string, tls = good, ca: string | undefined = tls.cert) {
    const server = await startAnswering(OK, tls);
    const trust = ca === undefined ? {} : { ca };
    const outcome = await post(url(server.port), { allowPrivateNetworks: true, resolve: LOOPBACK, ...trust });
    return outcome;
  }

  it('accepts a server with a trusted certificate for its name', async () => {
    const outcome = await postOverTls((port) => `https://hooks.test:${port}/`);
    expect(outcome).toEqual({ kind: 'answered', status: 200, excerpt: '' });
  });

  it('sends the server name, even if the URL ends it with a dot', async () => {
    const names: unknown[] = [];
    const server = await startRequestServer((socket) => socket.write(OK), {
      ...good,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    const options = { allowPrivateNetworks: true, resolve: LOOPBACK, ca: good.cert };
    expect(await post(`https://hooks.test.:${server.port}/`, options)).toMatchObject({ kind: 'answered' });
    expect(names).toEqual(['hooks.test']);
  });

  it('refuses a certificate for another name', async () => {
    expect(await postOverTls((port) => `https://other.test:${port}/`)).toMatchObject({
      failure: 'tls_failed',
      message: 'TLS failed: the certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID).',
    });
    expect(await postOverTls((port) => `https://127.0.0.1:${port}/`)).toMatchObject({
      failure: 'tls_failed',
    });
  });

  it('refuses an expired certificate', async () => {
    const expired = await createSelfSigned(['hooks.test'], new Date(Date.now() - 60_000));
    expect(await postOverTls((port) => `https://hooks.test:${port}/`, expired)).toMatchObject({
      failure: 'tls_failed',
      message: 'TLS failed: a certificate has expired (CERT_HAS_EXPIRED).',
    });
  });

  it('refuses an untrusted certificate, whatever the environment says', async () => {
    const { cert: stranger } = await createSelfSigned(['stranger.test']);
    const url = (port: number) => `https://hooks.test:${port}/`;
    expect(await postOverTls(url, good, stranger)).toMatchObject({ failure: 'tls_failed' });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect(await postOverTls(url, good, stranger)).toMatchObject({ failure: 'tls_failed' });
  });

  it('fails if the server does not support TLS, closes the connection, or uses an old version', async () => {
    const options = { allowPrivateNetworks: true };
    const plain = await startRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const abrupt = await startRawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const old = await startAnswering(OK, { ...good, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' });
    for (const { port } of [plain, abrupt, old]) {
      const outcome = await post(`https://127.0.0.1:${port}/`, options);
      expect(outcome).toMatchObject({ kind: 'failed', failure: 'tls_failed' });
    }
  });
});
