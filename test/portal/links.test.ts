/** Links sign in once, only from their own page, and end with the partner. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { PORTAL_PRESET, PORTAL_RIGHTS } from '@partner-hiring/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, openPlatform, type Platform, visit } from '../console/platform.js';
import { openPortal, PORTAL_ORIGIN, PORTAL_URL } from './portal.js';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform({ portalUrl: PORTAL_URL });
});
afterAll(() => platform.close());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const linkOf = async (partnerId = platform.acme.partnerId) =>
  (await platform.fixture.operator.portal.createLink({ partnerId })).link;

/** Signs a new browser in. */
async function signedIn(partnerId = platform.acme.partnerId) {
  const visitor = openPortal(platform.fixture);
  const pressed = await visitor.post(await linkOf(partnerId));
  expect(pressed.status).toBe(303);
  return visitor;
}

describe('a link', () => {
  it('shows a page with one button, however often it is fetched, and the button signs in once', async () => {
    const visitor = openPortal(platform.fixture);
    const link = await linkOf();
    expect(link).toMatch(/^https:\/\/admin\.example\.com\/portal\/sign-in\?token=[\w-]{43}$/);
    for (const purpose of [{}, { 'sec-purpose': 'prefetch' }, { purpose: 'prefetch' }]) {
      const page = await visitor.get(link, purpose);
      expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
      expect(page.text.match(/<button/g)).toHaveLength(1);
      expect(page.text).toContain('Acme ATS');
    }
    expect(
      (await visitor.portal.fetch(new Request(link, { method: 'HEAD' }))).headers.get('set-cookie'),
    ).toBeNull();
    const pressed = await visitor.post(link);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/portal']);
    expect(pressed.headers.get('set-cookie')).toMatch(
      /^__Secure-partner_hiring_portal_session=[\w-]{43}; Path=\/portal; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
    );
    const home = await visitor.get('/portal');
    expect([home.status, home.text.includes('Acme ATS')]).toEqual([200, true]);
  });

  it('does not work again, also not in another browser', async () => {
    const link = await linkOf();
    await openPortal(platform.fixture).post(link);
    const other = openPortal(platform.fixture);
    for (const again of [await other.post(link), await other.get(link)]) {
      expect([again.status, again.headers.get('set-cookie')]).toEqual([410, null]);
      expect(again.text).not.toContain('Acme');
    }
    expect((await other.get('/portal')).status).toBe(401);
  });

  it('signs in one of many browsers that press at once', async () => {
    const link = await linkOf();
    const pressed = await Promise.all(
      Array.from({ length: 8 }, () => openPortal(platform.fixture).post(link)),
    );
    expect(pressed.map(({ status }) => status).toSorted()).toEqual([303, 410, 410, 410, 410, 410, 410, 410]);
  });

  it('ends after its time, at most 15 minutes, and its session after 12 hours', async () => {
    const { fixture, acme } = platform;
    const { link } = await fixture.operator.portal.createLink({
      partnerId: acme.partnerId,
      expiresInMs: 5 * MINUTE_MS,
    });
    const [late, whole] = [link, await linkOf()];
    const visitor = await signedIn();
    await fixture.pass(5 * MINUTE_MS);
    expect((await openPortal(fixture).post(late)).status).toBe(410);
    expect((await openPortal(fixture).get(whole)).status).toBe(200);
    await fixture.pass(10 * MINUTE_MS);
    expect((await openPortal(fixture).post(whole)).status).toBe(410);
    await fixture.pass(12 * HOUR_MS - 16 * MINUTE_MS, HOUR_MS);
    expect((await visitor.get('/portal')).status).toBe(200);
    await fixture.pass(MINUTE_MS);
    expect((await visitor.get('/portal')).status).toBe(401);
    const { portal } = fixture.operator;
    for (const expiresInMs of [15 * MINUTE_MS + 1, 999, 0, -1, 1.5]) {
      const link = portal.createLink({ partnerId: acme.partnerId, expiresInMs });
      await expect(link).rejects.toThrow('from one second to 15 minutes');
    }
  });

  it('is swept with its session after it has expired', async () => {
    const { fixture } = platform;
    await linkOf();
    await signedIn();
    await fixture.pass(13 * HOUR_MS, HOUR_MS);
    expect(await fixture.operator.portal.revoke({ partnerId: platform.acme.partnerId })).toEqual({
      links: 0,
      sessions: 0,
      changed: false,
    });
  });

  it.each([
    ['without an origin', { 'sec-fetch-site': 'same-origin' }],
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from another site that names our origin', { 'sec-fetch-site': 'cross-site', origin: PORTAL_ORIGIN }],
    ['from another host of the site', { 'sec-fetch-site': 'same-site', origin: 'https://a.example.com' }],
    ['of an older browser from another site', { origin: 'https://evil.example' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['from our host over http', { origin: PORTAL_ORIGIN.replace('https', 'http') }],
    ['from another port', { origin: `${PORTAL_ORIGIN}:8443` }],
  ])('stays unused by a form %s', async (_, headers) => {
    const visitor = openPortal(platform.fixture);
    const link = await linkOf();
    const forged = await visitor.post(link, {}, headers);
    expect([forged.status, forged.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await visitor.post(link)).status).toBe(303);
  });

  it('works only under its own host, and so does its session', async () => {
    const link = await linkOf();
    const visitor = openPortal(platform.fixture);
    const foreign = link.replace('admin.example.com', 'rebound.example');
    const headers = { origin: 'https://rebound.example', 'sec-fetch-site': 'same-origin' };
    expect((await visitor.get(foreign)).status).toBe(410);
    expect((await visitor.post(foreign, {}, headers)).status).toBe(410);
    expect((await visitor.post(link, {}, { origin: PORTAL_ORIGIN, host: 'rebound.example' })).status).toBe(
      410,
    );
    expect((await visitor.post(link)).status).toBe(303);
    expect((await visitor.get('https://rebound.example/portal')).status).toBe(401);
    expect((await visitor.get('/portal')).status).toBe(200);
  });

  it('is in no cache and in no Referer, and its page keeps the Origin of the form', async () => {
    const { headers } = await openPortal(platform.fixture).get(await linkOf());
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('strict-origin');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('takes no other method', async () => {
    const link = await linkOf();
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
      const { portal } = openPortal(platform.fixture);
      expect((await portal.fetch(new Request(link, { method }))).status, method).toBe(405);
    }
  });

  it('has the rights that it was given, and by default those that show no secret', async () => {
    const { operator } = platform.fixture;
    const { partnerId } = platform.acme;
    const rightsOf = async (link: string) => {
      const token = new URL(link).searchParams.get('token') ?? '';
      return (await operator.portal.find({ token, host: 'admin.example.com', kind: 'link' }))?.rights;
    };
    expect(await rightsOf(await linkOf())).toEqual(PORTAL_PRESET);
    const few = await operator.portal.createLink({ partnerId, rights: ['requests'] });
    expect(await rightsOf(few.link)).toEqual(['requests']);
    expect(PORTAL_RIGHTS.filter((right) => !PORTAL_PRESET.includes(right))).toEqual([
      'url',
      'rotateSecret',
      'rotateKey',
    ]);
    const wrong = operator.portal.createLink({ partnerId, rights: ['keys:read'] as never });
    await expect(wrong).rejects.toThrow('rights');
  });
});

describe('a session', () => {
  it('ends by the button, and its cookie works in no browser', async () => {
    const visitor = await signedIn();
    const { cookie } = visitor;
    expect((await visitor.get('/portal')).text).toContain('Sign out');
    const out = await visitor.post('/portal/sign-out');
    expect([out.status, out.headers.get('location')]).toEqual([303, '/portal']);
    expect(visitor.cookie).toBe('');
    expect((await visitor.get('/portal', { cookie })).status).toBe(401);
  });

  it('does not end by a forged form', async () => {
    const visitor = await signedIn();
    const forged = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await visitor.post('/portal/sign-out', {}, forged)).status).toBe(403);
    expect((await visitor.get('/portal')).status).toBe(200);
  });

  it('is not started by the token of a link, nor a link by the token of a session', async () => {
    const token = new URL(await linkOf()).searchParams.get('token') ?? '';
    const stranger = openPortal(platform.fixture);
    const cookie = `__Secure-partner_hiring_portal_session=${token}`;
    expect((await stranger.get('/portal', { cookie })).status).toBe(401);
    const visitor = await signedIn();
    const session = visitor.cookie.split('=')[1];
    expect((await stranger.post(`/portal/sign-in?token=${session}`)).status).toBe(410);
    // A program on the way can set a cookie without the prefix.
    const plain = { cookie: `partner_hiring_portal_session=${session}` };
    expect((await stranger.get('/portal', plain)).status).toBe(401);
  });

  it.each([
    ['the partner is disabled', 'disable'],
    ['the partner is removed', 'remove'],
    ['a key loses its last secret', 'key'],
    ['the operator revokes it', 'revoke'],
  ] as const)('ends with its links when %s', async (_, how) => {
    const { operator } = platform.fixture;
    const { id: partnerId } = await operator.partners.create({ name: `Leaving by ${how}` });
    const { key } = await operator.keys.issue({ partnerId, environment: 'production' });
    const visitor = await signedIn(partnerId);
    const link = await linkOf(partnerId);
    expect((await visitor.get('/portal')).status).toBe(200);
    const { secret } = await operator.keys.rotate({ id: key.id });
    const last = secret.slice(-4);
    const ends = {
      disable: () => operator.partners.update({ id: partnerId, disabled: true }),
      remove: () => operator.partners.remove({ id: partnerId }),
      key: async () => {
        await operator.keys.revoke({ id: key.id, secretLastFour: last });
        expect((await visitor.get('/portal')).status, 'with one secret left').toBe(200);
        await operator.keys.revoke({ id: key.id, all: true });
      },
      revoke: async () => {
        const ended = await operator.portal.revoke({ partnerId });
        expect(ended).toEqual({ links: 1, sessions: 1, changed: true });
      },
    };
    await ends[how]();
    if (how === 'disable') await operator.partners.update({ id: partnerId, disabled: false });
    expect((await visitor.get('/portal')).status).toBe(401);
    expect((await openPortal(platform.fixture).post(link)).status).toBe(410);
  });

  it('cannot start for a partner that is disabled or removed', async () => {
    const { operator } = platform.fixture;
    const { id: partnerId } = await operator.partners.create({ name: 'Away' });
    await operator.partners.update({ id: partnerId, disabled: true });
    await expect(operator.portal.createLink({ partnerId })).rejects.toMatchObject({
      code: 'PARTNER_DISABLED',
    });
    await operator.partners.remove({ id: partnerId });
    await expect(operator.portal.createLink({ partnerId })).rejects.toMatchObject({
      code: 'PARTNER_REMOVED',
    });
    const unknown = operator.portal.createLink({ partnerId: 'ptn_none' });
    await expect(unknown).rejects.toMatchObject({ code: 'PARTNER_NOT_FOUND' });
  });
});

it('the audit has who made a link, each use with the partner as actor, and no token', async () => {
  const { operator } = platform.fixture;
  const { id: partnerId } = await operator.partners.create({ name: 'Audited ATS' });
  const ada = operator.as({ id: 'user_7', name: 'Ada' });
  const { link } = await ada.portal.createLink({ partnerId });
  const visitor = openPortal(platform.fixture);
  await visitor.post(link);
  const session = visitor.cookie.split('=')[1] ?? '';
  await visitor.post('/portal/sign-out');
  const { items } = await operator.audit.list({ object: { kind: 'partner', id: partnerId } });
  expect(items.map(({ act, actor }) => [act, actor.id, actor.name])).toEqual([
    ['portal.signOut', `partner:${partnerId}`, 'Audited ATS'],
    ['portal.signIn', `partner:${partnerId}`, 'Audited ATS'],
    ['portal.createLink', 'user_7', 'Ada'],
    ['partners.create', 'host', null],
  ]);
  const text = JSON.stringify(items);
  for (const token of [link.split('token=')[1] ?? '', session]) {
    expect(token).toHaveLength(43);
    expect(text).not.toContain(token);
  }
});

it('the console makes a link on the page of a partner, for actors with the right and their partners only', async () => {
  const { fixture, acme, globex } = platform;
  const staff = visit(fixture);
  const path = `/console/partners/${acme.partnerId}`;
  expect((await staff.get(path)).text).toContain('/portal-link"');
  const { status, text } = await staff.post(`${path}/portal-link`);
  const [link = ''] = /https:\/\/admin\.example\.com\/portal\/sign-in\?token=[\w-]{43}/.exec(text) ?? [];
  expect([status, (await openPortal(fixture).get(link)).status]).toEqual([200, 200]);
  staff.become({ ...ADMIN, partnerIds: [globex.partnerId] });
  expect((await staff.post(`${path}/portal-link`)).status).toBe(404);
  staff.become({ ...ADMIN, rights: CONSOLE_RIGHTS.support });
  expect((await staff.get(path)).text).not.toContain('/portal-link"');
  expect((await staff.post(`${path}/portal-link`)).status).toBe(403);
});
