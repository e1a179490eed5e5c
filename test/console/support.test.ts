/** What a support engineer does on the first screens. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { ADMIN, openPlatform, PERSONAL, visit } from './platform.js';
import { noticeOf } from './seed.js';

const platform = perTest(openPlatform, ({ close }) => close());

it('no page shows personal data before somebody reveals it', async () => {
  const { fixture, ada, alan, grace, linus, acme } = platform;
  const visitor = visit(fixture);
  const pages = [
    '/console',
    '/console/applications',
    `/console/applications?key=${acme.keyId}`,
    '/console/audit',
    ...[ada, alan, grace, linus].map((id) => `/console/applications/${id}`),
  ];
  for (const path of pages) {
    const { text, status } = await visitor.get(path);
    expect(status).toBe(200);
    for (const personal of PERSONAL) expect(text, `${path} shows ${personal}`).not.toContain(personal);
  }
});

it('reveals a candidate, and the audit says who saw it', async () => {
  const { fixture, alan } = platform;
  const { text, status } = await visit(fixture).post(`/console/applications/${alan}/reveal`);
  expect(status).toBe(200);
  for (const personal of ['>Alan<', '>Turing<', 'alan@example.org', '+14155550125'])
    expect(text).toContain(personal);
  const { items: entries } = await fixture.operator.audit.list({ object: { kind: 'application', id: alan } });
  expect(entries[0]).toMatchObject({ act: 'candidates.reveal', actor: { id: ADMIN.id, name: ADMIN.name } });
});

it('finds an application by its id, a key, a job or a company', async () => {
  const { fixture, ada, acme } = platform;
  const visitor = visit(fixture);
  const locationOf = async (q: string) =>
    (await visitor.post('/console/applications', { q })).headers.get('location');
  expect(await locationOf(ada)).toBe(`/console/applications/${ada}`);
  expect(await locationOf(acme.keyId)).toBe(`/console/applications?key=${acme.keyId}`);
  expect(await locationOf(acme.jobId)).toBe(`/console/applications?job=${acme.jobId}`);
  expect(await locationOf(acme.companyId)).toBe(`/console/applications?company=${acme.companyId}`);
});

it.each([
  ['key=key_1&job=job_1', 'Choose only one of Partner key and Job.'],
  ['status=received', 'also needs a partner key or a company'],
])('explains why %s cannot be combined', async (query, text) => {
  const answer = await visit(platform.fixture).get(`/console/applications?${query}`);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(text);
});

it('says whether the partner knows, in plain words', async () => {
  const { fixture, ada, grace, alan } = platform;
  const visitor = visit(fixture);
  const told = await visitor.get(`/console/applications/${ada}`);
  expect(told.text).toContain('The partner knows the present status.');
  const paused = await visitor.get(`/console/applications/${grace}`);
  expect(paused.text).toContain('sending to its endpoint is paused');
  expect(paused.text).toContain('Resume sending');
  expect(paused.text).not.toMatch(/endpoints\.resume|deliveries\.resend/);
  expect((await visitor.get(`/console/applications/${alan}`)).text).toContain('This status sends no event');
});

it('moves, decides and erases after asking, and says so on the next page', async () => {
  const { fixture, alan } = platform;
  const visitor = visit(fixture);
  const at = (act: string) => `/console/applications/${alan}/${act}`;
  const find = () => fixture.operator.applications.find({ id: alan });
  expect(noticeOf(await visitor.post(at('move'), { stage: '' }))).toContain('Choose a stage');
  const moved = await visitor.post(at('move'), { stage: 'under_review' });
  expect(moved.headers.get('location')).toBe(`/console/applications/${alan}`);
  expect(await find()).toMatchObject({ status: 'in_progress', stage: 'under_review' });

  const cookie = moved.headers.get('set-cookie')?.split(';')[0] ?? '';
  const next = await visitor.console.fetch(
    new Request(`https://admin.example.com/console/applications/${alan}`, { headers: { cookie } }),
  );
  expect(await next.text()).toContain('The application was moved.');
  expect(next.headers.get('set-cookie')).toContain('Max-Age=0');

  const asked = await visitor.post(at('decide'), { decision: 'rejected' });
  expect(asked.text).toContain('A decision is final');
  const untold = 'own system is not told of this: its inbox is off.';
  for (const { text } of [asked, await visitor.get(`/console/applications/${alan}`)])
    expect(text).toContain(untold);
  expect(await find()).toMatchObject({ status: 'in_progress' });
  await visitor.post(at('decide'), { decision: 'rejected', confirmed: 'yes' });
  expect(await find()).toMatchObject({ status: 'rejected' });

  const erased = await visitor.post(at('erase'), { confirmed: 'yes', clearSourceApplicationId: 'yes' });
  expect(await find()).toMatchObject({ sourceApplicationId: null, erasedAt: expect.any(Number) });
  expect(noticeOf(erased)).toMatch(
    /^The candidate was erased\. .*The inbox is off: delete the platform's own rows yourself\.$/,
  );
  const page = async () => (await visitor.get(`/console/applications/${alan}`)).text;
  expect(await page()).toContain('The inbox was off when the candidate was erased');
});

it('says whether the platform knows of an erasure', async () => {
  const { fixture, alan } = platform;
  const { inbox } = fixture.operator;
  await inbox.turn({ on: true });
  const visitor = visit(fixture);
  const before = await visitor.get(`/console/applications/${alan}`);
  expect(before.text).not.toContain('own system is not told');
  const erased = await visitor.post(`/console/applications/${alan}/erase`, { confirmed: 'yes' });
  expect(noticeOf(erased)).toMatch(
    /^The candidate was erased\. .*The inbox of the platform has an item about it\.$/,
  );
  const page = async () => (await visitor.get(`/console/applications/${alan}`)).text;
  expect(await page()).toContain('The platform has not acknowledged the erasure yet.');
  await inbox.acknowledge((await inbox.take()).map(({ id }) => id));
  expect(await page()).toContain('The platform acknowledged the erasure');
});

it('explains what the operator refuses, and changes nothing', async () => {
  const { fixture, ada } = platform;
  const visitor = visit(fixture);
  const refused = await visitor.post(`/console/applications/${ada}/move`, { stage: 'under_review' });
  expect([refused.status, refused.headers.get('set-cookie')]).toEqual([409, null]);
  expect(refused.text).toContain('A decision is final');
  expect(refused.text).toContain(`href="/console/applications/${ada}"`);
});

it('shows what fails and waits on the overview, and refreshes it', async () => {
  const { fixture } = platform;
  const visitor = visit(fixture);
  const { text } = await visitor.get('/console');
  expect(text).toContain('Hooli (production)');
  expect(text).toContain('data-live-source="/console/live"');
  const live = JSON.parse((await visitor.get('/console/live')).text);
  const headline =
    'No worker runs, so nothing is sent; 1 of 3 partners has failing endpoints; 1 delivery is held by a pause.';
  expect(live).toMatchObject({ due: '0', dead: '0', paused: '1', workers: '0', headline, tone: 'bad' });
  expect(text).toContain(
    `<section class="card news bad" data-live-tone="tone" aria-label="Is anything wrong?"><p class="lead" data-live="headline">${headline}</p>`,
  );
  const { tone: _, ...texts } = live;
  for (const name of Object.keys(texts)) expect(text).toContain(`data-live="${name}"`);
});

it('shows the requests and attempts of the last 24 hours on the overview', async () => {
  const { fixture, acme } = platform;
  await fixture.pass(60_000);
  const { text } = await visit(fixture).get('/console');
  expect(text).toContain('Requests of partners by hour');
  expect(text).toMatch(/<th scope="row">2026-01-05 09:00<\/th><td class="number">4<\/td>/);
  const visitor = visit(fixture);
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  expect((await visitor.get('/console')).text).not.toContain('Requests of partners by hour');
});

it('shrinks figures that are zero into a line, and says that all is well', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const { text } = await visitor.get('/console');
  const [, tiles = ''] = /<ul class="figures">(.*?)<\/ul>/.exec(text) ?? [];
  expect([...tiles.matchAll(/data-live="(\w+)"/g)].map(([, name]) => name)).toEqual(['paused', 'workers']);
  const [, zeros = ''] = /<ul class="zeros">(.*?)<\/ul>/.exec(text) ?? [];
  expect(zeros).toContain('<span data-live="due">0</span>');
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  expect((await visitor.get('/console')).text).toContain('All is well');
});

it('shows no figures without their rights', async () => {
  const visitor = visit(platform.fixture);
  visitor.become({ ...ADMIN, rights: ['applications:read'] });
  const { text } = await visitor.get('/console');
  expect(text).toContain('Your rights do not include any of these figures');
  expect((await visitor.get('/console/live')).text).toBe('{}');
  visitor.become({ ...ADMIN, rights: ['deliveries:read', 'inbox:read', 'operations:read'] });
  expect(Object.keys(JSON.parse((await visitor.get('/console/live')).text))).toEqual([
    'due',
    'oldest',
    'scheduled',
    'paused',
    'dead',
    'running',
    'headline',
    'tone',
  ]);
});

it('shows an import as one act, with names before ids, and all its jobs on demand', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const companyId = acme.companyId as `co_${string}`;
  const input = Array.from({ length: 130 }, (_, index) => ({
    ...WAREHOUSE_JOB,
    companyId,
    title: `Job ${index}`,
  }));
  await operator.jobs.publishInSteps(input);
  await fixture.pass(60_000);
  const visitor = visit(fixture);
  const list = await visitor.get('/console/audit?act=jobs.publishInSteps');
  expect(list.text.match(/130 in all/g)).toHaveLength(1);
  expect(list.text).toContain('130 in all</span> <a');
  const href = /href="(\/console\/audit\/[^"]+)">Show all objects/.exec(list.text)?.[1] ?? '';
  const first = await visitor.get(href);
  const next = /href="([^"]+cursor=[^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const text = first.text + (await visitor.get(next)).text;
  for (const { title } of input) expect(text).toContain(`>job ${title}</span>`);
  await operator.jobs.close({ id: acme.jobId as `job_${string}` });
  const named = await visitor.get(`/console/audit?kind=job&id=${acme.jobId}`);
  expect(named.text).toContain(`>job ${WAREHOUSE_JOB.title}</span>`);
  const rights = CONSOLE_RIGHTS.admin.filter((right) => right !== 'jobs:read');
  visitor.become({ ...ADMIN, rights });
  const blind = await visitor.get(`/console/audit?kind=job&id=${acme.jobId}`);
  expect(blind.text).not.toContain(`>job ${WAREHOUSE_JOB.title}`);
  expect(blind.text).toContain('>Closed the job</a>');
});

it('filters the audit by actor, act and object', async () => {
  const { fixture, ada, acme } = platform;
  const visitor = visit(fixture);
  await visitor.post(`/console/applications/${ada}/reveal`);
  const byActor = await visitor.post('/console/audit', { actor: ADMIN.id });
  expect(byActor.text).toContain('>Looked at the candidate</a>');
  expect(byActor.text).not.toContain('>Added the partner</a>');
  const [, link = ''] = /href="(\/console\/audit\?by=[^"]+)">Robin Admin</.exec(byActor.text) ?? [];
  expect(link).not.toContain(ADMIN.id);
  const sent = await visitor.get(link);
  expect(sent.text).toContain('>Looked at the candidate</a>');
  expect(sent.text).not.toContain('>Added the partner</a>');
  expect(sent.text).toMatch(/href="\/console\/audit\?by=[^"]+&amp;since=[^"]+">14 days</);
  expect((await visitor.get('/console/audit?by=aud_none')).status).toBe(404);
  expect((await visitor.get('/console/audit?act=partners.create')).text).toContain('>Added the partner</a>');
  const byObject = await visitor.get(`/console/audit?kind=application&id=${ada}`);
  expect(byObject.text).toContain('>Decided on the application</a>');
  const both = await visitor.post('/console/audit', { actor: 'a', act: 'b' });
  expect([both.status, both.text]).toEqual([400, expect.stringContaining('Choose only one of Actor')]);
  expect((await visitor.get('/console/audit?act=nothing')).status).toBe(400);
  expect(byObject.text).toContain('>Choose only one of Actor, Act and Object.</p>');
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  expect((await visitor.get('/console/audit')).text).not.toContain('Choose only one of');
});
