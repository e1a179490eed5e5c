/** The attacks on the console, on the portal: forged forms, headers, scripts in fields, and cookies. */
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { FORGED } from '../console/forged.js';
import { MOUNTS } from '../console/mounts.js';
import { openPlatform } from '../console/platform.js';
import { actorOf, openPortal, PORTAL_ORIGIN, PORTAL_URL } from './portal.js';

const platform = await openPlatform({ portalUrl: PORTAL_URL });
afterAll(() => platform.close());

const visitAcme = () => openPortal(platform.fixture, actorOf(platform.acme.partnerId));
const rotation = () => `/portal/keys/${platform.acme.keyId}/rotate`;

async function secretsOf() {
  const found = await platform.fixture.operator.keys.find({ id: platform.acme.keyId });
  return found?.secrets.map(({ lastFour }) => lastFour) ?? [];
}

const rotationForm = async () => ({
  confirmed: 'yes',
  overlap: '24',
  ifCurrent: (await secretsOf())[0] ?? '',
});

describe('a form', () => {
  it.each(FORGED)('%s is refused', async (_, headers) => {
    const before = await secretsOf();
    const { status, text } = await visitAcme().post(rotation(), await rotationForm(), headers);
    expect(status).toBe(403);
    expect(text).toContain('This form did not come from the portal');
    expect(await secretsOf()).toEqual(before);
  });

  it('of the portal asks first, shows a secret once, and changes nothing if it is submitted again', async () => {
    const visitor = visitAcme();
    const form = await rotationForm();
    const asked = await visitor.post(rotation(), { ...form, confirmed: '' });
    expect([asked.status, asked.text.includes('Rotate the production API key?')]).toEqual([200, true]);
    expect(asked.text).not.toContain('name="reason"');
    const done = await visitor.post(rotation(), form);
    expect(done.text).toMatch(/pek_live_[\w-]{49}/);
    const [newest] = await secretsOf();
    const again = await visitor.post(rotation(), form);
    expect([again.status, (await secretsOf())[0]]).toEqual([409, newest]);
    expect(again.text).not.toContain('pek_live_');
    const { items } = await platform.fixture.operator.audit.list({ act: 'keys.rotate' });
    expect(items[0]?.actor).toEqual({
      id: `partner:${platform.acme.partnerId}`,
      name: 'Dana of the partner',
      reason: null,
      door: 'portal',
    });
  });

  it('by GET does nothing, and other methods are refused', async () => {
    const visitor = visitAcme();
    const before = await secretsOf();
    expect((await visitor.get(`${rotation()}?confirmed=yes`)).status).toBe(404);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const request = new Request(`${PORTAL_ORIGIN}${rotation()}`, { method });
      expect((await visitor.portal.fetch(request)).status, method).toBe(405);
    }
    expect(await secretsOf()).toEqual(before);
  });

  it('without the right is refused, and its button is missing', async () => {
    const visitor = openPortal(platform.fixture, actorOf(platform.acme.partnerId, ['keys']));
    const before = await secretsOf();
    expect((await visitor.get(`/portal/keys/${platform.acme.keyId}`)).text).not.toContain('/rotate');
    expect((await visitor.post(rotation(), await rotationForm())).status).toBe(403);
    expect(await secretsOf()).toEqual(before);
    visitor.become(actorOf(platform.acme.partnerId, ['requests']));
    expect((await visitor.post(rotation(), await rotationForm())).status).toBe(404);
  });

  it('for a key of another partner finds nothing', async () => {
    const visitor = visitAcme();
    for (const { keyId } of [platform.globex, platform.hooli]) {
      const before = await platform.fixture.operator.keys.find({ id: keyId });
      expect((await visitor.get(`/portal/keys/${keyId}`)).status).toBe(404);
      const sent = await visitor.post(`/portal/keys/${keyId}/rotate`, await rotationForm());
      expect(sent.status).toBe(404);
      expect((await platform.fixture.operator.keys.find({ id: keyId }))?.secrets).toEqual(before?.secrets);
    }
  });
});

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

it.each([
  ['a page', '/portal', 200],
  ['a page that does not exist', '/portal/nothing', 404],
  ['the page of a stranger', '/portal/keys', 401],
  ['a link that does not work', '/portal/sign-in?token=none', 410],
])('%s has a strict policy, is kept in no cache and cannot be framed', async (_, path, status) => {
  const visitor = visitAcme();
  if (status === 401) visitor.become(null);
  const { headers, status: answered, text } = await visitor.get(path);
  expect(answered).toBe(status);
  expect(headers.get('content-security-policy')).toBe(CSP);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)/);
});

