/** The portal in a frame of another site: its cookies, and what that site can try with them. */
import { afterAll, describe, expect, it } from 'vitest';
import { FORGED } from '../console/forged.js';
import { openPlatform, type SentHeaders } from '../console/platform.js';
import { actorOf, openPortal, PORTAL_ORIGIN, PORTAL_URL } from './portal.js';
import { ACT_ROUTES, examplePagesOf, findObjectsOf, pathsOf } from './portal-pages.js';

const platform = await openPlatform({ portalUrl: PORTAL_URL });
afterAll(() => platform.close());

const FRAMING = 'https://ats.example.net';
const FRAMED = { frameAncestors: [FRAMING], origin: PORTAL_ORIGIN };
const EMBEDDED = 'HttpOnly; SameSite=None; Secure; Partitioned';

/** What a browser sends with a form or a request of the framing site, and what an older one does. */
const OF_FRAMING_SITE: readonly (readonly [string, SentHeaders])[] = [
  [
    'a form of the framing site',
    { origin: FRAMING, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' },
  ],
  ['a form of the framing site in an older browser', { origin: FRAMING }],
  ['a form of the framing site without an Origin', { 'sec-fetch-site': 'cross-site' }],
  [
    'a form whose headers name the framing site and a page of ours',
    { origin: FRAMING, 'sec-fetch-site': 'same-origin' },
  ],
  ['a form of a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a form of a sandboxed frame that has our origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ['a form without an Origin', { 'sec-fetch-site': 'same-origin' }],
  [
    'a form with our address as a referrer only',
    { referer: `${PORTAL_URL}/keys`, 'sec-fetch-site': 'same-origin' },
  ],
];

const newLink = async () =>
  (await platform.fixture.operator.portal.createLink({ partnerId: platform.acme.partnerId })).link;

/** Signs a new browser in, and returns its cookie's header too. */
async function signIn(options: Parameters<typeof openPortal>[2]) {
  const visitor = openPortal(platform.fixture, null, options);
  const pressed = await visitor.post(await newLink());
  expect(pressed.status).toBe(303);
  return { visitor, session: pressed.headers.getSetCookie()[0] ?? '' };
}

const countActs = async () => (await platform.fixture.operator.audit.list({ limit: 1_000 })).items.length;

describe('a portal that another site may show in a frame', () => {
  it('has cookies that frames send, and only below the site that shows them', async () => {
    const { visitor, session } = await signIn(FRAMED);
    expect(session).toMatch(
      new RegExp(
        `^__Secure-partner_hiring_portal_session=[\\w-]{43}; Path=/portal; Max-Age=43200; ${EMBEDDED}$`,
      ),
    );
    const tried = await visitor.post(`/portal/endpoints/${platform.acme.keyId}/resume`, { confirmed: 'yes' });
    expect([tried.status, tried.headers.getSetCookie()]).toEqual([
      303,
      [expect.stringMatching(new RegExp(`_notice=[\\w-]+; Path=/portal; Max-Age=60; ${EMBEDDED}$`))],
    ]);
    const notice = tried.headers.getSetCookie()[0]?.split(';')[0];
    const cookie = `${visitor.cookie}; ${notice}`;
    expect((await visitor.get('/portal', { cookie })).headers.getSetCookie()).toEqual([
      `partner_hiring_console_notice=; Path=/portal; Max-Age=0; ${EMBEDDED}`,
    ]);
    const out = await visitor.post('/portal/sign-out');
    expect(out.headers.getSetCookie()).toEqual([
      `__Secure-partner_hiring_portal_session=; Path=/portal; Max-Age=0; ${EMBEDDED}`,
    ]);
  });

  it('names the sites that may show it, and lets no site read it', async () => {
    const { visitor } = await signIn(FRAMED);
    const { headers } = await visitor.get('/portal', { origin: FRAMING });
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors ${FRAMING}`);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('refuses each act of a form that the framing site or another one sent with the session', async () => {
    const { visitor } = await signIn(FRAMED);
    const own = await findObjectsOf(platform, platform.acme.partnerId);
    const known = await countActs();
    for (const path of ACT_ROUTES.flatMap((route) => pathsOf(route, own).slice(0, 1))) {
      for (const [name, headers] of [...OF_FRAMING_SITE, ...FORGED]) {
        const { status } = await visitor.post(`/portal${path}`, { confirmed: 'yes' }, headers);
        expect(status, `${path} ${name}`).toBe(403);
      }
    }
    expect(await countActs()).toBe(known);
  });

  it('is not signed in to or out of by a form of the framing site', async () => {
    const { visitor } = await signIn(FRAMED);
    const link = await newLink();
    for (const [name, headers] of [...OF_FRAMING_SITE, ...FORGED]) {
      const stranger = openPortal(platform.fixture, null, FRAMED);
      const pressed = await stranger.post(link, {}, headers);
      expect([name, pressed.status, pressed.headers.getSetCookie()]).toEqual([name, 403, []]);
      const out = await visitor.post('/portal/sign-out', {}, headers);
      expect([name, out.status, out.headers.getSetCookie()]).toEqual([name, 403, []]);
    }
    expect((await visitor.get('/portal')).status).toBe(200);
    expect((await openPortal(platform.fixture, null, FRAMED).post(link)).status).toBe(303);
  });

  it('changes nothing by pages that the framing site loads', async () => {
    const { visitor } = await signIn(FRAMED);
    const own = await findObjectsOf(platform, platform.acme.partnerId);
    const known = await countActs();
    const headers = { origin: FRAMING, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' };
    for (const path of examplePagesOf(own)) await visitor.get(`/portal${path}`, headers);
    for (const route of ACT_ROUTES.filter((one) => one.includes(':'))) {
      const [path = ''] = pathsOf(route, own);
      expect((await visitor.get(`/portal${path}?confirmed=yes`, headers)).status, path).toBe(404);
    }
    expect(await countActs()).toBe(known);
  });

  it('takes its own forms, with and without `Sec-Fetch-Site`, also without the option `origin`', async () => {
    const resume = `/portal/endpoints/${platform.acme.keyId}/resume`;
    for (const options of [FRAMED, { frameAncestors: [FRAMING] }]) {
      for (const headers of [
        { origin: PORTAL_ORIGIN, 'sec-fetch-site': 'same-origin' },
        { origin: PORTAL_ORIGIN },
      ]) {
        const { visitor } = await signIn(options);
        const { status } = await visitor.post(resume, { confirmed: 'yes' }, headers);
        expect(status).toBe(303);
      }
    }
  });

  it('asks the same of people whom the host has signed in', async () => {
    const visitor = openPortal(platform.fixture, actorOf(platform.acme.partnerId), FRAMED);
    for (const [name, headers] of OF_FRAMING_SITE) {
      expect([name, (await visitor.post('/portal/applications', { q: 'x' }, headers)).status]).toEqual([
        name,
        403,
      ]);
    }
  });
});

it.each([
  ['without frameAncestors', {}],
  ['that only its own origin may show', { origin: PORTAL_ORIGIN, frameAncestors: [PORTAL_ORIGIN] }],
])('a portal %s keeps its cookies from other sites', async (_, options) => {
  const { visitor, session } = await signIn(options);
  expect(session).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
  const tried = await visitor.post(`/portal/endpoints/${platform.acme.keyId}/resume`, { confirmed: 'yes' });
  expect(tried.headers.getSetCookie()).toEqual([
    expect.stringMatching(/; HttpOnly; SameSite=Strict; Secure$/),
  ]);
  const own = { 'sec-fetch-site': 'same-origin' };
  expect((await visitor.post('/portal/sign-out', {}, own)).status).toBe(303);
});
