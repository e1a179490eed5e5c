/** Partners, keys and access in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { ADMIN, openPlatform, PERSONAL, visit } from './platform.js';
import { noticeOf } from './seed.js';

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

it('shows no partner in green whose endpoint is paused, and says since when and why', async () => {
  const { fixture, acme, hooli } = platform;
  const visitor = visit(fixture);
  const paused = (await visitor.get(`/console/partners/${hooli.partnerId}`)).text;
  expect(paused).toContain('<dt>State</dt><dd><span class="badge warn">active, but sending is paused</span>');
  expect(paused).toMatch(/<span class="badge warn">paused<\/span> it answered 410 Gone <time /);
  const { text } = await visitor.get(`/console/partners/${acme.partnerId}`);
  expect(text).toContain('<dt>State</dt><dd><span class="badge good">active</span>');
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

it('resends the events of a whole partner after a count, as an operation', async () => {
  const { fixture, acme, globex } = platform;
  const visitor = visit(fixture);
  const path = `/console/partners/${acme.partnerId}`;
  for (const page of [path, `/console/endpoints/${acme.keyId}`])
    expect((await visitor.get(page)).text).toContain(`action="${path}/resend"`);
  const resendSince = '2026-01-01T00:00';
  const asked = await visitor.post(`${path}/resend`, { resendSince });
  const count = Number(/Resend (\d+) events?\?/.exec(asked.text)?.[1]);
  expect(asked.text).toContain(`<dt>Acme ATS (production)</dt><dd>${count}</dd>`);
  expect((await fixture.operator.operations.list()).items).toEqual([]);
  const done = await visitor.post(`${path}/resend`, { resendSince, confirmed: 'yes', reason: 'ticket 7' });
  const location = done.headers.get('location') ?? '';
  await fixture.pass(60_000);
  const { text } = await visitor.get(location);
  expect(text).toContain('Resend events of a partner');
  expect(text).toContain(`<span data-live="done">${count}</span>`);
  const audit = await visitor.get(`/console/audit?kind=partner&id=${acme.partnerId}`);
  expect(audit.text.match(/>Resent events<\/a>/g)).toHaveLength(1);
  expect(noticeOf(await visitor.post(`${path}/resend`, { resendUntil: resendSince }))).toContain(
    'Enter from when on',
  );
  visitor.become({ ...ADMIN, partnerIds: [globex.partnerId] });
  expect((await visitor.post(`${path}/resend`, { resendSince, confirmed: 'yes' })).status).toBe(404);
});

it('grants access to all companies whose names begin with a text, after a count', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const visitor = visit(fixture);
  const path = `/console/keys/${acme.keyId}/grant-many`;
  for (const [name, environment] of [
    ['Bistro Nord', 'production'],
    ['bistro Süd', 'production'],
    ['Bistro Test', 'sandbox'],
    ['Depot', 'production'],
  ] as const)
    await operator.companies.create({ name, environment });
  const form = { by: 'filter', begin: 'bistro' };
  const asked = (await visitor.post(path, form)).text;
  expect(asked).toContain('Grant access to 2 companies?');
  expect(asked).toContain('<dt>Companies</dt><dd>Bistro Nord, bistro Süd</dd>');
  const yes = { ...form, confirmed: 'yes' };
  expect(noticeOf(await visitor.post(path, { ...yes, count: '3' }))).toContain('Count again');
  expect(noticeOf(await visitor.post(path, { ...yes, count: '2' }))).toContain('access to 2 more companies');
  expect(noticeOf(await visitor.post(path, form))).toContain('sees every company');
  expect((await visitor.post(path, { by: 'filter', begin: '' })).text).toContain(
    'Grant access to 1 company?',
  );
  const key = (await visitor.get(`/console/keys/${acme.keyId}`)).text;
  const chooser = /<fieldset class="chooser".*?<\/fieldset>/s.exec(key)?.[0];
  expect(chooser).toContain('Depot');
  for (const seen of ['Bistro Nord', 'Initech']) expect(chooser).not.toContain(seen);
  expect(chooser).toContain('data-choose-all');
  expect(key).not.toContain('Company id');
  expect((await visitor.get(`/console/partners/${acme.partnerId}`)).text).toContain(
    `href="/console/keys/${acme.keyId}#access"`,
  );
  const { items: acts } = await operator.audit.list({ keyId: acme.keyId, limit: 1 });
  expect(acts).toMatchObject([{ count: 2, actor: { id: ADMIN.id } }]);
});

it('shows a new secret with the key that it is for, and how long the old ones work', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const path = `/console/keys/${acme.keyId}`;
  const rotate = async (overlap: string) => {
    const asked = (await visitor.post(`${path}/rotate`)).text;
    expect(asked).toContain('this is enough, and nothing is left to revoke');
    const ifCurrent = /name="ifCurrent" value="([^"]*)"/.exec(asked)?.[1] ?? '';
    return (await visitor.post(`${path}/rotate`, { ifCurrent, overlap, confirmed: 'yes' })).text;
  };
  const soft = await rotate('168');
  expect(soft).toContain('<dt>Partner key</dt><dd>Acme ATS (production)</dd>');
  expect(soft).toContain('<dt>Old secrets</dt><dd>work for 7 days more</dd>');
  expect(await rotate('0')).toContain('<dt>Old secrets</dt><dd>do not work anymore</dd>');
  expect((await visitor.get(path)).text).toContain('Expired and revoked ones do not work.');
  const found = await fixture.operator.keys.find({ id: acme.keyId });
  expect(found?.secrets.map(({ state }) => state).toSorted()).toEqual(['current', 'expired', 'expired']);
});

it('revokes access to all companies whose names begin with a text, after a count', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const { keyId } = acme;
  const visitor = visit(fixture);
  const path = `/console/keys/${keyId}/revoke-many`;
  for (const name of ['Bistro Nord', 'bistro Süd', 'Depot']) {
    const { id: companyId } = await operator.companies.create({ name, environment: 'production' });
    await operator.access.grant({ keyId, companyId });
  }
  expect((await visitor.get(`/console/keys/${keyId}`)).text).toContain(`action="${path}"`);
  const form = { begin: 'bistro' };
  const asked = (await visitor.post(path, form)).text;
  expect(asked).toContain('Revoke access to 2 companies?');
  expect(asked).toMatch(/<dt>Companies<\/dt><dd>(?:Bistro Nord, bistro Süd|bistro Süd, Bistro Nord)<\/dd>/);
  const yes = { ...form, confirmed: 'yes' };
  expect(noticeOf(await visitor.post(path, { ...yes, count: '3' }))).toContain('Count again');
  expect(noticeOf(await visitor.post(path, { ...yes, count: '2' }))).toBe(
    'Access to 2 companies is revoked.',
  );
  expect(noticeOf(await visitor.post(path, form))).toContain('sees no company');
  const { items: left } = await operator.access.list({ keyId, onlyActive: true });
  expect(left.map(({ companyName }) => companyName).toSorted()).toEqual(['Depot', 'Initech']);
  expect((await visitor.post(path, { begin: '' })).text).toContain('Revoke access to 2 companies?');
  const { items: acts } = await operator.audit.list({ keyId, limit: 1 });
  expect(acts).toMatchObject([{ count: 2, after: { access: 'revoked' }, actor: { id: ADMIN.id } }]);
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  expect((await visitor.get(`/console/keys/${keyId}`)).text).not.toContain(`action="${path}"`);
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

it('shows the go-live checklist of a key, probes its endpoint, and issues a key with a reason', async () => {
  const { fixture } = platform;
  const visitor = visit(fixture);
  const { operator } = fixture;
  const partner = await operator.partners.create({
    name: 'Newcomer',
    keys: [{ environment: 'sandbox', endpointUrl: 'https://new.example/hooks' }],
  });
  const path = `/console/keys/${partner.keys[0]?.key.id}`;
  const before = (await visitor.get(path)).text;
  expect(before).toContain('Read jobs with a cursor');
  expect(before).toContain('No GET /jobs with a cursor has succeeded.');
  expect(before).toContain(`action="${path}/probe"`);
  // The endpoint accepts everything, also a forged event and an old one.
  expect(noticeOf(await visitor.post(`${path}/probe`))).toContain('2 probes failed.');
  const after = (await visitor.get(path)).text;
  expect(after).toContain('The receiver accepts a delivery that was signed with a random secret.');
  expect(after).toContain('evt_0000000000');
  expect((await visitor.post(`${path}/probe`)).text).toContain('Try again in 60 s.');
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer });
  expect((await visitor.get(path)).text).not.toContain('/probe"');
  visitor.become(ADMIN);
  const issue = `/console/partners/${partner.id}/issue`;
  expect((await visitor.get(`/console/partners/${partner.id}`)).text).toContain('name="override"');
  await visitor.post(issue, { environment: 'production', override: 'ticket 815' });
  const { items } = await operator.audit.list({ object: { kind: 'partner', id: partner.id }, limit: 1 });
  expect(items[0]?.after).toMatchObject({ environment: 'production', override: 'ticket 815' });
});

it('lowers limits of a key for a time, says so wherever the key is listed, and lifts them', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const path = `/console/keys/${acme.keyId}`;
  const act = `${path}/lower-limits`;
  const asked = (await visitor.post(act, {})).text;
  expect(asked).toContain('Lower the limits of this key?');
  expect(asked).toContain('POST /applications, in a minute and company');
  expect(asked).toContain('Usually 10 a minute per company<');
  expect(asked).toContain('Usually 60 a minute<');
  const yes = { confirmed: 'yes', hours: '24', why: 'Reads all jobs each second', reason: 'ticket 7' };
  expect(noticeOf(await visitor.post(act, yes))).toContain('Enter at least one limit');
  expect((await visitor.post(act, { ...yes, list_jobs: '0' })).text).toContain('from 1 to');
  expect((await visitor.post(act, { ...yes, list_jobs: '99999' })).text).toContain(
    'must be lower than the usual limit of GET /jobs, 60',
  );
  expect(noticeOf(await visitor.post(act, { ...yes, list_jobs: '6', until: 'noon' }))).toContain(
    'The end of',
  );
  const until = new Date(fixture.clock.now() + 3_600_000).toISOString().slice(0, 16);
  expect(noticeOf(await visitor.post(act, { ...yes, list_jobs: '6', until }))).toContain(`until ${until}:00`);
  expect(noticeOf(await visitor.post(act, { ...yes, list_jobs: '6', guard: '' }))).toMatch(
    /The lower limits apply until 2026-01-\d\dT/,
  );
  const { loweredLimits } = (await fixture.operator.keys.find({ id: acme.keyId }))?.key ?? {};
  expect(loweredLimits).toMatchObject({ perMinute: { list_jobs: 6 }, reason: 'Reads all jobs each second' });
  const { text } = await visitor.get(path);
  expect(text).toContain('Lower limits in a minute: GET /jobs 6.');
  expect(text).toContain('lowered the limits of the key (Reads all jobs each second). Reason: ticket 7.');
  for (const list of ['/console/partners', `/console/partners/${acme.partnerId}`])
    expect((await visitor.get(list)).text.match(/>lower limits</g), list).toHaveLength(1);
  expect((await visitor.post(act, {})).text).toContain('name="list_jobs" type="number" value="6"');

  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.support });
  expect((await visitor.get(path)).text).not.toContain('lower-limits"');
  expect((await visitor.post(act, { ...yes, list_jobs: '7' })).status).toBe(403);
  visitor.become(ADMIN);
  const lift = `${path}/lift-limits`;
  expect(noticeOf(await visitor.post(lift, {}))).toContain('apply again');
  expect(noticeOf(await visitor.post(lift, {}))).toContain('applied already');
  expect((await visitor.get(path)).text).not.toContain('Lower limits in a minute');
});
