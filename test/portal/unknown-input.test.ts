/** Whatever is in an address or a form, the portal answers with a page. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PORTAL_SCREENS } from '../../packages/console/src/portal/screens/screens.js';
import { openHostilePages, type Site, seedLongLists, sendHostileForms } from '../console/hostile-input.js';
import { openPlatform, type Platform } from '../console/platform.js';
import { actorOf, openPortal } from './portal.js';
import { examplePagesOf, findObjectsOf } from './portal-pages.js';

let platform: Platform;
let site: Site;
beforeAll(async () => {
  platform = await openPlatform({ limits: { submit_application: 1_000, webhook_endpoint: 1_000 } });
  await seedLongLists(platform);
  const visitor = openPortal(platform.fixture, actorOf(platform.acme.partnerId));
  const others = await findObjectsOf(platform, platform.hooli.partnerId);
  const foreign = examplePagesOf(others).map((path) => `/portal${path}`);
  site = { root: '/portal', screens: PORTAL_SCREENS, get: visitor.get, post: visitor.post, foreign };
});
afterAll(() => platform.close());

it('says what is wrong with a cursor or a filter of an address, and knows no keys of others', async () => {
  const { acme, hooli } = platform;
  const lists = ['applications', 'requests', 'deliveries', 'deliveries?state=mended', `keys/${acme.keyId}`];
  const wrong = [
    ...lists.map((list) => `${list}${list.includes('?') ? '&' : '?'}cursor=x`),
    'deliveries?state=bogus',
    'requests?errors=bogus',
  ];
  for (const path of wrong) {
    const { status, text } = await site.get(`/portal/${path}`);
    expect([path, status]).toEqual([path, 400]);
    expect(text, path).toContain('The address has a value that this page does not know');
  }
  for (const list of ['applications', 'requests', 'deliveries']) {
    expect((await site.get(`/portal/${list}?key=${hooli.keyId}`)).status, list).toBe(404);
    expect((await site.get(`/portal/${list}?key=${acme.keyId}`)).status, list).toBe(200);
  }
});

it('each page answers unknown, malformed and foreign ids, cursors and filters with a page', {
  timeout: 600_000,
}, async () => {
  expect(await openHostilePages(site)).toEqual([]);
});

it('each act answers unknown, malformed and foreign ids and fields with a page', {
  timeout: 600_000,
}, async () => {
  expect(await sendHostileForms(site)).toEqual([]);
});
