/** Partners, keys and access in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, PERSONAL, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

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

it('shows a key with its secrets, access, reads and timeline, without personal data', async () => {
  const { fixture, acme } = platform;
  const { text } = await visit(fixture).get(`/console/keys/${acme.keyId}`);
  expect(text).toContain('Initech');
  expect(text).toContain(`/console/deliveries/${acme.keyId}/evt_`);
  expect(text).toContain('The platform issued the key (production).');
  expect(text).toContain(`/console/companies/${acme.companyId}"`);
  for (const personal of PERSONAL) expect(text).not.toContain(personal);
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
