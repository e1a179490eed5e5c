/** What the portal tells a partner to do next, by its state. */
import { createPartner } from '@partner-hiring/test-support/partner';
import { answered } from '@partner-hiring/test-support/transport';
import { afterAll, expect, it } from 'vitest';
import { openPlatform, type Platform } from '../console/platform.js';
import { noticeOf, seedSlowed } from '../console/seed.js';
import { startProgram } from './acts-of-partner.js';
import { actorOf, openPortal } from './portal.js';

const platform = await openPlatform();
afterAll(() => platform.close());

/** The text of a page, as a person reads it. */
function readingOf(page: string): string {
  const [, main = ''] = page.split('<main');
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'");
}

function visitOf(partnerId: Platform['acme']['partnerId']) {
  const support = { email: 'help@jobs.example.com' };
  const visitor = openPortal(platform.fixture, actorOf(partnerId), { support });
  const read = async (path: string) => readingOf((await visitor.get(`/portal${path}`)).text);
  return { visitor, read };
}

it('tells a new partner without a sandbox company to ask for one first, and then what is open', async () => {
  const { fixture } = platform;
  const { id: partnerId } = await fixture.operator.partners.create({ name: 'New ATS' });
  const { keyId } = await createPartner(fixture, { partnerId, sandbox: true });
  const { visitor, read } = visitOf(partnerId);
  const first = 'First ask help@jobs.example.com for access to a sandbox company.';
  for (const path of ['', '/go-live']) expect(await read(path), path).toContain(first);
  expect((await visitor.get('/portal')).text).toContain('href="mailto:help@jobs.example.com"');
  const { id: companyId } = await fixture.operator.companies.create({ name: 'Try', environment: 'sandbox' });
  await fixture.operator.access.grant({ keyId, companyId });
  for (const path of ['', '/go-live']) expect(await read(path), path).not.toContain('First ask');
  expect(await read('')).toMatch(/Sandbox: \d+ of \d+ items before you go live are open\./);
  expect(await read('')).toContain('Try');
});

it('asks nothing more of a production key, and shows what it has proved', async () => {
  const { fixture, acme } = platform;
  await createPartner(fixture, { partnerId: acme.partnerId, sandbox: true });
  const { read } = visitOf(acme.partnerId);
  expect(await read('')).not.toContain('items before you go live');
  const [, production = ''] = (await read('/go-live')).split(' Production ');
  expect(production).toContain('Nothing more is required of this key.');
  expect(production).toContain('The endpoint answered an event with 2xx done');
  expect(production).toContain('To have your production endpoint probed, ask help@jobs.example.com');
  expect(production).not.toMatch(/open|which gets 422/);
});

it('shows failed probes as a failure, each with its reason', async () => {
  const { fixture, globex } = platform;
  const { keyId } = await createPartner(fixture, { partnerId: globex.partnerId, sandbox: true });
  const { visitor } = visitOf(globex.partnerId);
  fixture.transport.answerWith(() => answered(200));
  const done = await visitor.post(`/portal/go-live/${keyId}/probe`);
  const [cookie = ''] = done.headers.getSetCookie().map((each) => each.split(';', 1).join(''));
  const { text } = await visitor.get('/portal/go-live', { cookie });
  expect(text).toContain('<p class="notice refused" role="alert">2 probes failed.');
  expect(readingOf(text)).toMatch(/refused a forged signature failed The probe failed \( .*? \)\. /);
});

it('says when and why an endpoint was paused', async () => {
  const text = await visitOf(platform.hooli.partnerId).read('');
  expect(text).toMatch(/was paused \d+ \w+ \d+, \d+:\d+ UTC , because your endpoint answered 410 Gone/);
});

it('says how to correct a field, and shows the own id of a duplicate', async () => {
  const program = await startProgram(platform);
  const { read } = visitOf(platform.acme.partnerId);
  const pageOf = async (fields: Readonly<Record<string, unknown>>) =>
    read(`/requests/${(await program.submit(fields)).headers.get('x-request-id')}`);
  const candidate = { firstName: 'A', lastName: 'B', email: 'a@example.org', phone: '12' };
  expect(await pageOf({ candidate })).toContain('such as +442071838750');
  expect(await pageOf({ sourceApplicationId: 'ats-4711' })).toContain(
    'Your id (sourceApplicationId) ats-4711',
  );
});

