import { createHook } from 'node:async_hooks';
import { Socket } from 'node:net';
import { createLocalTransport } from '@partner-hiring/test-support/network/local-transport';
import { startNameServer } from '@partner-hiring/test-support/network/name-server';
import {
  type RawServer,
  startAnswering,
  startRawServer,
  startRequestServer,
} from '@partner-hiring/test-support/network/raw-server';
import { watchConnects } from '@partner-hiring/test-support/network/watched-connects';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSafeTransport } from '../safe-transport.js';
import { createNameServerResolve } from './pinned-connect.js';

/** More than Node has threads. */
const SILENT = Array.from({ length: 16 }, (_, index) => `silent${index}.test`);

it('resolves a name, even if it has addresses of one family only', async () => {
  const { address } = await startNameServer({ 'hooks.test': ['93.184.215.14', '93.184.215.15'] });
  const resolve = createNameServerResolve([address]);
  expect(await resolve('hooks.test')).toEqual(['93.184.215.14', '93.184.215.15']);
});

it('rejects a name without addresses', async () => {
  const { address } = await startNameServer({ 'empty.test': [] });
  await expect(createNameServerResolve([address])('empty.test')).rejects.toMatchObject({ code: 'ENODATA' });
});

const BOTH = ['93.184.215.14', '2606:4700:4700::1111'];

it('returns the addresses of both families if both arrive', async () => {
  const { address } = await startNameServer({ 'hooks.test': BOTH });
  expect(await createNameServerResolve([address])('hooks.test')).toEqual(BOTH);
});

it.each([
  ['AAAA', BOTH.slice(0, 1)],
  ['A', BOTH.slice(1)],
] as const)('goes on soon with the other addresses if the name server drops %s', async (dropped, rest) => {
  const server = await startNameServer({ 'hooks.test': BOTH }, dropped);
  expect(await createNameServerResolve([server.address])('hooks.test')).toEqual(rest);
  // With all retries, there would be three queries.
  expect(server.silentAbout().length).toBeLessThan(3);
});

it('never uses an address that arrives late, and judges one that arrives in time', async () => {
  const known = { 'hooks.test': ['93.184.215.14', '::1'] };
  const late = await startNameServer(known, 'AAAA');
  const watched = watchConnects([80]);
  const post = ({ address }: { readonly address: string }) => {
    const transport = createSafeTransport({
      allowPlainHttp: true,
      resolve: createNameServerResolve([address]),
    });
    onTestFinished(() => transport.close());
    return transport.post({ url: 'http://hooks.test/', headers: {}, body: '' });
  };
  const attempt = post(late);
  await expect.poll(() => late.silentAbout().length).toBe(1);
  await expect.poll(() => watched.addresses).toEqual(['93.184.215.14']);
  late.speak();
  expect(await attempt).toMatchObject({ failure: 'connection_failed' });
  expect(await post(await startNameServer(known))).toMatchObject({ failure: 'address_refused' });
  expect(watched.addresses).toEqual(['93.184.215.14']);
});

it('is not blocked by names whose servers do not answer', async () => {
  const server = await startNameServer({ 'hooks.test': ['93.184.215.14'] });
  const resolve = createNameServerResolve([server.address]);
  let ended = 0;
  const held = SILENT.map((name) => resolve(name).catch(() => (ended += 1)));
  await expect.poll(() => new Set(server.silentAbout()).size).toBe(SILENT.length);
  expect(await resolve('hooks.test')).toEqual(['93.184.215.14']);
  expect(ended).toBe(0);
  await expect.poll(() => server.silentAbout().length).toBeGreaterThanOrEqual(2 * SILENT.length);
  server.speak();
  await Promise.all(held);
});

it('is the default without private networks, and occupies no thread of Node', async () => {
  const kinds = new Set<string>();
  const hook = createHook({ init: (_id, kind) => void kinds.add(kind) }).enable();
  onTestFinished(() => void hook.disable());
  const transport = createSafeTransport({ timeoutMs: 100 });
  onTestFinished(() => transport.close());
  await transport.post({ url: 'https://partner.invalid/', headers: {}, body: '' });
  expect(kinds).toContain('QUERYWRAP');
  expect(kinds).not.toContain('GETADDRINFOREQWRAP');
});

