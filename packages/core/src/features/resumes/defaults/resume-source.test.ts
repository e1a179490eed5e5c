import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startAnswering, startRequestServer } from '@partner-hiring/test-support/network/raw-server';
import { createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NetworkUnavailable } from '../../../errors.js';
import { createResumeSource, type ResumeSourceOptions } from './resume-source.js';

const PDF = Buffer.from('%PDF-1.7\nJane Doe');
const MAX = 10_000;

function answer(body: Buffer, headers: readonly string[] = [], status = '200 OK'): Buffer {
  const fields = [`HTTP/1.1 ${status}`, `content-length: ${body.length}`, ...headers];
  return Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n\r\n`), body]);
}

function fetchResume(url: string, options: ResumeSourceOptions = {}) {
  const source = createResumeSource({
    allowPrivateNetworks: true,
    allowPlainHttp: true,
    timeoutMs: 5_000,
    maxBytes: MAX,
    ...options,
  });
  onTestFinished(() => source.close());
  return source.fetch(url);
}

function refused(reason: string, retryable: boolean) {
  return { kind: 'failed', reason, retryable };
}

describe('createResumeSource', () => {
  it('returns the bytes, the type and a safe name of a résumé', async () => {
    const headers = ['content-type: text/html', 'content-disposition: attachment; filename="../Jane.exe"'];
    const server = await startAnswering(answer(PDF, headers));
    expect(await fetchResume(server.url)).toEqual({
      kind: 'fetched',
      bytes: PDF,
      mediaType: 'application/pdf',
      fileName: 'Jane.exe.pdf',
    });
  });

  it('sends a GET without a body that requests no encoding', async () => {
    const heads: string[] = [];
    const server = await startRequestServer((socket, { head }) => {
      heads.push(head);
      socket.write(answer(PDF));
    });
    await fetchResume(server.url);
    expect(heads[0]).toMatch(/^GET \/hooks\?token=hidden HTTP\/1\.1\r\n/);
    expect(heads[0]).toContain('accept-encoding: identity');
    expect(heads[0]).not.toContain('content-length');
  });

  it.each([
    ['gzip', gzipSync],
    ['X-GZip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes %s and applies the limit to the result', async (encoding, encode) => {
    const server = await startAnswering(answer(encode(PDF), [`content-encoding: ${encoding}`]));
    expect(await fetchResume(server.url)).toMatchObject({ kind: 'fetched', bytes: PDF });
    const bomb = encode(Buffer.concat([PDF, Buffer.alloc(2_000_000)]));
    const bomber = await startAnswering(answer(bomb, [`content-encoding: ${encoding}`]));
    expect(await fetchResume(bomber.url, { maxBytes: 100_000 })).toEqual(refused('too_large', false));
  });

  it('accepts the encoding `identity`', async () => {
    const server = await startAnswering(answer(PDF, ['content-encoding: identity']));
    expect(await fetchResume(server.url)).toMatchObject({ kind: 'fetched', bytes: PDF });
  });

  it.each([
    ['a compressed file without its encoding', answer(gzipSync(PDF))],
    ['an encoding that is broken', answer(gzipSync(PDF).subarray(0, -9), ['content-encoding: gzip'])],
    ['a web page', answer(Buffer.from('<html>Sign in</html>'), ['content-type: application/pdf'])],
    ['a program', answer(Buffer.from('MZ\u0000\u0001'))],
  ])('fails permanently on %s', async (_what, text) => {
    const server = await startAnswering(text);
    expect(await fetchResume(server.url)).toEqual(refused('unsupported_content', false));
    expect(server.connections()).toBe(1);
  });

  it('refuses a short text where the candidate’s link promises another file, also behind a redirect', async () => {
    const server = await startRequestServer((socket, { head }) => {
      const isFirst = head.startsWith('GET /cv.pdf ');
      const text = answer(Buffer.from('File not found'), ['content-type: text/plain']);
      socket.write(isFirst ? answer(PDF, ['location: /error'], '302 Found') : text);
    });
    const detail = 'a short text instead of the promised file';
    const failure = { ...refused('unsupported_content', false), detail };
    expect(await fetchResume(`http://127.0.0.1:${server.port}/cv.pdf`)).toEqual(failure);
    expect(await fetchResume(`http://127.0.0.1:${server.port}/cv`)).toMatchObject({ fileName: 'cv.txt' });
  });

  it('accepts a text at a link for Word if it is as long as a résumé', async () => {
    const server = await startAnswering(answer(Buffer.from('Jane Doe, welder. '.repeat(60))));
    const url = `http://127.0.0.1:${server.port}/cv.doc`;
    expect(await fetchResume(url)).toMatchObject({ mediaType: 'text/plain', fileName: 'cv.txt' });
  });

  it('accepts a résumé at the size limit and rejects one a byte larger', async () => {
    const [exact, larger] = [Buffer.alloc(MAX, PDF), Buffer.alloc(MAX + 1, PDF)];
    expect(await fetchResume((await startAnswering(answer(exact))).url)).toMatchObject({ kind: 'fetched' });
    const server = await startAnswering(answer(larger));
    expect(await fetchResume(server.url)).toEqual(refused('too_large', false));
  });

  it('stops reading an endless one', async () => {
    const server = await startRequestServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = () => {
        while (socket.writable && socket.write(PDF));
      };
      socket.on('drain', more);
      more();
    });
    expect(await fetchResume(server.url)).toEqual(refused('too_large', false));
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
  });

  it('reports an empty one', async () => {
    const server = await startAnswering(answer(Buffer.alloc(0)));
    expect(await fetchResume(server.url)).toEqual(refused('empty', false));
  });

  it('accepts a body in pieces', async () => {
    const text = answer(PDF);
    const server = await startRequestServer((socket) => {
      socket.write(text.subarray(0, -9));
      setTimeout(() => socket.write(text.subarray(-9)), 100);
    });
    expect(await fetchResume(server.url)).toMatchObject({ kind: 'fetched', bytes: PDF });
    expect(server.connections()).toBe(1);
  });

  it.each([
    ['204 No Content', false, 1],
    ['202 Accepted', true, 1],
    ['206 Partial Content', false, 1],
    ['400 Bad Request', false, 1],
    ['401 Unauthorized', true, 1],
    ['403 Forbidden', true, 1],
    ['404 Not Found', true, 1],
    ['409 Conflict', true, 1],
    ['410 Gone', false, 1],
    ['423 Locked', true, 1],
    ['408 Request Timeout', true, 1],
    ['425 Too Early', true, 1],
    ['429 Too Many Requests', true, 1],
    ['500 Internal Server Error', true, 1],
    ['503 Service Unavailable', true, 3],
  ])('tells of %s whether it is retryable (%s), and tries it %i times', async (status, retryable, tries) => {
    let count = 0;
    const server = await startRequestServer((socket) => {
      count += 1;
      socket.write(status.startsWith('204') ? `HTTP/1.1 ${status}\r\n\r\n` : answer(PDF, [], status));
    });
    expect(await fetchResume(server.url)).toEqual(refused('bad_status', retryable));
    expect(count).toBe(tries);
  });

  it('follows a redirect to the file, and names it after its last URL', async () => {
    const heads: string[] = [];
    const server = await startRequestServer((socket, { head }) => {
      heads.push(head);
      const lures = ['set-cookie: a=b', 'www-authenticate: Basic', 'refresh: 0; url=/other'];
      const isFirst = heads.length === 1;
      socket.write(isFirst ? answer(PDF, [...lures, 'location: /Jane.pdf?sig=1'], '302 Found') : answer(PDF));
    });
    expect(await fetchResume(server.url)).toMatchObject({
      kind: 'fetched',
      bytes: PDF,
      fileName: 'Jane.pdf',
    });
    const [, second = ''] = heads;
    expect(second).toMatch(/^GET \/Jane\.pdf\?sig=1 HTTP\/1\.1\r\n/);
    const names = second
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(':')[0]?.toLowerCase());
    expect(names.sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(server.connections()).toBe(2);
  });

  it('retries a short failure', async () => {
    let count = 0;
    const server = await startRequestServer((socket) => {
      count += 1;
      if (count === 1) socket.resetAndDestroy();
      else if (count === 2) socket.end(answer(PDF).subarray(0, -3));
      else socket.write(answer(PDF));
    });
    expect(await fetchResume(server.url)).toMatchObject({ kind: 'fetched', bytes: PDF });
    expect(count).toBe(3);
  });

  it.each([
    ['connection_failed', 'http://cv.test:1/', ['127.0.0.1']],
    ['name_not_resolved', 'http://cv.test/', []],
  ] as const)(
    'retries a temporary failure and reports it as retryable: %s',
    async (reason, url, addresses) => {
      const resolve = vi.fn(async () => addresses);
      expect(await fetchResume(url, { resolve })).toEqual(refused(reason, true));
      expect(resolve).toHaveBeenCalledTimes(3);
    },
  );

  it('rejects if this machine cannot connect, after the same retries', async () => {
    const resolve = vi.fn(() => Promise.reject(Object.assign(new Error('queryA'), { code: 'EMFILE' })));
    await expect(fetchResume('http://cv.test/', { resolve })).rejects.toThrow(NetworkUnavailable);
    expect(resolve).toHaveBeenCalledTimes(3);
  });

  it('leaves an invalid certificate to a later attempt', async () => {
    const certificate = await createSelfSigned(['cv.test']);
    const server = await startAnswering(answer(PDF), certificate);
    expect(await fetchResume(`https://127.0.0.1:${server.port}/`)).toEqual(refused('tls_failed', true));
    expect(server.connections()).toBe(1);
  });

  it('has one deadline over the body too', async () => {
    const server = await startRequestServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const startedAt = performance.now();
    expect(await fetchResume(server.url, { timeoutMs: 300 })).toEqual(refused('timed_out', true));
    // The whole body would take 100 seconds.
    expect(performance.now() - startedAt).toBeLessThan(50_000);
  });

  it('has one deadline over all its retries', async () => {
    let count = 0;
    const server = await startRequestServer((socket) => {
      count += 1;
      // Each answer alone would be early enough.
      if (count === 1) setTimeout(() => socket.write(answer(PDF, [], '503 Busy')), 400);
      else setTimeout(() => socket.write(answer(PDF)), 800);
    });
    expect(await fetchResume(server.url, { timeoutMs: 1_000 })).toEqual(refused('timed_out', true));
    // On a slow machine, the first answer alone may take too long.
    expect([1, 2]).toContain(count);
  });

  it('checks addresses like webhooks do', async () => {
    const server = await startAnswering(answer(PDF));
    const strict = { allowPrivateNetworks: false };
    expect(await fetchResume(server.url, { allowPlainHttp: false })).toEqual(refused('url_refused', false));
    expect(await fetchResume(server.url, strict)).toEqual(refused('address_refused', false));
    const resolve = async () => ['93.184.215.14', '10.0.0.1'];
    const named = `http://cv.test:${server.port}/`;
    expect(await fetchResume(named, { ...strict, resolve })).toEqual(refused('address_refused', false));
    expect(server.connections()).toBe(0);
  });
});
