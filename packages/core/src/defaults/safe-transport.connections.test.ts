import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createLocalTransport } from '@partner-hiring/test-support/network/local-transport';
import {
  onRequests,
  startRawServer,
  startRequestServer,
} from '@partner-hiring/test-support/network/raw-server';
import { createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SafeTransportOptions } from './safe-transport.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ANSWERED = { kind: 'answered', status: 200, excerpt: 'ok' };

/** Posts sequentially, each with its own body, and returns the failures. */
async function postMany(
  url: string,
  count: number,
  options: SafeTransportOptions = {},
  between: (index: number) => Promise<void> = async () => {},
) {
  const transport = createLocalTransport(options);
  const failures: unknown[] = [];
  for (let index = 0; index < count; index++) {
    const outcome = await transport.post({ url, headers: {}, body: String(index) });
    if (outcome.kind === 'failed') failures.push(outcome);
    await between(index);
  }
  return failures;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('connections', () => {
  it('are reused', async () => {
    const server = await startRequestServer((socket) => socket.write(OK));
    expect(await postMany(server.url, 50)).toEqual([]);
    expect(server.connections()).toBe(1);
  });

  it('carry one attempt at a time', async () => {
    const server = await startRequestServer((socket) => setTimeout(() => socket.write(OK), 20));
    const transport = createLocalTransport();
    const posts = Array.from({ length: 5 }, () => transport.post({ url: server.url, headers: {}, body: '' }));
    expect(await Promise.all(posts)).toEqual(Array(5).fill(ANSWERED));
    expect(server.connections()).toBe(5);
  });

  it('carry one attempt at a time when reused', async () => {
    let ready = 0;
    const ended: string[] = [];
    const server = await startRequestServer((socket, { body }) => {
      if (body === 'held') ready += 1;
      else socket.write(OK);
    });
    const transport = createLocalTransport({ timeoutMs: 500 });
    await transport.post({ url: server.url, headers: {}, body: '' });
    const held = transport.post({ url: server.url, headers: {}, body: 'held' });
    void held.then(() => ended.push('held'));
    await expect.poll(() => ready).toBe(1);
    expect(await transport.post({ url: server.url, headers: {}, body: '' })).toEqual(ANSWERED);
    expect(ended).toEqual([]);
    expect(await held).toMatchObject({ kind: 'failed', failure: 'timed_out' });
  });

  it('are kept up to 64 per origin', async () => {
    const server = await startRequestServer((socket) => setTimeout(() => socket.write(OK), 20));
    const transport = createLocalTransport();
    await Promise.all(
      Array.from({ length: 90 }, () => transport.post({ url: server.url, headers: {}, body: '' })),
    );
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(64);
  });

  it('are kept up to 256 in total, and the longest idle close first', async () => {
    const server = await startRequestServer((socket) => socket.write(OK));
    const transport = createLocalTransport({ resolve: async () => ['127.0.0.1'] });
    const urls = Array.from({ length: 280 }, (_, index) => `http://host-${index}.test:${server.port}/`);
    for (const url of urls) await transport.post({ url, headers: {}, body: '' });
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(256);
    await transport.post({ url: urls[24] ?? '', headers: {}, body: '' });
    expect(server.connections()).toBe(280);
    await transport.post({ url: urls[23] ?? '', headers: {}, body: '' });
    expect(server.connections()).toBe(281);
  });

  it('close when the server announces its timeout', async () => {
    const hint = 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 0\r\n\r\n';
    const server = await startRequestServer((socket) => socket.write(hint));
    expect(await postMany(server.url, 3)).toEqual([]);
    expect(server.connections()).toBe(3);
    await expect.poll(() => server.openConnections(), { timeout: 5_000 }).toBe(0);
  });

  it('close within seconds of their last use', async () => {
    const server = await startRequestServer((socket) => socket.write(OK));
    const transport = createLocalTransport();
    await transport.post({ url: server.url, headers: {}, body: '' });
    expect(server.openConnections()).toBe(1);
    await expect.poll(() => server.openConnections(), { timeout: 8_000, interval: 200 }).toBe(0);
  });
});

describe('a server that closes connections', () => {
  const COUNT = 1_000;

  it('after each response loses nothing in a thousand attempts', async () => {
    const server = await startRequestServer((socket) => socket.end(OK));
    expect(await postMany(server.url, COUNT)).toEqual([]);
  });

  it('after each response, with notice, loses nothing', async () => {
    const last = OK.replace('content-length', 'connection: close\r\ncontent-length');
    const server = await startRequestServer((socket) => socket.end(last));
    expect(await postMany(server.url, COUNT)).toEqual([]);
  });

  it('with a reset after each response loses nothing', async () => {
    const server = await startRequestServer((socket) => socket.write(OK, () => socket.resetAndDestroy()));
    expect(await postMany(server.url, COUNT)).toEqual([]);
  });

  it('just as the next request arrives loses nothing and receives no body twice', async () => {
    const answered = new Map<string, number>();
    const server = await startRequestServer((socket, { body }, before) => {
      if (before === 1) {
        closeSomehow(socket, Number(body));
        return;
      }
      answered.set(body, (answered.get(body) ?? 0) + 1);
      socket.write(OK);
    });
    expect(await postMany(server.url, COUNT)).toEqual([]);
    expect(answered.size).toBe(COUNT);
    expect(new Set(answered.values())).toEqual(new Set([1]));
  });

  it('over TLS just as the next request arrives loses nothing', async () => {
    const certificate = await createSelfSigned(['hooks.test']);
    const server = await startRequestServer((socket, { body }, before) => {
      if (before === 1) closeSomehow(socket, Number(body));
      else socket.write(OK);
    }, certificate);
    const url = `https://hooks.test:${server.port}/`;
    const options = { ca: certificate.cert, resolve: async () => ['127.0.0.1'] };
    expect(await postMany(url, 100, options)).toEqual([]);
  });

  it('after fifty idle milliseconds loses nothing, whenever the next attempt comes', async () => {
    const server = await startRawServer((socket) => {
      socket.on('timeout', () => socket.end());
      onRequests(socket, () => socket.setTimeout(50).write(OK));
    });
    const urls = Array.from({ length: 50 }, () => server.url);
    const between = (index: number) => (index % 4 === 3 ? pause(49 + (index % 3)) : Promise.resolve());
    const runs = await Promise.all(urls.map((url) => postMany(url, COUNT / urls.length, {}, between)));
    expect(runs.flat()).toEqual([]);
  });
});

describe('an attempt on a reused connection', () => {
  const REQUEST = { headers: {}, body: '{}' };

  /** Answers the first request of the first connection; `then` handles the others. */
  async function afterOneAnswer(then: (socket: Socket) => void) {
    let requests = 0;
    const server = await startRequestServer((socket) => {
      requests += 1;
      if (requests === 1) socket.write(OK);
      else then(socket);
    });
    const transport = createLocalTransport({ timeoutMs: 1_000 });
    expect(await transport.post({ ...REQUEST, url: server.url })).toEqual(ANSWERED);
    const outcome = await transport.post({ ...REQUEST, url: server.url });
    return { outcome, requests, connections: server.connections() };
  }

  it('is sent once more on a new connection, but not a third time', async () => {
    const { outcome, requests, connections } = await afterOneAnswer((socket) => socket.resetAndDestroy());
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
    expect(requests).toBe(3);
    expect(connections).toBe(2);
  });

  it.each([
    ['began to answer', 'HTTP/1.1 2'],
    ['answered with something else', 'nonsense\r\n\r\n'],
    ['gave a hint', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['said to continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('is not repeated after the server %s', async (_what, start) => {
    const { outcome, requests } = await afterOneAnswer((socket) => socket.end(start));
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'protocol_error' });
    expect(requests).toBe(2);
  });

  it('is not repeated after a timeout', async () => {
    const { outcome, requests } = await afterOneAnswer(() => {});
    expect(outcome).toMatchObject({ kind: 'failed', failure: 'timed_out' });
    expect(requests).toBe(2);
  });

  it('has one deadline over both connections', async () => {
    let requests = 0;
    const server = await startRequestServer((socket) => {
      requests += 1;
      if (requests === 1) socket.write(OK);
      if (requests === 2) setTimeout(() => socket.resetAndDestroy(), 500);
    });
    const transport = createLocalTransport({ timeoutMs: 1_000 });
    await transport.post({ ...REQUEST, url: server.url });
    const startedAt = performance.now();
    const outcome = await transport.post({ ...REQUEST, url: server.url });
    expect(outcome).toMatchObject({ failure: 'timed_out' });
    expect(requests).toBe(3);
    expect(performance.now() - startedAt).toBeLessThan(1_450);
  });
});

describe('a client that cannot be created', () => {
  const REQUEST = { headers: {}, body: '{}' };
  const UNMADE = {
    kind: 'failed',
    failure: 'protocol_error',
    message: 'The response is not valid HTTP (E_UNMADE).',
  };

  /** Makes the library throw where it reads a client's origin; the transport has parsed the URL by then. */
  function breakClients(): void {
    vi.stubGlobal(
      'URL',
      class {
        constructor() {
          throw Object.assign(new Error('It cannot be made.'), { code: 'E_UNMADE' });
        }
      },
    );
    onTestFinished(() => void vi.unstubAllGlobals());
  }

  it('fails the attempt and frees its slot', async () => {
    const server = await startRequestServer((socket) => socket.end(OK));
    const transport = createLocalTransport();
    await transport.post({ ...REQUEST, url: server.url });
    await expect.poll(() => server.openConnections()).toBe(0);
    breakClients();
    expect(await transport.post({ ...REQUEST, url: server.url })).toEqual(UNMADE);
    await transport.close();
  });

  it('fails an attempt that is repeated, without waiting', async () => {
    const server = await startRequestServer((socket, _, before) => {
      if (before === 0) socket.write(OK);
      else socket.resetAndDestroy();
    });
    const transport = createLocalTransport();
    await transport.post({ ...REQUEST, url: server.url });
    breakClients();
    expect(await transport.post({ ...REQUEST, url: server.url })).toEqual(UNMADE);
    await transport.close();
  });
});

/** How a server can close a connection during a request. */
function closeSomehow(socket: Socket, index: number): void {
  if (index % 3 === 0 && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else if (index % 3 === 1) socket.destroy();
  else socket.end();
}
