import { startHeldReceiver } from '@partner-hiring/test-support/network/held-receiver';
import {
  createLocalTransport,
  postLocally,
  timed,
} from '@partner-hiring/test-support/network/local-transport';
import {
  startAnswering,
  startRawServer,
  startRequestServer,
} from '@partner-hiring/test-support/network/raw-server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NetworkUnavailable } from '../errors.js';
import { createSafeTransport } from './safe-transport.js';

const SOON_MS = 250;

describe('the request', () => {
  it('sends the body as UTF-8 with its length, and the given headers', async () => {
    const seen: string[] = [];
    const server = await startRequestServer((socket, { head, body }) => {
      seen.push(head, body);
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const body = '{"name":"Zoë 🚀"}';
    await postLocally(server.url, {}, body);
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
  it.each([200, 201, 204, 299, 300, 304, 400, 410, 429, 500, 503])(
    '%i decides the outcome',
    async (status) => {
      const server = await startAnswering(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`);
      expect(await postLocally(server.url)).toEqual({ kind: 'answered', status, excerpt: '' });
    },
  );

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const canary = await startAnswering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    const server = await startAnswering(
      `HTTP/1.1 ${status} Moved\r\nlocation: ${canary.url}\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(await postLocally(server.url)).toMatchObject({ kind: 'answered', status });
    expect(canary.connections()).toBe(0);
  });

  it('ignores early hints', async () => {
    const server = await startAnswering(
      'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n',
    );
    expect(await postLocally(server.url)).toMatchObject({ kind: 'answered', status: 500 });
  });

  it.each<[string, string]>([
    ['at once', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['with header fields', 'HTTP/1.1 100 Continue\r\nx-proxy: 1\r\nx-b: c\r\n\r\n'],
    ['after a blank line', '\r\nHTTP/1.1 100 Continue\r\n\r\n'],
    ['twice', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\n\r\n'],
    ['after a hint', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ])('ignores an unrequested 100 Continue %s', async (_when, interim) => {
    const answer = `${interim}HTTP/1.1 202 Accepted\r\ncontent-length: 3\r\n\r\n100`;
    const server = await startAnswering(answer);
    const transport = createLocalTransport();
    const request = { url: server.url, headers: {}, body: '{}' };
    const accepted = { kind: 'answered', status: 202, excerpt: '100' };
    expect(await transport.post(request)).toEqual(accepted);
    expect(await transport.post(request)).toEqual(accepted);
    expect(server.connections()).toBe(1);
  });

  it('ignores a 100 Continue in many pieces', async () => {
    const answer = 'HTTP/1.1 100 Continue\r\nx-a: b\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n';
    const server = await startRequestServer(async (socket) => {
      for (const piece of answer) {
        socket.write(piece);
        await new Promise(setImmediate);
      }
    });
    expect(await postLocally(server.url)).toMatchObject({ kind: 'answered', status: 204 });
  });
});

describe('the deadline', () => {
  const TIMED_OUT = { kind: 'failed', failure: 'timed_out', message: 'No response arrived in time.' };

  it.each<[string, (write: (text: string) => void) => void]>([
    ['says nothing at all', () => {}],
    ['stops within its status line', (write) => write('HTTP/1.1 20')],
    ['only ever hints', (write) => write('HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['only says to continue', (write) => write('HTTP/1.1 100 Continue\r\n\r\n')],
  ])('ends an attempt whose receiver %s', async (_what, answer) => {
    const server = await startRequestServer((socket) => answer((text) => void socket.write(text)));
    const { result, ms } = await timed(postLocally(server.url, { timeoutMs: SOON_MS }));
    expect(result).toEqual(TIMED_OUT);
    expect(ms).toBeLessThan(SOON_MS + 1_000);
  });

  it('also covers slow header fields, and the status still counts', async () => {
    const server = await startRequestServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-drop: y\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const { result, ms } = await timed(postLocally(server.url, { timeoutMs: SOON_MS }));
    expect(result).toEqual({ kind: 'answered', status: 200, excerpt: '', oddAnswer: 'timed_out' });
    expect(ms).toBeLessThan(SOON_MS + 1_000);
  });

  it('also covers a receiver that does not read or never finishes TLS', async () => {
    const deaf = await startRawServer((socket) => void socket.pause());
    const large = 'x'.repeat(20_000_000);
    expect(await postLocally(deaf.url, { timeoutMs: SOON_MS }, large)).toEqual(TIMED_OUT);
    const url = `https://127.0.0.1:${deaf.port}/`;
    const { result, ms } = await timed(postLocally(url, { timeoutMs: SOON_MS }));
    expect(result).toEqual(TIMED_OUT);
    expect(ms).toBeLessThan(SOON_MS + 1_000);
  });

  it('also covers a name that never resolves', async () => {
    const resolve = () => new Promise<readonly string[]>(() => {});
    expect(await postLocally('https://slow.test/', { timeoutMs: SOON_MS, resolve })).toEqual(TIMED_OUT);
  });

  it('keeps a response that arrived in time while the process was blocked', async () => {
    const receiver = await startHeldReceiver();
    const attempt = postLocally(receiver.url, { timeoutMs: SOON_MS });
    await receiver.requested();
    receiver.answerWhileBlocked(SOON_MS);
    expect(await attempt).toEqual({ kind: 'answered', status: 200, excerpt: 'ok' });
  });

  it('is 30 seconds by default (contract 12.3)', async () => {
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

  it('leaves no connection open', async () => {
    const server = await startRawServer((socket) => void socket.resume());
    await postLocally(server.url, { timeoutMs: SOON_MS });
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
    const url = `https://127.0.0.1:${server.port}/`;
    await postLocally(url, { timeoutMs: SOON_MS });
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
    expect(server.connections()).toBe(2);
  });
});

describe('close', () => {
  it('waits for running attempts, closes idle connections and refuses new attempts', async () => {
    const server = await startRequestServer((socket) =>
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 50),
    );
    const transport = createLocalTransport();
    const request = { url: server.url, headers: {}, body: '{}' };
    const underWay = transport.post(request);
    await transport.close();
    expect(await underWay).toMatchObject({ kind: 'answered', status: 200 });
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
    await expect(transport.post(request)).rejects.toThrow(new NetworkUnavailable('The transport is closed.'));
  });

  it('rejects running attempts when it is aborted, without an outcome', async () => {
    const waiting = await startRawServer((socket) => void socket.resume());
    const dripping = await startRequestServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na'),
    );
    const transport = createLocalTransport();
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

  it('does not repeat a swallowed request after it is aborted', async () => {
    const server = await startRequestServer((socket, _, before) => {
      if (before === 0) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const transport = createLocalTransport();
    const request = { url: server.url, headers: {}, body: '{}' };
    await transport.post(request);
    const posted = expect(transport.post(request)).rejects.toThrow('The transport is closed.');
    await transport.close(AbortSignal.timeout(50));
    await posted;
    expect(server.connections()).toBe(1);
  });

  it('aborts immediately if the signal has already aborted', async () => {
    const server = await startRawServer(() => {});
    const transport = createLocalTransport();
    const posted = transport.post({ url: server.url, headers: {}, body: '{}' });
    const outcome = expect(posted).rejects.toThrow(NetworkUnavailable);
    await transport.close(AbortSignal.abort());
    await outcome;
  });

  it('waits on every call', async () => {
    const server = await startRequestServer((socket) =>
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), 50),
    );
    const transport = createLocalTransport();
    const ended: string[] = [];
    const underWay = transport.post({ url: server.url, headers: {}, body: '{}' });
    void underWay.then(() => ended.push('attempt'));
    await Promise.all([transport.close(), transport.close()]);
    expect(ended).toEqual(['attempt']);
  });
});