it('a name with a script stays text, in pages, titles and links', async () => {
  const { operator } = platform.fixture;
  const name = '"><script>alert(1)</script>';
  const { id: partnerId } = await operator.partners.create({ name });
  const visitor = openPortal(platform.fixture, actorOf(partnerId, undefined, name), { brand: { name } });
  const { link } = await operator.portal.createLink({ partnerId });
  for (const path of ['/portal', '/portal/keys', link, '/portal/"><script>alert(1)</script>']) {
    const { text } = await visitor.get(path);
    expect(text, path).not.toContain('<script>alert');
  }
});

it('a notice in a cookie shows only sentences of the pages', async () => {
  const visitor = visitAcme();
  const set = (value: string) => visitor.get('/portal', { cookie: `partner_hiring_console_notice=${value}` });
  expect((await set('<b>Call+0900</b>')).text).not.toContain('0900');
  expect((await set('events-sent.12')).text).toContain('The worker sends 12 events now.');
});

it('a hook that fails or returns something else lets nobody in', async () => {
  const { partnerId } = platform.acme;
  const right = { partnerId, name: 'Dana', rights: [] };
  for (const wrong of [
    undefined,
    'ptn_1',
    { ...right, admin: true },
    { ...right, partnerId: 'all' },
    { ...right, rights: ['keys:read'] },
    { ...right, rights: 'keys' },
    { ...right, name: '' },
  ]) {
    const visitor = openPortal(platform.fixture, null, { actor: () => wrong as never });
    expect((await visitor.get('/portal')).status, JSON.stringify(wrong)).toBe(503);
    expect(visitor.logged).toHaveLength(1);
  }
  const unknown = openPortal(platform.fixture, actorOf('ptn_none'));
  expect((await unknown.get('/portal')).status).toBe(401);
  const broken = openPortal(platform.fixture, null, { actor: () => Promise.reject(new Error('down')) });
  expect((await broken.get('/portal')).status).toBe(503);
});

it('a host’s colour is a style sheet of its own, and the pages say the host’s name', async () => {
  const brand = { name: 'Elevate <Jobs>', accent: '#ffd400' };
  const visitor = openPortal(platform.fixture, actorOf(platform.acme.partnerId), { brand });
  const { text } = await visitor.get('/portal');
  expect(text).toContain('Elevate &lt;Jobs&gt;');
  const [, style = ''] = /href="(\/portal\/assets\/brand-[^"]+)"/.exec(text) ?? [];
  const sheet = await visitor.get(style);
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(sheet.text).toContain('--action: #ffd400; --link: #');
  // Black can be read on yellow, and yellow cannot be read on white.
  expect(sheet.text).toContain('--pico-primary-inverse: #000000');
  expect(sheet.text.split('\n')[0]).not.toContain('--link: #ffd400');
});

const ALL = Object.entries(MOUNTS);
const mounts =
  process.env.FULL === '1' ? ALL : ALL.filter(([name]) => /^(Fastify|Node’s own server)$/.test(name));

describe.each(mounts)('%s', (_, mount) => {
  it('serves the portal: a link signs in once, and the host keeps its own routes', async () => {
    const { portal } = openPortal(platform.fixture);
    const { port, close } = await mount(portal, '/portal');
    onTestFinished(close);
    const origin = `http://127.0.0.1:${port}`;
    const { link } = await platform.fixture.operator.portal.createLink({
      partnerId: platform.acme.partnerId,
      url: `${origin}/portal`,
    });
    expect((await fetch(link)).status).toBe(200);
    const press = (headers: Record<string, string>) =>
      fetch(link, { method: 'POST', headers, redirect: 'manual', body: new URLSearchParams({}) });
    expect((await press({ origin: 'https://evil.example' })).status).toBe(403);
    const pressed = await press({ origin });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/portal']);
    const [cookie = ''] = pressed.headers.getSetCookie();
    expect(cookie).toMatch(
      /^partner_hiring_portal_session=[\w-]{43}; Path=\/portal; .*HttpOnly; SameSite=Lax$/,
    );
    const [pair = ''] = cookie.split(';');
    const home = await fetch(`${origin}/portal`, { headers: { cookie: pair } });
    expect([home.status, (await home.text()).includes('Acme ATS')]).toEqual([200, true]);
    expect((await press({ origin })).status).toBe(410);
    expect((await fetch(`${origin}/portal`)).status).toBe(401);
    expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
  });
});
