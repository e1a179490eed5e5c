/** The endpoints and their acts in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import type { ApplicationId, EventId, KeyId } from '@partner-hiring/core';
import { send } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, visit } from './platform.js';
import { noticeOf, seedFailing, seedSlowed } from './seed.js';

const platform = perTest(
  () => openPlatform({ selfService: { url: true } }),
  ({ close }) => close(),
);

it('lists failing endpoints first, and shows the health of one with its attempts of 24 hours', async () => {
  const { fixture, acme, hooli } = platform;
  await seedFailing(platform);
  const visitor = visit(fixture);
  const { text } = await visitor.get('/console/endpoints');
  const all = text.slice(text.indexOf('All endpoints'));
  expect(text.indexOf('Failing')).toBeLessThan(text.indexOf('All endpoints'));
  expect(all).toContain('it answered 410 Gone');
  expect(all).toContain('>Events waiting<');
  expect(all).toContain(hooli.keyId);
  const page = await visitor.get(`/console/endpoints/${acme.keyId}`);
  expect(page.text).toContain('https://ats.example.org/webhooks');
  expect(page.text).toContain('HTTP 503');
  expect(page.text).toContain('down for maintenance');
  expect(page.text).toContain('<svg');
  expect(page.text).toContain('Hour (UTC)');
  expect(page.text).toContain(`/console/deliveries?key=${acme.keyId}&amp;waits=later`);
  expect((await visitor.post(`/console/endpoints/${acme.keyId}/pause`)).text).toContain('>failing</span>');
});

it('says why an endpoint is sent to slowly, in the list and on its page, and tries it now', async () => {
  const { fixture, acme } = platform;
  await seedSlowed(platform);
  const visitor = visit(fixture);
  const page = `/console/endpoints/${acme.keyId}`;
  const time = '<time class="moment"[^>]*>[^<]*</time>';
  const slowly = `Sending slowly since ${time}, because it answered 503: the next attempt at ${time}\\.`;
  expect((await visitor.get('/console/endpoints')).text).toMatch(new RegExp(slowly));
  const { text } = await visitor.get(page);
  expect(text).toMatch(new RegExp(`${slowly} 1 event waits\\.`));
  expect(text).toContain('Try now…');
  expect((await visitor.get('/console')).text).toMatch(/Endpoints sent to slowly<\/a><\/li>/);
  expect((await visitor.post(`${page}/resume`)).text).toContain('Try this endpoint now?');
  expect(noticeOf(await visitor.post(`${page}/resume`, { confirmed: 'yes' }))).toBe(
    'The worker makes one attempt now. Reload the page to see the outcome.',
  );
  const endpoint = await fixture.operator.endpoints.find({ keyId: acme.keyId });
  expect(endpoint?.health.gap?.until).toBeLessThanOrEqual(fixture.clock.now());
});

it('refuses an address that cannot be the URL of an endpoint before it asks', async () => {
  const visitor = visit(platform.fixture);
  const post = (url: string) => visitor.post(`/console/endpoints/${platform.acme.keyId}/set-url`, { url });
  for (const url of ['ftp://x', 'hooks', 'https://user:word@ats.example/hooks']) {
    expect(noticeOf(await post(url)), url).toContain('This is no URL for webhooks.');
  }
  expect((await post('http://ats.example/hooks')).text).toContain('The URL is not encrypted.');
  expect((await post('https://ats.example/hooks')).text).not.toContain('not encrypted');
});

it('resumes a paused endpoint without retrying now, as library and command line do, unless the box is checked', async () => {
  const { fixture, hooli } = platform;
  const visitor = visit(fixture);
  const path = `/console/endpoints/${hooli.keyId}/resume`;
  const { text } = await visitor.post(path);
  expect(text).toContain('<input type="checkbox" name="retryNow" value="yes"');
  expect(text).not.toContain('checked');
  const { keyId } = hooli;
  const { endpoints } = fixture.operator;
  const waiting = async () => (await endpoints.resume({ keyId, retryNow: true, dryRun: true })).count;
  await visitor.post(path, { confirmed: 'yes' });
  expect((await endpoints.find({ keyId }))?.state.kind).toBe('active');
  expect(await waiting()).toBe(1);
  const retried = await visitor.post(path, { confirmed: 'yes', retryNow: 'yes' });
  expect(noticeOf(retried)).toBe('1 delivery is retried now.');
  expect(await waiting()).toBe(0);
});

it('says who paused an endpoint and why, in the list, on its page and before resuming', async () => {
  const { fixture, acme, globex, ada } = platform;
  const kim = { id: 'user_3', name: 'Kim Park' };
  await fixture.operator.as(kim).endpoints.pause({ keyId: acme.keyId });
  await fixture.operator.as({ ...kim, reason: 'ticket 9' }).endpoints.pause({ keyId: globex.keyId });
  const { keyId, eventId: told } = await eventOf(ada);
  await fixture.operator.deliveries.resend({ keyId, eventIds: [told] });
  const visitor = visit(fixture);
  const endpoint = `/console/endpoints/${acme.keyId}`;
  const asked = await visitor.post(`${endpoint}/resume`);
  const pages = await Promise.all(
    ['/console/endpoints', '/console/queues/paused', endpoint].map((path) => visitor.get(path)),
  );
  for (const { text } of [...pages, asked])
    expect(text).toMatch(/Kim Park paused it <time[^>]*>[^<]*<\/time>, no reason given/);
  expect(pages[0]?.text).toMatch(/Kim Park paused it <time[^>]*>[^<]*<\/time>, reason: ticket 9/);
  expect(pages[2]?.text).toContain(`/console/audit?kind=endpoint&amp;id=${acme.keyId}`);
  const audit = await visitor.post('/console/audit', { kind: 'endpoint', id: acme.keyId });
  expect(audit.text).toContain('No reason was given');
  expect(audit.text).not.toContain('Paused sending (operator)');

  expect(asked.text).toMatch(/Sent once resumed<\/dt><dd>1</);
  expect(asked.text).toMatch(/Wait for a retry<\/dt><dd>0</);
  expect(asked.text).not.toContain('name="retryNow"');
  expect(noticeOf(await visitor.post(`${endpoint}/resume`, { confirmed: 'yes' }))).toBe(
    'Sending is resumed. 1 event that waited is sent next. Reload the page to see the outcome.',
  );

  visitor.become({ id: 'user_4', name: 'Lee', rights: ['endpoints:read'], partnerIds: 'all' });
  expect((await visitor.get('/console/endpoints')).text).toContain('somebody paused it');
});

it('keeps an endpoint paused that failures paused, and offers this once', async () => {
  const { fixture, hooli } = platform;
  const visitor = visit(fixture);
  const page = `/console/endpoints/${hooli.keyId}`;
  expect((await visitor.get(page)).text).toContain('Keep paused…');
  const asked = (await visitor.post(`${page}/pause`)).text;
  expect(asked).toContain('Keep this endpoint paused?');
  expect(asked).toContain('it answered 410 Gone');
  const keep = () => visitor.post(`${page}/pause`, { confirmed: 'yes' });
  expect(noticeOf(await keep())).toBe('Sending is paused until the platform resumes it.');
  const { text } = await visitor.get(page);
  expect(text).toContain('Robin Admin paused it');
  expect(text).not.toContain('Keep paused…');
  expect(noticeOf(await keep())).toBe('The platform paused the endpoint already.');
});

it('says before and after resending that a paused endpoint holds the event', async () => {
  const { fixture, acme, hooli, ada, grace } = platform;
  const { eventId } = await eventOf(ada);
  await fixture.operator.as({ id: 'user_3', name: 'Kim Park' }).endpoints.pause({ keyId: acme.keyId });
  const visitor = visit(fixture);
  const held = 'The event waits until sending is resumed: the endpoint is paused.';
  const delivery = `/console/deliveries/${acme.keyId}/${eventId}/resend`;
  expect((await visitor.post(delivery)).text).toContain('Nothing is sent until sending is resumed.');
  expect(noticeOf(await visitor.post(delivery, { confirmed: 'yes' }))).toBe(held);
  const failed = await eventOf(grace);
  await fixture.operator.deliveries.cancel(failed);
  const application = `/console/applications/${grace}`;
  const { text } = await visitor.get(application);
  expect(text).toMatch(/Sending to its endpoint is paused: it answered 410 Gone.*it waits until sending is/s);
  expect(text).toContain('Resume sending…');
  expect(noticeOf(await visitor.post(`${application}/resend`))).toBe(held);
  const chosen = { chosen: `${hooli.keyId} ${failed.eventId}`, confirmed: 'yes' };
  await fixture.operator.deliveries.cancel(failed);
  expect(noticeOf(await visitor.post('/console/deliveries/resend', chosen))).toBe(
    '1 event waits until sending is resumed: the endpoint is paused.',
  );
});

async function eventOf(id: ApplicationId): Promise<{ readonly keyId: KeyId; readonly eventId: EventId }> {
  const {
    items: [told],
  } = await platform.fixture.operator.deliveries.list({ applicationId: id });
  if (told === undefined) throw new Error('The application has no event.');
  return { keyId: told.keyId, eventId: told.eventId };
}

it('tests an endpoint and shows the answer', async () => {
  const { fixture, acme } = platform;
  fixture.transport.answerWith({ kind: 'answered', status: 401, excerpt: 'bad signature' });
  const { text } = await visit(fixture).post(`/console/endpoints/${acme.keyId}/test`, { type: 'job.closed' });
  expect(text).toContain('did not accept the test event');
  expect(text).toContain('HTTP 401');
  expect(text).toContain('bad signature');
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

it('restores the URL that somebody with the API key of the partner has replaced', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const page = `/console/endpoints/${acme.keyId}`;
  expect((await visitor.get(page)).text).not.toContain('Restore the old URL');
  expect(noticeOf(await visitor.post(`${page}/restore-url`))).toContain('There is no old URL to restore');
  const { url } = (await fixture.operator.endpoints.find({ keyId: acme.keyId })) ?? { url: '' };
  const body = JSON.stringify({ url: 'https://thief.example/hooks' });
  const { secret } = await fixture.operator.keys.rotate({ id: acme.keyId });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const changed = await send(fixture, 'PUT', '/webhook-endpoint', { body, headers });
  expect(changed.status).toBe(200);
  expect((await visitor.get(page)).text).toContain('Restore the old URL');
  expect((await visitor.post(`${page}/restore-url`)).text).toContain(url);
  await visitor.post(`${page}/restore-url`, { confirmed: 'yes' });
  expect(await fixture.operator.endpoints.find({ keyId: acme.keyId })).toMatchObject({ url });
  expect((await visitor.get(page)).text).not.toContain('Restore the old URL');
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

it('shows the query of a URL only to staff who may set it, and in the audit to nobody', async () => {
  const { fixture, acme, ada } = platform;
  const { operator } = fixture;
  const origin = 'https://ats.example.org';
  await operator.endpoints.setUrl({ keyId: acme.keyId, url: `${origin}/hooks?token=s3cret` });
  const rights = CONSOLE_RIGHTS.admin.filter((right) => right !== 'endpoints:set-url');
  const [admin, viewer] = [visit(fixture), visit(fixture)];
  viewer.become({ id: 'user_9', name: 'Robin', rights, partnerIds: 'all' });
  const { keyId, eventId } = await eventOf(ada);
  for (const path of [`/console/endpoints/${keyId}`, `/console/deliveries/${keyId}/${eventId}`]) {
    expect((await admin.get(path)).text, path).toContain(`${origin}/hooks?token=s3cret`);
    const { text } = await viewer.get(path);
    expect(text, path).toContain(`${origin}/hooks?…`);
    expect(text, path).not.toContain('s3cret');
  }
  const audit = await admin.get('/console/audit');
  expect(audit.text).toContain(`(${origin}, another path of the same host)`);
  expect(audit.text).not.toContain('s3cret');
});

it('does not ask whether to add an endpoint to a key of another partner', async () => {
  const { fixture, acme, hooli } = platform;
  const visitor = visit(fixture);
  const actor = { id: 'user_9', name: 'Robin', rights: CONSOLE_RIGHTS.admin, partnerIds: [acme.partnerId] };
  visitor.become(actor);
  const path = `/console/endpoints/${hooli.keyId}/set-url`;
  expect((await visitor.post(path, { url: 'https://ats.example.org/x' })).status).toBe(404);
});
