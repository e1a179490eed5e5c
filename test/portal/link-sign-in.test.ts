/** What signing in by a link does, for the console and for the portal. Each has its own store of links and sessions. */
import { createConsole, createOneTimeLogin } from '@partner-hiring/console';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FORGED } from '../console/forged.js';
import { ADMIN, ORIGIN, openPlatform, type Platform } from '../console/platform.js';
import { openBrowser, openPortal } from './portal.js';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.close());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LOCAL = 'http://127.0.0.1:3000';

/** Opens the console with links that live in memory. A stranger gets 404 everywhere. */
function openConsole() {
  const login = createOneTimeLogin({ actor: ADMIN });
  const { actor, signIn, signOut, path } = login;
  const { operator } = platform.fixture;
  const { fetch } = createConsole({ operator, actor, signIn, signOut, path });
  const startClock = () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
  };
  return {
    path,
    fetch,
    createLink: async (origin = ORIGIN) => login.createLink(origin),
    linkMs: 10 * MINUTE_MS,
    startClock,
    pass: async (ms: number) => void vi.advanceTimersByTime(ms),
    who: ADMIN.name,
    stranger: 404,
    elsewhere: 404,
    sameSite: 'Strict',
    signedOut: 200,
  };
}

/** Opens the portal, whose links are in the database. */
function openPortalPages() {
  const { fixture, acme } = platform;
  const { portal } = openPortal(fixture);
  const createLink = async (origin = ORIGIN) => {
    const asked = { partnerId: acme.partnerId, url: `${origin}/portal` };
    return (await fixture.operator.portal.createLink(asked)).link;
  };
  return {
    path: '/portal',
    fetch: portal.fetch,
    createLink,
    linkMs: 15 * MINUTE_MS,
    startClock: () => {},
    pass: (ms: number) => fixture.pass(ms, HOUR_MS),
    who: 'Acme ATS',
    stranger: 401,
    elsewhere: 410,
    sameSite: 'Lax',
    signedOut: 303,
  };
}

const SIDES = [
  ['console', openConsole],
  ['portal', openPortalPages],
] as const;

/** The headers of a form of this link's page. */
const formOf = (link: string) => ({ 'sec-fetch-site': 'same-origin', origin: new URL(link).origin });

