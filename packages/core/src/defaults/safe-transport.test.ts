import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { onRequests, startAnswering, startRawServer } from '../../../../test/support/raw-server.js';
import { NetworkUnavailable } from '../errors.js';
import { createSafeTransport, type SafeTransportOptions } from './safe-transport.js';

function createTransport(options: SafeTransportOptions = {}) {
  const transport = createSafeTransport({
    allowPrivateNetworks: true,
    allowPlainHttp: true,
    timeoutMs: 5_000,
    ...options,
  });
  onTestFinished(() => transport.close());
  return transport;
}

function post(url: string, options: SafeTransportOptions = {}, body = '{"id":"evt_1"}') {
  return createTransport(options).post({ url, headers: { 'content-type': 'application/json' }, body });
}

const SOON_MS = 250;

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  const result = await work;
  return { result, ms: performance.now() - startedAt };
}

describe('the request', () => {
  it('carries the body as its UTF-8 bytes, with its length, and the headers it was given', async () => {
    const seen: string[] = [];
    const server = await startRawServer((socket) =>
      onRequests(socket, ({ head, body }) => {
        seen.push(head, body);
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      }),
    );
    const body = '{"name":"Zoë 🚀"}';
    await post(server.url, {}, body);
    const [head = '', received] = seen;
    expect(received).toBe(body);
    expect(head).toMatch(/^POST \/hooks\?token=hidden HTTP\/1\.1\r\n/);
    expect(head).toContain(`\r\ncontent-length: ${Buffer.byteLength(body)}`);
    expect(head).toContain('\r\ncontent-type: application/json');
    expect(head).toContain('\r\naccept-encoding: identity');
    expect(head).not.toContain('transfer-encoding');
  });
});

