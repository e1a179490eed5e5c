import {
  createLocalTransport,
  postLocally,
  timed,
} from '@partner-hiring/test-support/network/local-transport';
import { startAnswering, startRequestServer } from '@partner-hiring/test-support/network/raw-server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_EXCERPT_BYTES, toExcerpt } from './safe-transport.js';

const SOON_MS = 250;

describe('the body of a response', () => {
  it('is kept and cleaned, up to a kilobyte', async () => {
    const server = await startAnswering(
      'HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{"ok":"yes\u0000\u001b[2"}',
    );
    expect(await postLocally(server.url)).toEqual({
      kind: 'answered',
      status: 200,
      excerpt: '{"ok":"yes  [2"}',
    });
  });

  it('may be invalid UTF-8', async () => {
    const head = Buffer.from('HTTP/1.1 500 No\r\ncontent-length: 5\r\n\r\n');
    const server = await startAnswering(Buffer.concat([head, Buffer.from([0x61, 0xff, 0xfe, 0x00, 0x62])]));
    expect(await postLocally(server.url)).toEqual({ kind: 'answered', status: 500, excerpt: 'a?? b' });
  });

  it('is read up to a kilobyte, and a longer one still counts as success', async () => {
    let sentBytes = 0;
    const server = await startRequestServer((socket) => {
      const part = 'y'.repeat(64 * 1_024);
      /** Sends without an end, as fast as it is read. */
      function sendMore(): void {
        do sentBytes += part.length;
        while (socket.write(part));
      }
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.on('drain', sendMore);
      sendMore();
    });
    const result = await postLocally(server.url);
    expect(result).toEqual({ kind: 'answered', status: 200, excerpt: 'y'.repeat(1_024) });
    // The system buffers some megabytes. A second of reading would take many more.
    expect(sentBytes).toBeLessThan(50_000_000);
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
  });

  it('does not change the outcome or block the sender for more than a second if it is slow', async () => {
    const server = await startRequestServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const drip = setInterval(() => socket.write('1\r\nz\r\n'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    const { result, ms } = await timed(postLocally(server.url, { timeoutMs: 20_000 }));
    expect(result).toMatchObject({ kind: 'answered', status: 200, excerpt: expect.stringMatching(/^z+$/) });
    expect(ms).toBeLessThan(2_500);
  });

  it('is kept if it arrives shortly after the status', async () => {
    const server = await startRequestServer((socket) => {
      socket.write('HTTP/1.1 500 No\r\ncontent-length: 4\r\n\r\n');
      setTimeout(() => socket.write('busy'), 200);
    });
    expect(await postLocally(server.url)).toEqual({ kind: 'answered', status: 500, excerpt: 'busy' });
  });

  it('is cut at the deadline if it never comes, and the status still counts', async () => {
    const server = await startAnswering('HTTP/1.1 201 Created\r\ncontent-length: 9\r\n\r\nab');
    const { result, ms } = await timed(postLocally(server.url, { timeoutMs: SOON_MS }));
    expect(result).toEqual({ kind: 'answered', status: 201, excerpt: 'ab' });
    expect(ms).toBeLessThan(SOON_MS + 500);
  });

  it.each([
    ['breaks off', 'content-length: 9\r\n\r\nab'],
    ['has broken chunks', 'transfer-encoding: chunked\r\n\r\n2\r\nab\r\nnonsense\r\n'],
    ['claims to be compressed', 'content-encoding: gzip\r\ncontent-length: 2\r\n\r\nab'],
    ['ends with the connection', 'connection: close\r\n\r\nab'],
  ])('does not change the status if it %s', async (_what, rest) => {
    const server = await startRequestServer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    expect(await postLocally(server.url)).toEqual({ kind: 'answered', status: 200, excerpt: 'ab' });
  });
});

describe('an invalid response', () => {
  it.each([
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['is half HTTP', 'HTTP/1.1 twenty OK\r\n\r\n'],
    ['switches protocols unasked', 'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('is a protocol error if it %s', async (_what, answer) => {
    const server = await startAnswering(answer);
    expect(await postLocally(server.url)).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
    expect(server.connections()).toBe(1);
  });

  it('is a protocol error if the connection closes or resets first, and is not retried', async () => {
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const server = await startRequestServer((socket) => void socket[end]());
      expect(await postLocally(server.url)).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
      expect(server.connections()).toBe(1);
    }
  });

  it('is a failed connection if nothing listens on the port', async () => {
    const outcome = await postLocally('http://127.0.0.1:1/');
    expect(outcome).toEqual({
      kind: 'failed',
      failure: 'connection_failed',
      message: 'The connection failed (ECONNREFUSED).',
    });
  });

  it('never quotes the URL, which may be secret', async () => {
    const server = await startAnswering('nonsense\r\n\r\n');
    const outcomes = [
      await postLocally(server.url),
      await postLocally('http://127.0.0.1:1/hooks?token=hidden'),
      await postLocally('http://user:hidden@example.com/'),
      await postLocally('http://hidden.invalid/', {
        resolve: () => Promise.reject(new Error('hidden.invalid')),
      }),
      await postLocally('ftp://hidden/'),
      await postLocally('hidden'),
    ];
    for (const outcome of outcomes) {
      expect(outcome.kind).toBe('failed');
      expect(JSON.stringify(outcome)).not.toContain('hidden');
    }
  });

  it('fails only its own attempt if a header cannot be sent', async () => {
    const server = await startAnswering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    const transport = createLocalTransport();
    const broken = { url: server.url, headers: { 'x-a': 'b\r\nx-c: d' }, body: '' };
    expect(await transport.post(broken)).toMatchObject({ kind: 'failed' });
    expect(await transport.post({ ...broken, headers: {} })).toMatchObject({ kind: 'answered' });
  });
});

describe('toExcerpt', () => {
  it('keeps ordinary text', () => {
    expect(toExcerpt(Buffer.from('{"error":"ungültig 🚫"}'))).toBe('{"error":"ungültig 🚫"}');
  });

  it('returns harmless, storable text of at most a kilobyte', () => {
    const control = /[\p{Cc}\p{Bidi_Control}]/u;
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
        const excerpt = toExcerpt(bytes);
        expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(MAX_EXCERPT_BYTES);
        expect(excerpt).not.toMatch(control);
        expect(Buffer.from(excerpt).toString()).toBe(excerpt);
      }),
    );
  });

  it('does not cut a character at the limit', () => {
    const text = `${'a'.repeat(MAX_EXCERPT_BYTES - 1)}é`;
    expect(toExcerpt(Buffer.from(text))).toBe('a'.repeat(MAX_EXCERPT_BYTES - 1));
  });

  it('removes direction marks and cursor movements', () => {
    expect(toExcerpt(Buffer.from('a\u202eb\u2066c\u001b[2Jd\r\ne\u0085f'))).toBe('a b c [2Jd  e f');
  });
});
