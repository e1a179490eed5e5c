import { createHook } from 'node:async_hooks';
import { startNameServer } from '@partner-hiring/test-support/network/name-server';
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