describe('the status', () => {
  it.each([200, 201, 204, 299, 300, 304, 400, 410, 429, 500, 503])('%i is what decides', async (status) => {
    const server = await startAnswering(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`);
    expect(await post(server.url)).toEqual({ kind: 'answered', status, excerpt: '' });
  });

  it.each([301, 302, 303, 307, 308])('%i leads nowhere: the canary hears nothing', async (status) => {
    const canary = await startAnswering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    const server = await startAnswering(
      `HTTP/1.1 ${status} Moved\r\nlocation: ${canary.url}\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(await post(server.url)).toMatchObject({ kind: 'answered', status });
    expect(canary.connections()).toBe(0);
  });

  it('is not what an early hint says', async () => {
    const server = await startAnswering(
      'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n',
    );
    expect(await post(server.url)).toMatchObject({ kind: 'answered', status: 500 });
  });

  it.each<[string, string]>([
    ['at once', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['with header fields', 'HTTP/1.1 100 Continue\r\nx-proxy: 1\r\nx-b: c\r\n\r\n'],
    ['after a blank line', '\r\nHTTP/1.1 100 Continue\r\n\r\n'],
    ['twice', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\n\r\n'],
    ['after a hint', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ])('is that of the answer, where the receiver says to continue %s, unasked', async (_when, interim) => {
    const answer = `${interim}HTTP/1.1 202 Accepted\r\ncontent-length: 3\r\n\r\n100`;
    const server = await startAnswering(answer);
    const transport = createTransport();
    const request = { url: server.url, headers: {}, body: '{}' };
    const accepted = { kind: 'answered', status: 202, excerpt: '100' };
    expect(await transport.post(request)).toEqual(accepted);
    expect(await transport.post(request)).toEqual(accepted);
    expect(server.connections()).toBe(1);
  });

  it('is that of the answer, where saying to continue takes many pieces', async () => {
    const answer = 'HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n';
    const server = await startRawServer((socket) =>
      onRequests(socket, async () => {
        for (const piece of answer) {
          socket.write(piece);
          await new Promise(setImmediate);
        }
      }),
    );
    expect(await post(server.url)).toMatchObject({ kind: 'answered', status: 204 });
  });
});

describe('the deadline', () => {
  const TIMED_OUT = { kind: 'failed', failure: 'timed_out', message: 'There was no answer in time.' };

  it.each<[string, (write: (text: string) => void) => void]>([
    ['says nothing at all', () => {}],
    ['stops within its status line', (write) => write('HTTP/1.1 20')],
    ['stops within its header fields', (write) => write('HTTP/1.1 200 OK\r\nx-a: b\r\n')],
    ['only ever hints', (write) => write('HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['only says to continue', (write) => write('HTTP/1.1 100 Continue\r\n\r\n')],
  ])('ends an attempt whose receiver %s', async (_what, answer) => {
    const server = await startRawServer((socket) =>
      onRequests(socket, () => answer((text) => void socket.write(text))),
    );
    const { result, ms } = await timed(post(server.url, { timeoutMs: SOON_MS }));
    expect(result).toEqual(TIMED_OUT);
    expect(ms).toBeLessThan(SOON_MS + 1_000);
  });

  it('is not moved by header fields that drip', async () => {
    const server = await startRawServer((socket) =>
      onRequests(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const drip = setInterval(() => socket.write('x-drop: y\r\n'), 20);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    const { result, ms } = await timed(post(server.url, { timeoutMs: SOON_MS }));
    expect(result).toEqual(TIMED_OUT);
    expect(ms).toBeLessThan(SOON_MS + 1_000);
  });

  it('covers a receiver that does not read, and one that never finishes TLS', async () => {
    const deaf = await startRawServer((socket) => void socket.pause());
    const large = 'x'.repeat(20_000_000);
    expect(await post(deaf.url, { timeoutMs: SOON_MS }, large)).toEqual(TIMED_OUT);
    const url = `https://127.0.0.1:${deaf.port}/`;
    const { result, ms } = await timed(post(url, { timeoutMs: SOON_MS }));
    expect(result).toEqual(TIMED_OUT);
    expect(ms).toBeLessThan(SOON_MS + 1_000);
  });

  it('covers a name that is never resolved', async () => {
    const resolve = () => new Promise<readonly string[]>(() => {});
    expect(await post('https://slow.test/', { timeoutMs: SOON_MS, resolve })).toEqual(TIMED_OUT);
  });

  it('is 30 seconds unless told otherwise (Delivery, response time-out)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const transport = createSafeTransport({ resolve: () => new Promise(() => {}) });
    const ended = vi.fn();
    const attempt = transport.post({ url: 'https://slow.test/', headers: {}, body: '{}' }).then(ended);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await attempt;
    expect(ended).toHaveBeenCalledWith(TIMED_OUT);
    await transport.close();
  });

  it('leaves no connection open behind it', async () => {
    const server = await startRawServer((socket) => void socket.resume());
    await post(server.url, { timeoutMs: SOON_MS });
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
    const url = `https://127.0.0.1:${server.port}/`;
    await post(url, { timeoutMs: SOON_MS });
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
    expect(server.connections()).toBe(2);
  });
});

describe('the body of an answer', () => {
  it('is kept, cleaned, up to a kilobyte', async () => {
    const server = await startAnswering(
      'HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{"ok":"yes\u0000\u001b[2"}',
    );
    expect(await post(server.url)).toEqual({ kind: 'answered', status: 200, excerpt: '{"ok":"yes  [2"}' });
  });

  it('may be no UTF-8', async () => {
    const head = Buffer.from('HTTP/1.1 500 No\r\ncontent-length: 5\r\n\r\n');
    const server = await startAnswering(Buffer.concat([head, Buffer.from([0x61, 0xff, 0xfe, 0x00, 0x62])]));
    expect(await post(server.url)).toEqual({ kind: 'answered', status: 500, excerpt: 'a?? b' });
  });

  it('is read no further than a kilobyte, and a longer one costs no success', async () => {
    const size = 50_000_000;
    const server = await startRawServer((socket) =>
      onRequests(socket, () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
        socket.write('y'.repeat(size));
      }),
    );
    const { result, ms } = await timed(post(server.url));
    expect(result).toEqual({ kind: 'answered', status: 200, excerpt: 'y'.repeat(1_024) });
    expect(ms).toBeLessThan(2_000);
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
  });

  it('that drips neither changes the outcome nor holds the sender for more than a second', async () => {
    const server = await startRawServer((socket) =>
      onRequests(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const drip = setInterval(() => socket.write('1\r\nz\r\n'), 50);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    const { result, ms } = await timed(post(server.url, { timeoutMs: 20_000 }));
    expect(result).toMatchObject({ kind: 'answered', status: 200, excerpt: expect.stringMatching(/^z+$/) });
    expect(ms).toBeLessThan(2_500);
  });

  it('that comes a little after its status is kept', async () => {
    const server = await startRawServer((socket) =>
      onRequests(socket, () => {
        socket.write('HTTP/1.1 500 No\r\ncontent-length: 4\r\n\r\n');
        setTimeout(() => socket.write('busy'), 200);
      }),
    );
    expect(await post(server.url)).toEqual({ kind: 'answered', status: 500, excerpt: 'busy' });
  });

  it('that never comes is cut by the deadline, and the status still stands', async () => {
    const server = await startAnswering('HTTP/1.1 201 Created\r\ncontent-length: 9\r\n\r\nab');
    const { result, ms } = await timed(post(server.url, { timeoutMs: SOON_MS }));
    expect(result).toEqual({ kind: 'answered', status: 201, excerpt: 'ab' });
    expect(ms).toBeLessThan(SOON_MS + 500);
  });

  it.each([
    ['breaks off', 'content-length: 9\r\n\r\nab'],
    ['has broken chunks', 'transfer-encoding: chunked\r\n\r\n2\r\nab\r\nnonsense\r\n'],
    ['claims to be compressed', 'content-encoding: gzip\r\ncontent-length: 2\r\n\r\nab'],
    ['ends with the connection', 'connection: close\r\n\r\nab'],
  ])('that %s leaves the status standing', async (_what, rest) => {
    const server = await startRawServer((socket) =>
      onRequests(socket, () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`)),
    );
    expect(await post(server.url)).toEqual({ kind: 'answered', status: 200, excerpt: 'ab' });
  });
});

describe('what is no answer', () => {
  it.each([
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['is half HTTP', 'HTTP/1.1 twenty OK\r\n\r\n'],
    ['contradicts itself', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n'],
    ['switches protocols unasked', 'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['has huge header fields', `HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['has endless header fields', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(5_000)}`],
  ])('an answer that %s is a protocol error', async (_what, answer) => {
    const server = await startAnswering(answer);
    expect(await post(server.url)).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
    expect(server.connections()).toBe(1);
  });

  it('a connection that closes or resets before the answer is a protocol error, and is tried once', async () => {
    for (const end of ['end', 'resetAndDestroy'] as const) {
      const server = await startRawServer((socket) => onRequests(socket, () => void socket[end]()));
      expect(await post(server.url)).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
      expect(server.connections()).toBe(1);
    }
  });

  it('a port that nobody listens on is a failed connection', async () => {
    const outcome = await post('http://127.0.0.1:1/');
    expect(outcome).toEqual({
      kind: 'failed',
      failure: 'connection_failed',
      message: 'The connection failed (ECONNREFUSED).',
    });
  });

  it('never quotes the URL, which may be a secret', async () => {
    const server = await startAnswering('nonsense\r\n\r\n');
    const outcomes = [
      await post(server.url),
      await post('http://127.0.0.1:1/hooks?token=hidden'),
      await post('http://user:hidden@example.com/'),
      await post('http://hidden.invalid/', { resolve: () => Promise.reject(new Error('hidden.invalid')) }),
      await post('ftp://hidden/'),
      await post('hidden'),
    ];
    for (const outcome of outcomes) {
      expect(outcome.kind).toBe('failed');
      expect(JSON.stringify(outcome)).not.toContain('hidden');
    }
  });

  it('a header that cannot be sent fails the attempt and nothing else', async () => {
    const server = await startAnswering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    const transport = createTransport();
    const broken = { url: server.url, headers: { 'x-a': 'b\r\nx-c: d' }, body: '' };
    expect(await transport.post(broken)).toMatchObject({ kind: 'failed' });
    expect(await transport.post({ ...broken, headers: {} })).toMatchObject({ kind: 'answered' });
  });
});

describe('close', () => {
  it('lets attempts under way end, closes what is idle, and refuses new ones', async () => {
    const server = await startRawServer((socket) =>
      onRequests(socket, () =>
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 50),
      ),
    );
    const transport = createTransport();
    const request = { url: server.url, headers: {}, body: '{}' };
    const underWay = transport.post(request);
    await transport.close();
    expect(await underWay).toMatchObject({ kind: 'answered', status: 200 });
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
    await expect(transport.post(request)).rejects.toThrow(new NetworkUnavailable('The transport is closed.'));
  });

  it('breaks off what is under way once it is told to give up, and calls it no outcome', async () => {
    const waiting = await startRawServer((socket) => void socket.resume());
    const dripping = await startRawServer((socket) =>
      onRequests(socket, () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na')),
    );
    const transport = createTransport();
    const posts = [waiting, dripping].map(({ url }) => transport.post({ url, headers: {}, body: '{}' }));
    const outcomes = Promise.allSettled(posts);
    await expect.poll(() => waiting.openConnections() + dripping.openConnections()).toBe(2);
    const giveUp = new AbortController();
    const closed = transport.close(giveUp.signal);
    giveUp.abort();
    await closed;
    const reason = new NetworkUnavailable('The transport is closed.');
    expect(await outcomes).toEqual(Array(2).fill({ status: 'rejected', reason }));
    await expect.poll(() => waiting.openConnections() + dripping.openConnections()).toBe(0);
  });

  it('connects no more once it has given up, although a kept connection may have swallowed the request', async () => {
    const server = await startRawServer((socket) =>
      onRequests(socket, (_, before) => {
        if (before === 0) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      }),
    );
    const transport = createTransport();
    const request = { url: server.url, headers: {}, body: '{}' };
    await transport.post(request);
    const posted = expect(transport.post(request)).rejects.toThrow('The transport is closed.');
    await transport.close(AbortSignal.timeout(50));
    await posted;
    expect(server.connections()).toBe(1);
  });

  it('breaks off at once where it is too late already', async () => {
    const server = await startRawServer(() => {});
    const transport = createTransport();
    const posted = transport.post({ url: server.url, headers: {}, body: '{}' });
    const outcome = expect(posted).rejects.toThrow(NetworkUnavailable);
    await transport.close(AbortSignal.abort());
    await outcome;
  });

  it('waits each time that it is called', async () => {
    const server = await startRawServer((socket) =>
      onRequests(socket, () =>
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 50),
      ),
    );
    const transport = createTransport();
    const ended: string[] = [];
    const underWay = transport.post({ url: server.url, headers: {}, body: '{}' });
    void underWay.then(() => ended.push('attempt'));
    await Promise.all([transport.close(), transport.close()]);
    expect(ended).toEqual(['attempt']);
  });
});
