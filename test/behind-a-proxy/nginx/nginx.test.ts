/** API, console, portal and documentation behind a real nginx, with the locations of docs/behind-a-proxy.md. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../examples/platform/database/embedded-postgres.js';
import { openPlatform, type Platform } from '../../console/platform.js';
import { fencesOf } from '../../docs/fences.js';
import { expectInside } from '../expect-inside.js';
import { SERVERS, startHost, type Way } from '../host.js';
import { readNginxVersion, startNginx } from './start-nginx.js';

let platform: Platform;
beforeAll(async () => {
  console.log(readNginxVersion());
  platform = await openPlatform();
});
afterAll(() => platform.close());

const UPSTREAM = /http:\/\/127\.0\.0\.1:3000/;
const [STRIPPED = '', LEFT = '', ...OTHERS] = fencesOf('docs/behind-a-proxy.md')
  .map(({ text }) => text)
  .filter((text) => text.startsWith('location'));

const WAYS: readonly (readonly [string, string, Way])[] = [
  ['removes the prefix and names it', STRIPPED, 'by the header'],
  ['removes the prefix in silence', STRIPPED.replace(/^.*X-Forwarded-Prefix.*\n/m, ''), 'by publicPath'],
  ['leaves the prefix', LEFT, 'by its own paths'],
];

it('the page has two locations', () => {
  expect(OTHERS).toEqual([]);
  for (const text of [STRIPPED, LEFT]) expect(text).toMatch(UPSTREAM);
});

describe.each(Object.entries(SERVERS))('%s', (_, serve) => {
  it.each(WAYS)('leads nowhere outside behind an nginx that %s', async (__, locations, way) => {
    const port = await freePort();
    const front = `http://127.0.0.1:${port}`;
    const host = await startHost(platform, { serve, way, front });
    onTestFinished(host.close);
    const stop = await startNginx(port, locations.replace(UPSTREAM, `http://127.0.0.1:${host.port}`));
    onTestFinished(stop);
    await expectInside(front, host, platform);
  });
});
