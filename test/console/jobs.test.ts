/** Jobs and companies in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, PERSONAL, visit } from './platform.js';
import { noticeOf } from './seed.js';

const platform = perTest(openPlatform, ({ close }) => close());

it('lists companies, the jobs of one by state, and shows a job with the keys that see it', async () => {
  const { fixture, acme, hooli, ada } = platform;
  const visitor = visit(fixture);
  expect((await visitor.get('/console/jobs')).text).toContain(`/console/jobs?company=${acme.companyId}"`);
  const list = await visitor.get(`/console/jobs?company=${acme.companyId}&state=open`);
  expect(list.text).toContain(`/console/jobs/${acme.jobId}"`);
  expect(list.text).toContain('Jobs of the company, oldest first: 1<');
  expect((await visitor.get(`/console/jobs?company=${acme.companyId}&state=closed`)).text).toContain(
    'no such job',
  );
  expect((await visitor.get(`/console/jobs?job=${acme.jobId}`)).headers.get('location')).toBe(
    `/console/jobs/${acme.jobId}`,
  );
  const { text } = await visitor.get(`/console/jobs/${acme.jobId}`);
  for (const keyId of [acme.keyId, hooli.keyId]) expect(text).toContain(`/console/keys/${keyId}"`);
  expect(text).toContain(`/console/applications/${ada}"`);
  expect(text).toContain('Hooli (production)');
  expect(text).toMatch(
    /data-label="Shown from"><span><time [^>]*>[^<]*<\/time><\/span><\/td><td [^>]*"Shown to"[^>]*><span>now</,
  );
  await fixture.operator.jobs.close({ id: acme.jobId as `job_${string}` });
  const closed = await visitor.get(`/console/jobs/${acme.jobId}`);
  expect(closed.text.match(/"Shown from"[^>]*><span><time /g)).toHaveLength(3);
  expect(closed.text.match(/no longer<\/span> Closed by customer/g)).toHaveLength(3);
  expect(closed.text.match(/"Shown to"[^>]*><span><time /g)).toHaveLength(3);
  for (const personal of PERSONAL) expect(text).not.toContain(personal);
});

it.each([
  ['close', 'closed', false],
  ['archive', 'archived', false],
  ['hide', 'open', true],
] as const)('can %s a job after saying how many keys see it', async (act, state, internalOnly) => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  const id = acme.jobId as `job_${string}`;
  const asked = await visitor.post(`/console/jobs/${id}/${act}`);
  expect(asked.text).toContain('<dt>Keys that see it now</dt><dd>3</dd>');
  expect(asked.text).toContain('<dt>Company</dt><dd>Initech</dd>');
  expect(await fixture.operator.jobs.find({ id })).toMatchObject({ state: 'open', internalOnly: false });
  await visitor.post(`/console/jobs/${id}/${act}`, { confirmed: 'yes', reason: 'ticket 42' });
  expect(await fixture.operator.jobs.find({ id })).toMatchObject({ state, internalOnly });
  const back = { close: 'reopen', archive: 'unarchive', hide: 'show' }[act];
  const opened = (await visitor.post(`/console/jobs/${id}/${back}`)).text;
  expect(opened).toContain('<dd>none now; afterwards each key with access to the company</dd>');
  await visitor.post(`/console/jobs/${id}/${back}`, { confirmed: 'yes' });
  expect(await fixture.operator.jobs.find({ id })).toMatchObject({ state: 'open', internalOnly: false });
  const { text } = await visitor.get(`/console/jobs/${id}`);
  expect(text).toContain('Robin Admin');
});

it.each([
  ['reopen', 'not closed'],
  ['unarchive', 'not archived'],
  ['show', 'not hidden'],
])('does not ask to %s a job that is open and seen', async (act, reason) => {
  const { fixture, acme } = platform;
  const answer = await visit(fixture).post(`/console/jobs/${acme.jobId}/${act}`);
  expect(answer.headers.get('location')).toBe(`/console/jobs/${acme.jobId}`);
  expect(noticeOf(answer)).toContain(reason);
});

it.each([
  ['close', 'closed'],
  ['archive', 'archived'],
] as const)('can %s the chosen jobs of a company after saying how many', async (act, state) => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const companyId = acme.companyId as `co_${string}`;
  const id = acme.jobId as `job_${string}`;
  const [second, done] = await operator.jobs.publish([
    { ...WAREHOUSE_JOB, companyId },
    { ...WAREHOUSE_JOB, companyId },
  ]);
  if (second === undefined || done === undefined) throw new Error('A job is missing.');
  await operator.jobs.archive({ id: done.id });
  const visitor = visit(fixture);
  const list = (await visitor.get(`/console/jobs?company=${companyId}`)).text;
  expect(list).toContain(`formaction="/console/jobs/${act}-chosen"`);
  const chosen = [id, second.id, done.id].map((value): [string, string] => ['chosen', value]);
  const path = `/console/jobs/${act}-chosen`;
  const asked = (await visitor.post(path, chosen)).text;
  expect(asked).toContain(`<dt>Jobs to ${act}</dt><dd>2</dd>`);
  expect(asked).toContain('<dt>Left out</dt><dd>1 job, ');
  expect((await operator.jobs.find({ id }))?.state).toBe('open');
  const confirmed: [string, string][] = [...chosen, ['company', companyId], ['confirmed', 'yes']];
  const after = await visitor.post(path, confirmed);
  expect(noticeOf(after)).toBe(`2 jobs are ${state}.`);
  expect(after.headers.get('location')).toBe(`/console/jobs?company=${companyId}`);
  for (const job of [id, second.id]) expect((await operator.jobs.find({ id: job }))?.state).toBe(state);
  expect(noticeOf(await visitor.post(path, confirmed))).toContain('Nothing was changed');
  expect(noticeOf(await visitor.post(path))).toContain('Nothing was chosen');
});

it('reopens the chosen jobs of a company, and comes back to the same list', async () => {
  const { fixture, acme } = platform;
  const { operator } = fixture;
  const companyId = acme.companyId as `co_${string}`;
  const id = acme.jobId as `job_${string}`;
  const { id: open } = await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  await operator.jobs.close({ id });
  const visitor = visit(fixture);
  const list = (await visitor.get(`/console/jobs?company=${companyId}&state=closed`)).text;
  expect(list).toContain('formaction="/console/jobs/reopen-chosen"');
  expect(list).toContain('name="state" value="closed"');
  expect(list).toContain('data-choose-all');
  const from: [string, string][] = [
    ['company', companyId],
    ['state', 'closed'],
  ];
  const nothing = await visitor.post('/console/jobs/reopen-chosen', from);
  expect(noticeOf(nothing)).toContain('Nothing was chosen');
  expect(nothing.headers.get('location')).toBe(`/console/jobs?company=${companyId}&state=closed`);
  const chosen: [string, string][] = [...from, ['chosen', id], ['chosen', open]];
  const asked = (await visitor.post('/console/jobs/reopen-chosen', chosen)).text;
  expect(asked).toContain('Reopen 1 job?');
  expect(asked).toContain('1 job, open or archived');
  expect(asked).toContain('<dt>Company</dt><dd>Initech</dd>');
  expect(asked).toContain('<dt>Jobs</dt><dd>Warehouse associate</dd>');
  const after = await visitor.post('/console/jobs/reopen-chosen', [...chosen, ['confirmed', 'yes']]);
  expect(noticeOf(after)).toBe('1 job is open again.');
  expect((await operator.jobs.find({ id }))?.state).toBe('open');
});

it('closes all open jobs of a company after a count, as an operation', async () => {
  const { fixture, acme, globex } = platform;
  const { operator } = fixture;
  const companyId = acme.companyId as `co_${string}`;
  await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  const visitor = visit(fixture);
  const path = '/console/jobs/close-all';
  const form = { company: companyId };
  expect((await visitor.get(`/console/companies/${companyId}`)).text).toContain(`action="${path}"`);
  expect((await visitor.get(`/console/jobs?company=${companyId}`)).text).toContain(`formaction="${path}"`);
  const asked = (await visitor.post(path, form)).text;
  expect(asked).toContain('Close all 2 open jobs of this company?');
  expect(asked).toContain('<dt>Company</dt><dd>Initech</dd>');
  expect(await operator.jobs.count({ companyId, state: 'open' })).toBe(2);
  const yes = { ...form, confirmed: 'yes' };
  const done = await visitor.post(path, yes);
  expect(noticeOf(done)).toBe('The worker closes 2 jobs now.');
  expect(done.headers.get('location')).toMatch(/^\/console\/operations\/op_/);
  await fixture.pass(60_000);
  expect(await operator.jobs.count({ companyId, state: 'open' })).toBe(0);
  expect(noticeOf(await visitor.post(path, yes))).toContain('no open job');
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds: [globex.partnerId] });
  expect((await visitor.post(path, yes)).status).toBe(404);
  visitor.become({ id: 'user_3', name: 'Vi', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' });
  expect((await visitor.post(path, yes)).status).toBe(403);
  expect((await visitor.get(`/console/companies/${companyId}`)).text).not.toContain('Close all open jobs');
});

it('offers no choice of jobs without a right to change them', async () => {
  const { fixture, acme } = platform;
  const visitor = visit(fixture);
  visitor.become({ id: 'user_3', name: 'Vi', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' });
  const { text } = await visitor.get(`/console/jobs?company=${acme.companyId}`);
  expect(text).toContain(acme.jobId);
  expect(text).not.toContain('type="checkbox"');
  const { status } = await visitor.post('/console/jobs/close-chosen', { chosen: acme.jobId });
  expect(status).toBe(403);
});

it('shows somebody for one partner the jobs of its companies, and changes none', async () => {
  const { fixture, acme, globex } = platform;
  const { id: hidden } = await fixture.operator.companies.create({
    name: 'Umbrella',
    environment: 'production',
  });
  const visitor = visit(fixture);
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds: [globex.partnerId] });
  const { text } = await visitor.get('/console/jobs');
  expect(text).toContain('Initech');
  expect(text).not.toContain('Umbrella');
  const job = await visitor.get(`/console/jobs/${acme.jobId}`);
  expect(job.status).toBe(200);
  expect(job.text).not.toContain(acme.keyId);
  expect(job.text).not.toContain('Close the job');
  expect((await visitor.get(`/console/companies/${hidden}`)).status).toBe(404);
  expect((await visitor.post(`/console/jobs/${acme.jobId}/close`, { confirmed: 'yes' })).status).toBe(404);
  expect((await fixture.operator.jobs.find({ id: acme.jobId as `job_${string}` }))?.state).toBe('open');
});
