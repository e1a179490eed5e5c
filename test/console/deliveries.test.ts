/** Finding, reading and repeating deliveries in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it, onTestFinished } from 'vitest';
import { crawl } from './crawl.js';
import { ADMIN, openPlatform, PERSONAL, visit } from './platform.js';
import { noticeOf, openSystemPlatform, seedFailing } from './seed.js';

const platform = perTest(openPlatform, ({ close }) => close());

it('filters by key, partner, application, state, type, time and failing', async () => {
  const { fixture, acme, globex, ada } = platform;
  const failing = await seedFailing(platform);
  const visitor = visit(fixture);
  const count = async (query: string) => {
    const { status, text } = await visitor.get(`/console/deliveries?${query}`);
    expect(status, query).toBe(200);
    return new Set(text.match(/href="\/console\/deliveries\/key_[^"]+/g)).size;
  };
  expect(await count(`key=${acme.keyId}&failing=yes`)).toBe(1);
  expect((await visitor.get('/console/deliveries?failing=yes')).text).toContain(failing);
  expect(await count(`application=${ada}`)).toBe(1);
  expect(await count(`key=${globex.partnerId}&state=pending`)).toBe(1);
  expect(await count(`key=${acme.keyId}&type=application.status_changed`)).toBe(1);
  expect(await count(`key=${acme.keyId}&until=2001-01-01T00:00`)).toBe(0);
  expect((await visitor.get('/console/deliveries?state=dead')).text).toContain('No delivery matches.');
});

it('begins with the newest deliveries of all partners, in all states', async () => {
  const { fixture, acme, globex, hooli } = platform;
  const failing = await seedFailing(platform);
  const visitor = visit(fixture);
  const rowsOf = async (query = '') => {
    const { text } = await visitor.get(`/console/deliveries${query}`);
    return [...text.matchAll(/href="\/console\/deliveries\/(key_\w+)\/(evt_\w+)"/g)].map(([, key, event]) => [
      key,
      event,
    ]);
  };
  const rows = await rowsOf();
  expect(rows.slice(0, 3)).toContainEqual([acme.keyId, failing]);
  expect(new Set(rows.map(([key]) => key))).toEqual(new Set([acme.keyId, globex.keyId, hooli.keyId]));
  const stamps = await Promise.all(
    rows.map(async ([, eventId]) => {
      const found = await fixture.operator.deliveries.find({ eventId: eventId as `evt_${string}` });
      return found?.event.at ?? 0;
    }),
  );
  expect(stamps).toEqual(stamps.toSorted((first, second) => second - first));
  const changes = await rowsOf('?type=application.status_changed');
  expect(changes.length).toBe(2);
  visitor.become({ ...ADMIN, partnerIds: [globex.partnerId, acme.partnerId] });
  expect(new Set((await rowsOf()).map(([key]) => key))).toEqual(new Set([acme.keyId, globex.keyId]));
});

it('chooses no key by itself for resending many', async () => {
  const visitor = visit(platform.fixture);
  const { text } = await visitor.get('/console/deliveries');
  expect(text.split('<option value="">Choose a key</option>')).toHaveLength(2);
  const answer = await visitor.post('/console/deliveries/resend-many', { resendKey: '' });
  expect(noticeOf(answer)).toBe('Choose a partner key.');
});

it.each([
  ['waits=due&state=dead', 'is pending'],
  ['failing=yes&state=dead', 'is pending'],
])('explains why %s cannot be combined', async (query, text) => {
  const answer = await visit(platform.fixture).get(`/console/deliveries?${query}`);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(text);
});

it('has one menu of partners and their keys', async () => {
  const { fixture, acme } = platform;
  for (const list of ['deliveries', 'requests']) {
    const { text } = await visit(fixture).get(`/console/${list}?key=${acme.partnerId}`);
    expect(text).toContain(`<option value="${acme.partnerId}" selected="">Acme ATS</option>`);
    expect(text).toContain(`<option value="${acme.keyId}">Acme ATS (production)</option>`);
    expect(text.match(/<label for="(?:key|partner)"/g)).toEqual(['<label for="key"']);
  }
});

it('says of each event of a paused endpoint what holds it, and since when it waits', async () => {
  const { fixture, hooli } = platform;
  const visitor = visit(fixture);
  const { text } = await visitor.get(`/console/deliveries?key=${hooli.keyId}&waits=held`);
  const held = `/console/endpoints/${hooli.keyId}">held</a>: it answered 410 Gone<`;
  expect(text).toContain(held);
  expect(text).toContain('data-label="Undelivered since"><span><time');
  expect((await visitor.get('/console/deliveries?waits=due')).text).not.toContain(`${hooli.keyId}/evt_`);
  const overview = await visitor.get('/console');
  for (const waits of ['due', 'later', 'held'])
    expect(overview.text).toContain(`/console/deliveries?waits=${waits}"`);
});

it('leads from nothing to resend to what a pause holds', async () => {
  const { fixture, globex } = platform;
  const { keyId, partnerId } = globex;
  await fixture.operator.endpoints.pause({ keyId });
  const companyId = platform.acme.companyId as `co_${string}`;
  await fixture.operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  const visitor = visit(fixture);
  for (const [path, fields] of [
    ['/console/deliveries/resend-many', { resendKey: keyId }],
    [`/console/partners/${partnerId}/resend`, {}],
  ] as const) {
    const answer = await visitor.post(path, fields);
    expect(answer.headers.get('location'), path).toBe(`/console/endpoints/${keyId}`);
    expect(noticeOf(answer)).toMatch(/^1 event is held by the pause of this endpoint\. Resume sending/);
  }
});

it('no page shows a viewer answers of receivers or ids of partners', async () => {
  const { fixture, acme, ada } = platform;
  const eventId = await seedFailing(platform);
  const visitor = visit(fixture);
  const pages = async () => {
    const all = await crawl(visitor.get);
    const {
      items: [body],
    } = await fixture.operator.deliveries.list({ applicationId: ada });
    const own = `/console/deliveries/${acme.keyId}/`;
    for (const path of [`${own}${eventId}`, `${own}${body?.eventId}`]) {
      expect([...all.keys()]).toContain(path);
    }
    return [...all.values()].join('\n');
  };
  const hidden = ['down for maintenance', 'ats-4711', 'ats-4712'];
  const seen = await pages();
  for (const text of hidden) expect(seen).toContain(text);
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer });
  const shown = await pages();
  for (const text of hidden) expect(shown).not.toContain(text);
  expect((await visitor.post('/console/applications', { q: 'ats-4711', by: 'source' })).status).toBe(403);
});

it('finds a delivery by its event behind more keys than a choice shows', async () => {
  const { storage, fixture, acme, globex, hooli, close } = await openSystemPlatform();
  onTestFinished(close);
  await storage.transaction(async (tx) => {
    for (let number = 0; number <= 200; number += 1) {
      const partnerId = `ptn_00${number}` as const;
      await tx.partners.add({ id: partnerId, name: `Partner ${number}`, createdAt: 0 });
      await tx.keys.add({ id: `key_00${number}`, partnerId, environment: 'production', createdAt: 0 });
    }
  });
  const { items: keys } = await fixture.operator.keys.list({ limit: 201 });
  expect(keys.map(({ key }) => key.id)).not.toContain(acme.keyId);
  const { items: deliveries } = await fixture.operator.deliveries.list({ keyId: acme.keyId });
  const eventId = deliveries[0]?.eventId ?? '';
  const visitor = visit(fixture);
  const find = () => visitor.get(`/console/deliveries?event=${eventId}`);
  const path = `/console/deliveries/${acme.keyId}/${eventId}`;
  expect((await find()).headers.get('location')).toBe(path);
  visitor.become({ ...ADMIN, partnerIds: [globex.partnerId, acme.partnerId] });
  expect((await find()).headers.get('location')).toBe(path);
  visitor.become({ ...ADMIN, partnerIds: [globex.partnerId, hooli.partnerId] });
  const [foreign, unknown] = [await find(), await visitor.get('/console/deliveries?event=evt_none')];
  expect(foreign.status).toBe(404);
  expect(foreign.text).toContain('No key has this event.');
  expect(foreign.text.replaceAll(eventId, 'evt_none')).toBe(unknown.text);
});

it('finds a delivery by its event, and shows the body, each attempt and a curl command', async () => {
  const { fixture, acme } = platform;
  const eventId = await seedFailing(platform);
  const visitor = visit(fixture);
  const path = `/console/deliveries/${acme.keyId}/${eventId}`;
  expect((await visitor.get(`/console/deliveries?event=${eventId}`)).headers.get('location')).toBe(path);
  expect((await visitor.get('/console/deliveries?event=evt_none')).status).toBe(404);
  const { text } = await visitor.get(path);
  expect(text).toContain('&quot;type&quot;: &quot;job.opened&quot;');
  expect(text).toContain('HTTP 503');
  expect(text).toContain('down for maintenance');
  expect(text).toContain('1 of 10');
  expect(text).toContain('curl --globoff -X POST');
  expect(text).toContain('v1=&lt;signature&gt;');
  expect(text).toContain(`/console/keys/${acme.keyId}"`);
  expect(text).toContain(`/console/endpoints/${acme.keyId}"`);
  expect((await visitor.get(`/console/deliveries/${acme.keyId}/evt_none`)).status).toBe(404);
});

it('retries, cancels after asking, and resends a delivered event after asking', async () => {
  const { fixture, acme, ada } = platform;
  const eventId = await seedFailing(platform);
  const visitor = visit(fixture);
  const path = `/console/deliveries/${acme.keyId}/${eventId}`;
  expect(noticeOf(await visitor.post(`${path}/resend`))).toBe('The worker sends the event now.');
  const find = () => fixture.operator.deliveries.find({ keyId: acme.keyId, eventId });
  expect((await visitor.post(`${path}/cancel`)).text).toContain('Cancel this delivery?');
  expect((await find())?.delivery.state).toBe('pending');
  await visitor.post(`${path}/cancel`, { confirmed: 'yes', reason: 'a mistake' });
  expect((await find())?.delivery.state).toBe('cancelled');

  const {
    items: [told],
  } = await fixture.operator.deliveries.list({ applicationId: ada });
  const toldPath = `/console/deliveries/${acme.keyId}/${told?.eventId}`;
  expect(noticeOf(await visitor.post(`${toldPath}/cancel`))).toBe(
    'Nothing to cancel: the event was delivered already.',
  );
  const { text } = await visitor.get(toldPath);
  expect(text).toContain('HTTP 200');
  expect(text).toContain(`/console/applications/${ada}"`);
  for (const personal of PERSONAL) expect(text).not.toContain(personal);
  expect((await visitor.post(`${toldPath}/resend`)).text).toContain('accepted this event already');
  const refused = noticeOf(await visitor.post(`${toldPath}/cancel`));
  expect(refused).toContain('Nothing to cancel: the event was delivered already');
  const sent = fixture.transport.attempts.length;
  await visitor.post(`${toldPath}/resend`, { confirmed: 'yes' });
  await fixture.pass(1_000);
  expect(fixture.transport.attempts.slice(sent).filter(({ body }) => body.includes(ada))).toHaveLength(1);
  const list = (await visitor.get(`/console/deliveries?application=${ada}`)).text;
  expect(list).toContain('1, sent for the 2nd time');
  expect(list).toContain('Dead letters (all attempts failed)');
});

it('shows somebody for one partner only the deliveries of this partner, and no act without its right', async () => {
  const { fixture, acme, globex, linus } = platform;
  const eventId = await seedFailing(platform);
  const visitor = visit(fixture);
  const viewer = { id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' } as const;
  visitor.become({ ...viewer, partnerIds: [globex.partnerId] });
  const own = await visitor.get('/console/deliveries');
  expect(own.text).toContain(globex.keyId);
  expect(own.text).not.toContain(acme.keyId);
  expect(own.text).not.toContain('Resend');
  expect((await visitor.get(`/console/deliveries?key=${acme.keyId}`)).status).toBe(404);
  expect((await visitor.get(`/console/deliveries/${acme.keyId}/${eventId}`)).status).toBe(404);
  expect((await visitor.get(`/console/deliveries?key=${globex.keyId}&application=${linus}`)).status).toBe(
    200,
  );
  visitor.become(viewer);
  expect((await visitor.post(`/console/deliveries/${acme.keyId}/${eventId}/resend`)).status).toBe(403);
  expect(
    (
      await visitor.post('/console/deliveries/resend', {
        chosen: `${acme.keyId} ${eventId}`,
        confirmed: 'yes',
      })
    ).status,
  ).toBe(403);
});