describe('several addresses', () => {
  const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  const ANSWERED = { kind: 'answered', status: 200, excerpt: 'ok' };
  const FIRST = '198.51.100.1';
  const SECOND = '198.51.100.2';
  const THIRD = '198.51.100.3';

  interface Attempted {
    readonly address: string;
    readonly at: number;
    readonly socket: Socket;
  }

  /** How an address behaves: after how many milliseconds it connects or refuses. `null` never answers. */
  type Delays = Readonly<Record<string, number | { readonly refusesAfter: number } | null>>;

  /** Connects to a server of this machine in place of the addresses, each in its own time. */
  function startAddresses(delays: Delays, { port }: RawServer) {
    const attempted: Attempted[] = [];
    const original = Socket.prototype.connect;
    function connect(this: Socket, ...args: unknown[]): Socket {
      const [options] = [args[0]].flat() as [{ readonly host?: string }];
      const delay = delays[options.host ?? ''];
      if (delay === undefined) return Reflect.apply(original, this, args) as Socket;
      attempted.push({ address: options.host ?? '', at: performance.now(), socket: this });
      const reach = () => {
        if (!this.destroyed) Reflect.apply(original, this, [{ host: '127.0.0.1', port }]);
      };
      if (typeof delay === 'number') setTimeout(reach, delay);
      else if (delay !== null) setTimeout(() => this.destroy(new Error('refused')), delay.refusesAfter);
      return this;
    }
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(connect as typeof original);
    const transport = createLocalTransport({ resolve: async () => Object.keys(delays) });
    return {
      attempted,
      order: () => attempted.map(({ address }) => address),
      transport,
      post: (scheme = 'http') =>
        transport.post({ url: `${scheme}://several.test/`, headers: {}, body: '{}' }),
      gaps: () => attempted.slice(1).map(({ at }, index) => at - (attempted[index]?.at ?? 0)),
    };
  }

  it('are tried beside each other after 250 ms each, and the first to connect wins', async () => {
    const server = await startAnswering(OK);
    const tried = startAddresses({ [FIRST]: null, [SECOND]: null, [THIRD]: 0 }, server);
    expect(await tried.post()).toEqual(ANSWERED);
    expect(tried.order()).toEqual([FIRST, SECOND, THIRD]);
    for (const gap of tried.gaps()) expect(gap).toBeGreaterThanOrEqual(240);
    expect(Math.max(...tried.gaps())).toBeLessThan(1_500);
    expect(tried.attempted.map(({ socket }) => socket.destroyed)).toEqual([true, true, false]);
    expect(server.connections()).toBe(1);
  });

  it('do not give up the first, which wins if it connects before the second', async () => {
    const server = await startAnswering(OK);
    const tried = startAddresses({ [FIRST]: 500, [SECOND]: 1_500 }, server);
    expect(await tried.post()).toEqual(ANSWERED);
    expect(tried.order()).toEqual([FIRST, SECOND]);
    expect(tried.attempted.map(({ socket }) => socket.destroyed)).toEqual([false, true]);
    expect(server.connections()).toBe(1);
  });

  it('cost nothing if the first connects at once', async () => {
    const server = await startAnswering(OK);
    const tried = startAddresses({ [FIRST]: 0, [SECOND]: 0 }, server);
    expect(await tried.post()).toEqual(ANSWERED);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(tried.order()).toEqual([FIRST]);
  });

  it('are tried at once behind one that refuses, and wait for the others', async () => {
    const server = await startAnswering(OK);
    const tried = startAddresses({ [FIRST]: 400, [SECOND]: { refusesAfter: 0 }, [THIRD]: null }, server);
    expect(await tried.post()).toEqual(ANSWERED);
    expect(tried.order()).toEqual([FIRST, SECOND, THIRD]);
    expect(tried.gaps()[1]).toBeLessThan(200);
    expect(tried.attempted.map(({ socket }) => socket.destroyed)).toEqual([false, true, true]);
  });

  it('are a failed connection only if all of them refuse', async () => {
    const server = await startAnswering(OK);
    const tried = startAddresses({ [FIRST]: { refusesAfter: 300 }, [SECOND]: { refusesAfter: 0 } }, server);
    expect(await tried.post()).toMatchObject({ kind: 'failed', failure: 'connection_failed' });
    expect(tried.order()).toEqual([FIRST, SECOND]);
  });

  it('are all closed if the attempt is given up', async () => {
    const server = await startAnswering(OK);
    const tried = startAddresses({ [FIRST]: null, [SECOND]: null, [THIRD]: null }, server);
    const outcome = expect(tried.post()).rejects.toThrow('The transport is closed.');
    await expect.poll(() => tried.attempted.length).toBe(2);
    await tried.transport.close(AbortSignal.abort());
    await outcome;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(tried.attempted.map(({ socket }) => socket.destroyed)).toEqual([true, true]);
  });

  it('are all closed if the attempt is given up during the handshake of TLS', async () => {
    const silent = await startRawServer((socket) => void socket.resume());
    const tried = startAddresses({ [FIRST]: null, [SECOND]: 0 }, silent);
    const outcome = expect(tried.post('https')).rejects.toThrow('The transport is closed.');
    await expect.poll(() => silent.openConnections()).toBe(1);
    await tried.transport.close(AbortSignal.abort());
    await outcome;
    await expect.poll(() => silent.openConnections()).toBe(0);
    expect(tried.attempted.map(({ socket }) => socket.destroyed)).toEqual([true, true]);
  });
});

it.each(['127.0.0.1', '[::ffff:127.0.0.1]'])('looks up no address that a URL names (%s)', async (host) => {
  const server = await startRequestServer((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
  const resolve = vi.fn(async () => ['198.51.100.1']);
  const transport = createLocalTransport({ resolve });
  const outcome = await transport.post({ url: `http://${host}:${server.port}/`, headers: {}, body: '' });
  expect(outcome).toMatchObject({ kind: 'answered', status: 204 });
  expect(resolve).not.toHaveBeenCalled();
});
