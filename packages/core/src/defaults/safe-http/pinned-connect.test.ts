import { createHook } from 'node:async_hooks';
import { startNameServer } from '@partner-hiring/test-support/network/name-server';
import { watchConnects } from '@partner-hiring/test-support/network/watched-connects';
import { expect, it, onTestFinished } from 'vitest';
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