it('says of a closed job what to do, when it closed, and where the event is', async () => {
  const { fixture, acme } = platform;
  const program = await startProgram(platform);
  fixture.transport.answerWith(() => answered(200));
  await fixture.operator.endpoints.pause({ keyId: acme.keyId });
  await fixture.operator.jobs.close({ id: acme.jobId as `job_${string}` });
  const requestId = (await program.submit({})).headers.get('x-request-id');
  const { visitor, read } = visitOf(acme.partnerId);
  const path = `/requests/${requestId}`;
  expect(await read(path)).toMatch(/Do not send this candidate again\. .* The job closed \d/);
  expect(await read(path)).toContain('Your endpoint is paused, so the event job.closed waits.');
  const [, event = ''] =
    /href="(\/portal\/deliveries\/evt_[^"]*)"/.exec((await visitor.get(`/portal${path}`)).text) ?? [];
  expect((await visitor.get(event)).text).toContain(acme.jobId);
  await fixture.operator.endpoints.resume({ keyId: acme.keyId });
  await fixture.pass(60_000);
  expect(await read(path)).toContain('Your endpoint got the event job.closed.');
});

it('warns that a new API key is not used yet, until it is', async () => {
  const { fixture } = platform;
  const { id: partnerId } = await fixture.operator.partners.create({ name: 'Rotating ATS' });
  const { keyId } = await createPartner(fixture, { partnerId });
  const { read } = visitOf(partnerId);
  expect(await read('')).not.toContain('is not used yet');
  const { secret } = await fixture.operator.keys.rotate({ id: keyId });
  expect(await read('')).toMatch(
    /Your new production API key is not used yet, and the old one …[\w-]{4} stops working .+ UTC/,
  );
  const headers = { authorization: `Bearer ${secret}` };
  await fixture.partnerHiring.fetch(new Request('https://api.example.com/api/v1/external/jobs', { headers }));
  await fixture.pass(120_000);
  expect(await read('')).not.toContain('is not used yet');
});

it('says why sending to an endpoint is slow, and tries it now', async () => {
  const { acme } = platform;
  await seedSlowed(platform);
  const { visitor, read } = visitOf(acme.partnerId);
  const slowly = /Sending slowly since .* UTC , because it answered 503: the next attempt at .* UTC \./;
  for (const path of ['', '/endpoints']) expect(await read(path), path).toMatch(slowly);
  const page = `/endpoints/${acme.keyId}`;
  expect(await read(page)).toMatch(/the next attempt at [^.]* \. \d+ events? waits?\. /);
  expect(await read(page)).toContain('Try now…');
  const act = (fields = {}) => visitor.post(`/portal${page}/resume`, fields);
  expect((await act()).text).toContain('Try your endpoint now?');
  expect(noticeOf(await act({ confirmed: 'yes' }))).toBe(
    'We make one attempt now. Reload the page to see the outcome.',
  );
});

it('says which limits are lower, until when and why, and what is usual', async () => {
  const { fixture, hooli } = platform;
  const { keys } = fixture.operator.as({ id: 'user_9', reason: 'Private reason' });
  const { visitor, read } = visitOf(hooli.partnerId);
  const path = `/keys/${hooli.keyId}`;
  expect(await read(path)).toContain('GET /jobs 60 refused');
  const reason = 'You read all jobs each second.';
  const lower = (perMinute: Parameters<typeof keys.lowerLimits>[0]['perMinute']) =>
    keys.lowerLimits({ id: hooli.keyId, perMinute, reason, forMs: 3_600_000 });
  await lower({ list_jobs: 6, submit_application: 2 });
  const page = await read(path);
  expect(page).toMatch(/We have lowered limits of your production key until .* Reason: You read/);
  expect(page).toContain('GET /jobs 6, usually 60');
  expect(page).toContain('POST /applications 2 for each company, usually 10, and 10 while it has');
  expect(page).toContain('GET /applications 60');
  const home = await read('');
  expect(home).toMatch(/We have lowered limits of your production key until .* Reason: You read all jobs/);
  expect((await visitor.get('/portal')).text).toContain(`/portal${path}"`);
  expect(page + home).not.toContain('Private reason');
  await fixture.clock.advance(3_600_000);
  for (const each of ['', path]) expect(await read(each), each).not.toContain(reason);
});
