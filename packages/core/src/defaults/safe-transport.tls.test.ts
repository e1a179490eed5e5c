/** A TLS failure is told in one sentence for each cause. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { postLocally } from '@partner-hiring/test-support/network/local-transport';
import { startAnswering, startRawServer } from '@partner-hiring/test-support/network/raw-server';
import { createAuthority, createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '../domain/time.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const HOST = 'hooks.test';
const DAY_AGO = new Date(Date.now() - DAY_MS);
const TOMORROW = new Date(Date.now() + DAY_MS);
const LATER = new Date(Date.now() + 2 * DAY_MS);

const root = await createAuthority();
const stranger = await createAuthority('Stranger');
const branch = await root.issueAuthority();
const strangersBranch = await stranger.issueAuthority();
const good = await root.issue([HOST]);

/** Posts to a server that presents a certificate. The transport trusts the root. */
async function postTo(tls: TlsOptions): Promise<unknown> {
  return postToPort((await startAnswering(OK, tls)).port);
}

function postToPort(port: number): Promise<unknown> {
  const options = { ca: root.cert, resolve: async () => ['127.0.0.1'] };
  return postLocally(`https://${HOST}:${port}/`, options);
}

/** Puts the authority's certificate behind the one that it has signed. */
const chained = (leaf: { readonly cert: string; readonly key: string }, ca: { readonly cert: string }) => ({
  key: leaf.key,
  cert: `${leaf.cert}\n${ca.cert}`,
});

const failed = (cause: string) => ({
  kind: 'failed',
  failure: 'tls_failed',
  message: expect.stringMatching(new RegExp(`^TLS failed: ${cause} \\([A-Z0-9_/]+\\)\\.$`)),
});

describe('a certificate', () => {
  it('is accepted with its whole chain', async () => {
    const tls = chained(await branch.issue([HOST]), branch);
    expect(await postTo(tls)).toEqual({ kind: 'answered', status: 200, excerpt: 'ok' });
  });

  it('without its issuer is an incomplete chain', async () => {
    expect(await postTo(await branch.issue([HOST]))).toEqual(
      failed(
        'the chain is incomplete, as the server sends only its own certificate and its issuer is unknown',
      ),
    );
  });

  it.each([
    ['that is signed by itself', () => createSelfSigned([HOST])],
    ['of a private authority that is sent', async () => chained(await stranger.issue([HOST]), stranger)],
    [
      'of a branch of a private authority',
      async () => chained(await strangersBranch.issue([HOST]), strangersBranch),
    ],
  ])('%s is from an unknown authority', async (_what, create) => {
    expect(await postTo(await create())).toEqual(failed('the certificate is from an unknown authority'));
  });

  it('is for another name', async () => {
    expect(await postTo(await root.issue(['other.test']))).toEqual(
      failed('the certificate is for another name'),
    );
  });

  it('has expired', async () => {
    expect(await postTo(await root.issue([HOST], DAY_AGO))).toEqual(failed('a certificate has expired'));
  });

  it('is not valid yet', async () => {
    expect(await postTo(await root.issue([HOST], LATER, TOMORROW))).toEqual(
      failed('a certificate is not valid yet'),
    );
  });
});

describe('a server', () => {
  it.each(['TLSv1', 'TLSv1.1'] as const)('only has %s, which is too old', async (version) => {
    const tls = { ...good, minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
    expect(await postTo(tls)).toEqual(failed('the server only has versions of TLS that are too old'));
  });

  it.each([
    ['HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('does not use TLS on the port, but %s', async (_what, greeting) => {
    const { port } = await startRawServer((socket) => void socket.end(greeting));
    expect(await postToPort(port)).toEqual(failed('the server does not use TLS on this port'));
  });

  it('does not use TLS on the port, but the HTTP of Node', async () => {
    const server = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await postToPort(port)).toEqual(failed('the server does not use TLS on this port'));
  });

  const WANTS = { ...good, requestCert: true, rejectUnauthorized: true, ca: root.cert };

  it('wants a client certificate, and says so after the handshake of TLS 1.3', async () => {
    expect(await postTo({ ...WANTS, minVersion: 'TLSv1.3' })).toEqual(
      failed('the server wants a client certificate'),
    );
  });

  it('wants a client certificate, and refuses the handshake of TLS 1.2', async () => {
    expect(await postTo({ ...WANTS, maxVersion: 'TLSv1.2' })).toEqual(
      failed('the server wants a client certificate, or accepts none of our ciphers'),
    );
  });

  it('ends the handshake without a cause', async () => {
    const { port } = await startRawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await postToPort(port)).toEqual({
      kind: 'failed',
      failure: 'tls_failed',
      message: 'TLS failed (ECONNRESET).',
    });
  });
});
