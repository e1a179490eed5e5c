/** The health of a partner on its page. */
import { afterAll, expect, it } from 'vitest';
import { createGate } from '../../packages/console/src/gate/gate.js';
import { ADMIN, openPlatform, visit } from './platform.js';

const platform = await openPlatform();
afterAll(() => platform.close());

const pageOf = async (partnerIds: typeof ADMIN.partnerIds) => {
  const visitor = visit(platform.fixture);
  visitor.become({ ...ADMIN, partnerIds });
  return (await visitor.get(`/console/partners/${platform.acme.partnerId}`)).text;
};

it('the page of a partner shows requests, errors, deliveries and latency, beside all others', async () => {
  const text = await pageOf('all');
  expect(text).toContain('Requests and deliveries in production');
  expect(text).toMatch(/24 hours[\s\S]*7 days/);
  expect(text).toContain('others: ');
  expect(text).toContain('that of all other partners together, in the same environment');
  expect(text).toContain(`href="/console/requests?key=${platform.acme.keyId}&amp;errors=yes"`);
});

it('somebody for one partner gets no figures of the others', async () => {
  const { fixture, acme, hooli } = platform;
  const text = await pageOf([acme.partnerId]);
  expect(text).toContain('Requests and deliveries in production');
  expect(text).not.toContain('others: ');
  const gate = createGate(fixture.operator, { ...ADMIN, partnerIds: [acme.partnerId] }, null);
  const keys = (await gate.call('partners.find', { id: acme.partnerId, health: true }))?.health?.keys ?? [];
  expect(keys[0]?.day.requests).toBeGreaterThan(0);
  expect(keys.map(({ others }) => others)).toEqual(keys.map(() => null));
  expect(await gate.call('partners.find', { id: hooli.partnerId, health: true })).toBeNull();
});

it('without the right to read requests, the page has no figures', async () => {
  const visitor = visit(platform.fixture);
  visitor.become({ ...ADMIN, rights: ['partners:read'] });
  const { status, text } = await visitor.get(`/console/partners/${platform.acme.partnerId}`);
  expect(status).toBe(200);
  expect(text).not.toContain('Requests and deliveries in');
});
