/** What a browser is that sends more than one cookie of a session. */
import { afterAll, describe, expect, it } from 'vitest';
import { openPlatform } from '../console/platform.js';
import { openPortal, PORTAL_URL } from './portal.js';

const platform = await openPlatform({ portalUrl: PORTAL_URL });
afterAll(() => platform.close());

describe('a browser with a session', () => {
  const SECURE = '__Secure-partner_hiring_portal_session';
  const PLAIN = 'partner_hiring_portal_session';
  const HTTP_ORIGIN = 'http://127.0.0.1:3000';

  /** Signs in at the address. Returns the browser, with its cookie. */
  async function signIn(url: string) {
    const visitor = openPortal(platform.fixture);
    const { partnerId } = platform.acme;
    const { link } = await platform.fixture.operator.portal.createLink({ partnerId, url });
    expect((await visitor.post(link, {}, { origin: new URL(link).origin })).status).toBe(303);
    return visitor;
  }

  it.each([
    ['https', PORTAL_URL, SECURE],
    ['http', `${HTTP_ORIGIN}/portal`, PLAIN],
  ])('over %s is signed out while it sends two cookies of the name', async (_, url, name) => {
    const visitor = await signIn(url);
    const { cookie } = visitor;
    const other = (await signIn(url)).cookie;
    expect(cookie).toMatch(new RegExp(`^${name}=`));
    for (const second of [other, cookie, `${name}=planted`, `${name}=`, name]) {
      for (const both of [`${cookie}; ${second}`, `${second}; ${cookie}`, `${cookie};${second};a=b`]) {
        expect([both, (await visitor.get(url, { cookie: both })).status]).toEqual([both, 401]);
      }
      const signOut = await visitor.post(
        `${url}/sign-out`,
        {},
        { cookie: `${second}; ${cookie}`, 'sec-fetch-site': 'same-origin' },
      );
      expect(signOut.headers.get('set-cookie')).toBeNull();
    }
    expect((await visitor.get(url, { cookie })).status).toBe(200);
  });

  it('over https keeps its session if somebody adds the cookie of http, which gives none', async () => {
    const { cookie } = await signIn(PORTAL_URL);
    const local = await signIn(`${HTTP_ORIGIN}/portal`);
    const stranger = openPortal(platform.fixture);
    const stolen = local.cookie;
    for (const planted of [stolen, `${PLAIN}=planted`, cookie.replace('__Secure-', '')]) {
      for (const both of [`${cookie}; ${planted}`, `${planted}; ${cookie}`]) {
        const page = await stranger.get(PORTAL_URL, { cookie: both });
        expect([page.status, page.text.includes('Acme ATS')]).toEqual([200, true]);
      }
      expect((await stranger.get(PORTAL_URL, { cookie: planted })).status).toBe(401);
    }
  });
});
