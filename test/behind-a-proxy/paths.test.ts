/** API, console, portal and documentation behind a proxy. `nginx` has the same with a real one. */
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPlatform } from '../console/platform.js';
import { expectInside } from './expect-inside.js';
import { PREFIX, SERVERS, startHost, type Way } from './host.js';
import { startPrefixProxy } from './prefix-proxy.js';

const platform = await openPlatform();
afterAll(() => platform.close());

const WAYS: readonly (readonly [string, Way, Readonly<Record<string, string>>])[] = [
  ['strips the prefix and names it', 'by the header', { 'x-forwarded-prefix': PREFIX }],
  ['strips the prefix and names another one', 'by publicPath', { 'x-forwarded-prefix': '/elsewhere' }],
  ['strips the prefix in silence', 'by publicPath', {}],
  ['leaves the prefix', 'by its own paths', {}],
];

describe.each(Object.entries(SERVERS))('%s', (name, serve) => {
  // Only how a server trusts the header, and mounts under a prefix, depends on the framework.
  const ways = WAYS.filter(([, way]) => name === 'Express' || way !== 'by publicPath');
  it.each(ways)('leads nowhere outside behind a proxy that %s', async (__, way, headers) => {
    const proxy = await startPrefixProxy(way !== 'by its own paths', headers);
    onTestFinished(proxy.close);
    const host = await startHost(platform, { serve, way, front: proxy.origin });
    onTestFinished(host.close);
    proxy.forwardTo(host.port);
    await expectInside(proxy.origin, host, platform);
  });
});

it('notices a prefix that the host does not know', async () => {
  const proxy = await startPrefixProxy(true);
  onTestFinished(proxy.close);
  const serve = SERVERS.Express ?? expect.unreachable();
  const host = await startHost(platform, { serve, way: 'by the header', front: proxy.origin });
  onTestFinished(host.close);
  proxy.forwardTo(host.port);
  await expect(expectInside(proxy.origin, host, platform)).rejects.toThrow();
});