describe.each(SIDES)('in the %s', (kind, open) => {
  const secureName = `__Secure-partner_hiring_${kind}_session`;
  const plainName = `partner_hiring_${kind}_session`;

  /** Signs a new browser in, at this origin. */
  async function signIn(pages: ReturnType<typeof open>, origin = ORIGIN) {
    const browser = openBrowser(pages.fetch);
    const link = await pages.createLink(origin);
    expect((await browser.post(link, {}, formOf(link))).status).toBe(303);
    return { browser, home: `${origin}${pages.path}` };
  }

  it('a link shows a page with one button, however often it is fetched, and the button signs in once', async () => {
    const pages = open();
    const browser = openBrowser(pages.fetch);
    const link = await pages.createLink();
    const [address, token] = link.split('?token=');
    expect(address).toBe(`${ORIGIN}${pages.path}/sign-in`);
    expect(token).toMatch(/^[\w-]{43}$/);
    for (const purpose of [{}, { 'sec-purpose': 'prefetch' }, { purpose: 'prefetch' }]) {
      const page = await browser.get(link, purpose);
      expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
      expect(page.text).toContain('<form method="post">');
      expect(page.text.match(/<button/g)).toHaveLength(1);
      expect(page.text).toContain(pages.who);
    }
    const head = await pages.fetch(new Request(link, { method: 'HEAD' }));
    expect([head.status, head.headers.get('set-cookie')]).toEqual([200, null]);
    expect((await browser.get(pages.path)).status).toBe(pages.stranger);
    const pressed = await browser.post(link);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, pages.path]);
    const attributes = `Path=${pages.path}; Max-Age=43200; HttpOnly; SameSite=${pages.sameSite}; Secure`;
    expect(pressed.headers.get('set-cookie')).toMatch(
      new RegExp(`^${secureName}=[\\w-]{43}; ${attributes}$`),
    );
    const home = await browser.get(pages.path);
    expect([home.status, home.text.includes(pages.who)]).toEqual([200, true]);
  });

  it('a link does not work again, also not in another browser', async () => {
    const pages = open();
    const link = await pages.createLink();
    const [browser, other] = [openBrowser(pages.fetch), openBrowser(pages.fetch)];
    await browser.post(link);
    for (const again of [await browser.post(link), await other.post(link), await other.get(link)]) {
      expect([again.status, again.headers.get('set-cookie')]).toEqual([410, null]);
      expect(again.text).toContain('This link does not work');
    }
    expect((await other.get(link)).text).not.toContain(pages.who);
    expect((await other.get(pages.path)).status).toBe(pages.stranger);
  });

  it('of many browsers that press at once, one signs in', async () => {
    const pages = open();
    const link = await pages.createLink();
    const pressed = await Promise.all(Array.from({ length: 8 }, () => openBrowser(pages.fetch).post(link)));
    expect(pressed.map(({ status }) => status).toSorted()).toEqual([303, ...Array<number>(7).fill(410)]);
    expect(pressed.flatMap(({ headers }) => headers.getSetCookie())).toHaveLength(1);
  });

  it('a link ends after its time, and its session after 12 hours', async () => {
    const pages = open();
    pages.startClock();
    const late = await pages.createLink();
    const { browser } = await signIn(pages);
    await pages.pass(pages.linkMs - 1);
    expect((await browser.get(late)).status).toBe(200);
    await pages.pass(1);
    expect([(await browser.get(late)).status, (await browser.post(late)).status]).toEqual([410, 410]);
    await pages.pass(12 * HOUR_MS - pages.linkMs - MINUTE_MS);
    expect((await browser.get(pages.path)).status).toBe(200);
    await pages.pass(MINUTE_MS);
    expect((await browser.get(pages.path)).status).toBe(pages.stranger);
  });

  it.each([...FORGED, ['without an origin', { 'sec-fetch-site': 'same-origin' }] as const])(
    'a form %s leaves the link unused',
    async (_, headers) => {
      const pages = open();
      const browser = openBrowser(pages.fetch);
      const link = await pages.createLink();
      const forged = await browser.post(link, {}, headers);
      expect([forged.status, forged.headers.get('set-cookie')]).toEqual([403, null]);
      expect((await browser.post(link)).status).toBe(303);
    },
  );

  it.each([
    'http://localhost:3000',
    'http://127.0.0.1:3001',
    'http://127.0.0.1',
    'http://[::1]:3000',
    'http://evil.example:3000',
    'http://127.0.0.1.evil.example',
  ])('a link and its session do not work at %s, and a used link says nothing there', async (origin) => {
    const pages = open();
    const link = await pages.createLink(LOCAL);
    const moved = link.replace(LOCAL, origin);
    const browser = openBrowser(pages.fetch);
    const tried = async () => [
      await browser.get(moved),
      await browser.post(moved, {}, formOf(moved)),
      await browser.post(link, {}, { ...formOf(link), host: new URL(origin).host }),
    ];
    for (const { status, headers } of await tried())
      expect([status, headers.get('set-cookie')]).toEqual([pages.elsewhere, null]);
    expect((await browser.post(link, {}, formOf(link))).status).toBe(303);
    expect((await browser.get(`${LOCAL}${pages.path}`)).status).toBe(200);
    expect((await browser.get(`${origin}${pages.path}`)).status).toBe(pages.stranger);
    for (const { status, text } of await tried())
      expect([status, text.includes(pages.who)]).toEqual([pages.elsewhere, false]);
  });

  it('a link works only under the host that it was made for, also if there are links for others', async () => {
    const pages = open();
    const [first, second] = [await pages.createLink(LOCAL), await pages.createLink('http://localhost:3000')];
    const moved = first.replace('127.0.0.1', 'localhost');
    const browser = openBrowser(pages.fetch);
    expect((await browser.post(moved, {}, formOf(moved))).status).toBe(410);
    expect((await browser.post(first, {}, formOf(first))).status).toBe(303);
    expect((await browser.get(`http://localhost:3000${pages.path}`)).status).toBe(pages.stranger);
    expect((await openBrowser(pages.fetch).post(second, {}, formOf(second))).status).toBe(303);
  });

  it('a link is in no cache and in no Referer, and its page keeps the Origin of the form', async () => {
    const pages = open();
    const link = await pages.createLink();
    const browser = openBrowser(pages.fetch);
    for (const { headers } of [await browser.get(link), await browser.post(link), await browser.get(link)]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('strict-origin');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  it('a link takes no other method', async () => {
    const pages = open();
    const link = await pages.createLink();
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
      expect((await pages.fetch(new Request(link, { method }))).status, method).toBe(405);
    }
  });

  it('a session ends permanently by the button, and not by a forged form or GET', async () => {
    const pages = open();
    const { browser } = await signIn(pages);
    const { cookie } = browser;
    const out = `${pages.path}/sign-out`;
    expect((await browser.get(pages.path)).text).toContain(`action="${out}"`);
    expect((await openBrowser(pages.fetch).post(out)).status).toBe(pages.stranger);
    const forged = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await browser.post(out, {}, forged)).status).toBe(403);
    expect((await browser.get(out)).status).toBe(404);
    expect((await browser.get(pages.path)).status).toBe(200);
    const left = await browser.post(out);
    expect([left.status, browser.cookie]).toEqual([pages.signedOut, '']);
    expect(left.headers.get('set-cookie')).toContain(`${secureName}=; Path=${pages.path}; Max-Age=0; `);
    expect((await browser.get(pages.path, { cookie })).status).toBe(pages.stranger);
  });

  it('the token of a link is no session, and that of a session no link', async () => {
    const pages = open();
    const stranger = openBrowser(pages.fetch);
    const link = await pages.createLink();
    const token = new URL(link).searchParams.get('token') ?? '';
    for (const value of [token, '', 'planted']) {
      const cookie = `${secureName}=${value}`;
      expect((await stranger.get(pages.path, { cookie })).status).toBe(pages.stranger);
    }
    const { browser } = await signIn(pages);
    for (const query of ['', '?token=', `?token=${browser.cookie.split('=')[1]}`]) {
      expect((await stranger.post(`${pages.path}/sign-in${query}`)).status).toBe(410);
    }
  });

  it.each([
    ['https', ORIGIN, secureName],
    ['http', LOCAL, plainName],
  ])('over %s a browser is signed out while it sends two cookies of the name', async (_, origin, name) => {
    const pages = open();
    const { browser, home } = await signIn(pages, origin);
    const { cookie } = browser;
    const other = (await signIn(pages, origin)).browser.cookie;
    expect(cookie).toMatch(new RegExp(`^${name}=`));
    for (const second of [other, cookie, `${name}=planted`, `${name}=`, name]) {
      for (const both of [`${cookie}; ${second}`, `${second}; ${cookie}`, `${cookie};${second};a=b`]) {
        expect([both, (await browser.get(home, { cookie: both })).status]).toEqual([both, pages.stranger]);
      }
      const headers = { cookie: `${second}; ${cookie}`, 'sec-fetch-site': 'same-origin' };
      const signOut = await browser.post(`${home}/sign-out`, {}, headers);
      expect(signOut.headers.get('set-cookie')).toBeNull();
    }
    expect((await browser.get(home, { cookie })).status).toBe(200);
  });

  it('over https a browser keeps its session beside a cookie of http, which gives none', async () => {
    const pages = open();
    const { cookie } = (await signIn(pages)).browser;
    const stolen = (await signIn(pages, LOCAL)).browser.cookie;
    const stranger = openBrowser(pages.fetch);
    for (const planted of [stolen, `${plainName}=planted`, cookie.replace('__Secure-', '')]) {
      for (const both of [`${cookie}; ${planted}`, `${planted}; ${cookie}`]) {
        const page = await stranger.get(pages.path, { cookie: both });
        expect([page.status, page.text.includes(pages.who)]).toEqual([200, true]);
      }
      expect((await stranger.get(pages.path, { cookie: planted })).status).toBe(pages.stranger);
    }
  });
});
