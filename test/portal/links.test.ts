/** What links of the portal have: a time, rights, an end with the partner, and entries in the audit. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { PORTAL_PRESET, PORTAL_RIGHTS } from '@partner-hiring/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, openPlatform, type Platform, visit } from '../console/platform.js';
import { openPortal, PORTAL_URL } from './portal.js';

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
  it('ends after the time that it was made for, at most 15 minutes', async () => {
    const { fixture, acme } = platform;
    const { portal } = fixture.operator;
    const linkFor = (expiresInMs: number) => portal.createLink({ partnerId: acme.partnerId, expiresInMs });
    const [{ link: late }, whole] = [await linkFor(5 * MINUTE_MS), await linkOf()];
    await fixture.pass(5 * MINUTE_MS);
    expect((await openPortal(fixture).post(late)).status).toBe(410);
    expect((await openPortal(fixture).get(whole)).status).toBe(200);
    for (const expiresInMs of [15 * MINUTE_MS + 1, 999, 0, -1, 1.5]) {
      await expect(linkFor(expiresInMs)).rejects.toThrow('from one second to 15 minutes');
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

  it('ends alone by its token, and staff need the right for all partners for that', async () => {
    const { fixture, acme } = platform;
    const { operator } = fixture;
    const [one, other] = [await signedIn(), await signedIn()];
    const session = { token: one.cookie.split('=')[1] ?? '', host: 'admin.example.com' };
    for (const [partnerIds, rights, code] of [
      [[acme.partnerId], ['portal:revoke'], 'NEEDS_ALL_PARTNERS'],
      ['all', ['portal:link'], 'RIGHT_MISSING'],
    ] as const) {
      const staff = operator.limitedTo({ partnerIds, rights });
      await expect(staff.portal.revoke(session)).rejects.toMatchObject({ code });
    }
    const link = new URL(await linkOf()).searchParams.get('token') ?? '';
    for (const others of [{ host: 'rebound.example' }, { token: link }, { token: 'none' }]) {
      const ended = await operator.portal.revoke({ ...session, ...others });
      expect(ended).toEqual({ links: 0, sessions: 0, changed: false });
    }
    expect((await one.get('/portal')).status).toBe(200);
    const ended = await operator.portal.revoke(session);
    expect(ended).toEqual({ links: 0, sessions: 1, changed: true });
    expect([(await one.get('/portal')).status, (await other.get('/portal')).status]).toEqual([401, 200]);
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
    ['portal.revoke', `partner:${partnerId}`, 'Audited ATS'],
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
