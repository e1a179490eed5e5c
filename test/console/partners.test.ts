/** Partners, keys and access in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { send } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, PERSONAL, visit } from './platform.js';
import { noticeOf } from './seed.js';

const platform = perTest(openPlatform, ({ close }) => close());

const API_KEY = /pek_(?:live|test)_[\w-]{49}/;

it('lists partners, and shows one with its keys and when they were used', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const list = await visitor.get('/console/partners');
  for (const name of ['Acme ATS', 'Globex', 'Hooli']) expect(list.text).toContain(name);
  const { text } = await visitor.get(`/console/partners/${acme.partnerId}`);
  expect(text).toContain(`/console/keys/${acme.keyId}"`);
  expect(text).toMatch(/pek_live_…[\w-]{4}/);
  expect((await visitor.get('/console/partners/ptn_none')).status).toBe(404);
});

it('adds a partner and issues it a key, which is shown once and works', async () => {
  const { fixture } = platform;
  const visitor = visit(fixture);
  const added = await visitor.post('/console/partners', { name: 'Initrode' });
  const page = added.headers.get('location') ?? '';
  expect(page).toMatch(/^\/console\/partners\/ptn_/);
  const issued = await visitor.post(`${page}/issue`, {
    environment: 'production',
    endpointUrl: 'https://initrode.example/hooks',
  });
  expect(issued.status).toBe(200);
  expect(issued.headers.get('cache-control')).toBe('no-store');
  expect([issued.headers.get('location'), issued.headers.get('set-cookie')]).toEqual([null, null]);
  const [apiKey = ''] = API_KEY.exec(issued.text) ?? [];
  expect(issued.text).toContain('whsec_');
  expect(
    (await send(fixture, 'GET', '/jobs', { headers: { authorization: `Bearer ${apiKey}` } })).status,
  ).toBe(200);
  expect((await visitor.get(page)).text).not.toContain(apiKey);
  expect(noticeOf(await visitor.post('/console/partners', { name: ' ' }))).toBe(
    'Enter the name of the partner.',
  );
});

it('shows a key with its secrets, access, reads and timeline, without personal data', async () => {
  const { fixture, acme } = platform;
  const { text } = await visit(fixture).get(`/console/keys/${acme.keyId}`);
  expect(text).toContain('Initech');
  expect(text).toContain(`/console/deliveries/${acme.keyId}/evt_`);
  expect(text).toContain('host called keys.issue');
  expect(text).toContain(`/console/companies/${acme.companyId}"`);
  for (const personal of PERSONAL) expect(text).not.toContain(personal);
});

it('rotates a leaked key with a chosen overlap, and revokes the old secret after asking', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const at = (act: string) => `/console/keys/${acme.keyId}/${act}`;
  const find = async () => (await fixture.operator.keys.find({ keyId: acme.keyId }))?.secrets ?? [];
  const [leaked] = await find();
  const asked = await visitor.post(at('rotate'));
  expect(asked.text).toContain('How long the old secrets continue to work');
  expect(asked.text).toContain(`name="ifCurrent" value="${leaked?.lastFour}"`);
  expect(await find()).toHaveLength(1);
  const rotated = await visitor.post(at('rotate'), {
    confirmed: 'yes',
    ifCurrent: leaked?.lastFour ?? '',
    overlap: '1',
    reason: 'leaked in a chat',
  });
  expect(rotated.text).toMatch(API_KEY);
  expect((await find()).map(({ state }) => state)).toEqual(['current', 'replaced']);
  expect((await find())[1]?.expiresAt).toBe(fixture.clock.now() + 3_600_000);

  const fields = { secret: leaked?.lastFour ?? '' };
  expect((await visitor.post(at('revoke'), fields)).text).toContain(
    'The other secrets of this key continue to work',
  );
  await visitor.post(at('revoke'), { ...fields, confirmed: 'yes' });
  expect((await find()).map(({ state }) => state)).toEqual(['current', 'revoked']);
  expect((await visitor.post(at('revoke'), { secret: 'all' })).text).toContain('the partner gets 401');
  expect(noticeOf(await visitor.post(at('revoke'), { ...fields, confirmed: 'yes' }))).toContain(
    'does not work anymore',
  );
  const { items: entries } = await fixture.operator.audit.list({ act: 'keys.rotate' });
  expect(entries[0]?.actor.reason).toBe('leaked in a chat');
});

it('grants, bootstraps and revokes access after asking', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const visitor = visit(fixture);
  const at = (act: string) => `/console/keys/${acme.keyId}/${act}`;
  const { id: company } = await operator.companies.create({ name: 'Umbrella', environment: 'production' });
  const find = async () =>
    (await operator.access.list({ keyId: acme.keyId })).items.find(({ companyId }) => companyId === company);
  expect((await visitor.post(at('grant'), { company })).text).toContain('Umbrella (production)');
  expect(await find()).toBeUndefined();
  await visitor.post(at('grant'), { company, confirmed: 'yes' });
  expect(await find()).toMatchObject({ revokedAt: null });
  expect((await visitor.post(at('bootstrap'), { company })).text).toContain('five times as many');
  await visitor.post(at('bootstrap'), { company, confirmed: 'yes' });
  expect((await find())?.bootstrapUntil).toBe(fixture.clock.now() + 86_400_000);
  expect((await visitor.post(at('revoke-access'), { company })).text).toContain(
    'Revoke access to this company?',
  );
  await visitor.post(at('revoke-access'), { company, confirmed: 'yes' });
  expect(await find()).toMatchObject({ revokedAt: expect.any(Number) });
  expect(noticeOf(await visitor.post(at('grant'), { company: 'co_none' }))).toContain(
    'There is no company with this id',
  );
});

it('shows somebody for one partner only this partner', async () => {
  const { fixture, acme, globex } = platform;
  const visitor = visit(fixture);
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds: [globex.partnerId] });
  const { text } = await visitor.get('/console/partners');
  expect(text).toContain('Globex');
  expect(text).not.toContain('Acme');
  expect(text).not.toContain('Add a partner');
  expect((await visitor.get(`/console/partners/${acme.partnerId}`)).status).toBe(404);
  expect((await visitor.get(`/console/keys/${acme.keyId}`)).status).toBe(404);
  expect((await visitor.get(`/console/keys/${globex.keyId}`)).status).toBe(200);
  expect((await visitor.post(`/console/keys/${acme.keyId}/rotate`, { confirmed: 'yes' })).status).toBe(404);
  visitor.become({ id: 'user_3', name: 'Vi', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' });
  const seen = await visitor.get(`/console/keys/${acme.keyId}`);
  expect(seen.text).not.toMatch(/Rotate|Revoke …|Grant access/);
  expect(
    (await visitor.post(`/console/keys/${acme.keyId}/revoke`, { secret: 'all', confirmed: 'yes' })).status,
  ).toBe(403);
});
