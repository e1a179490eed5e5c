/** The endpoints and their acts in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, visit } from './platform.js';
import { noticeOf, seedFailing } from './seed.js';

const platform = perTest(openPlatform, ({ close }) => close());

it('lists failing endpoints first, and shows the health of one with its attempts of 24 hours', async () => {
  const { fixture, acme, hooli } = platform;
  await seedFailing(platform);
  const visitor = visit(fixture);
  const { text } = await visitor.get('/console/endpoints');
  const all = text.slice(text.indexOf('All endpoints'));
  expect(text.indexOf('Failing')).toBeLessThan(text.indexOf('All endpoints'));
  expect(all).toContain('it answered 410 Gone');
  expect(all).toContain(hooli.keyId);
  const page = await visitor.get(`/console/endpoints/${acme.keyId}`);
  expect(page.text).toContain('https://ats.example.org/webhooks');
  expect(page.text).toContain('HTTP 503');
  expect(page.text).toContain('down for maintenance');
  expect(page.text).toContain('<svg');
  expect(page.text).toContain('Hour from (UTC)');
  expect(page.text).toContain(`/console/deliveries?key=${acme.keyId}&amp;failing=yes`);
});

it('tests an endpoint and shows the answer', async () => {
  const { fixture, acme } = platform;
  fixture.transport.answerWith({ kind: 'answered', status: 401, excerpt: 'bad signature' });
  const { text } = await visit(fixture).post(`/console/endpoints/${acme.keyId}/test`, { type: 'job.closed' });
  expect(text).toContain('did not accept the test event');
  expect(text).toContain('HTTP 401');
  expect(text).toContain('bad signature');
});

it('resumes a paused endpoint, says how many it retries, and pauses it after asking', async () => {
  const { fixture, hooli } = platform;
  fixture.transport.answerWith(200);
  const visitor = visit(fixture);
  const at = (act: string) => `/console/endpoints/${hooli.keyId}/${act}`;
  const asked = await visitor.post(at('resume'));
  expect(asked.text).toContain('it answered 410 Gone');
  expect(asked.text).toContain('Retry now the delivery that waits');
  const find = async () => (await fixture.operator.endpoints.find({ keyId: hooli.keyId }))?.state.kind;
  expect(await find()).toBe('paused');
  expect(noticeOf(await visitor.post(at('resume'), { confirmed: 'yes', retryNow: 'yes' }))).toBe(
    'Sending is resumed. 1 delivery is retried now.',
  );
  expect(await find()).toBe('active');
  expect((await visitor.post(at('pause'))).text).toContain('Pause this endpoint?');
  expect(await find()).toBe('active');
  await visitor.post(at('pause'), { confirmed: 'yes' });
  expect(await find()).toBe('paused');
});

it('sets another URL after asking, and explains an invalid one', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const path = `/console/endpoints/${acme.keyId}/set-url`;
  const url = 'https://ats.example.org/other';
  expect((await visitor.post(path, { url })).text).toContain('Send to another URL?');
  await visitor.post(path, { url, confirmed: 'yes' });
  expect((await fixture.operator.endpoints.find({ keyId: acme.keyId }))?.url).toBe(url);
  const refused = await visitor.post(path, { url: 'ftp://ats.example.org', confirmed: 'yes' });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('url must')]);
});

it('shows a new signing secret once: in the answer, in no address and no cookie', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const path = `/console/endpoints/${acme.keyId}/rotate-secret`;
  expect((await visitor.post(path)).text).toContain('Rotate the signing secret?');
  const found = await fixture.operator.endpoints.find({ keyId: acme.keyId });
  const ifCurrent = found?.signingSecretId ?? '';
  const { status, headers, text } = await visitor.post(path, { confirmed: 'yes', overlap: '1', ifCurrent });
  expect(status).toBe(200);
  const [secret] = /whsec_[\w-]+/.exec(text) ?? [];
  expect(secret).toBeDefined();
  expect(headers.get('cache-control')).toBe('no-store');
  expect([headers.get('location'), headers.get('set-cookie')]).toEqual([null, null]);
  expect((await visitor.get(`/console/endpoints/${acme.keyId}`)).text).not.toContain(secret);
});

it('offers to add an endpoint to a key without one', async () => {
  const { fixture } = platform;
  const { id: partnerId } = await fixture.operator.partners.create({ name: 'Reader' });
  const { key } = await fixture.operator.keys.issue({ partnerId, environment: 'production' });
  const visitor = visit(fixture);
  const { text, status } = await visitor.get(`/console/endpoints/${key.id}`);
  expect(status).toBe(200);
  expect(text).toContain('This key has no endpoint');
  const added = await visitor.post(`/console/endpoints/${key.id}/set-url`, {
    url: 'https://reader.example/hooks',
    confirmed: 'yes',
  });
  expect(added.text).toMatch(/whsec_/);
  expect((await visitor.get('/console/endpoints/key_none')).status).toBe(404);
});

it('shows somebody for one partner only its own endpoints', async () => {
  const { fixture, acme, hooli } = platform;
  const visitor = visit(fixture);
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds: [hooli.partnerId] });
  const { text } = await visitor.get('/console/endpoints');
  expect(text).toContain(hooli.keyId);
  expect(text).not.toContain(acme.keyId);
  expect((await visitor.get(`/console/endpoints/${acme.keyId}`)).status).toBe(404);
  expect((await visitor.post(`/console/endpoints/${acme.keyId}/pause`, { confirmed: 'yes' })).status).toBe(
    404,
  );
  expect((await fixture.operator.endpoints.find({ keyId: acme.keyId }))?.state.kind).toBe('active');
});
