/** Jobs and companies in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openPlatform, PERSONAL, visit } from './platform.js';

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
  expect(await fixture.operator.jobs.find({ id })).toMatchObject({ state: 'open', internalOnly: false });
  await visitor.post(`/console/jobs/${id}/${act}`, { confirmed: 'yes', reason: 'ticket 42' });
  expect(await fixture.operator.jobs.find({ id })).toMatchObject({ state, internalOnly });
  const back = { close: 'reopen', archive: 'unarchive', hide: 'show' }[act];
  await visitor.post(`/console/jobs/${id}/${back}`, { confirmed: 'yes' });
  expect(await fixture.operator.jobs.find({ id })).toMatchObject({ state: 'open', internalOnly: false });
  const { text } = await visitor.get(`/console/jobs/${id}`);
  expect(text).toContain('Robin Admin');
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
