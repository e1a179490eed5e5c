/** What the other pages of the console say of the sync of jobs, and to whom. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { badOpenings, openings, openSyncPlatform } from './job-sync-seed.js';
import { visit } from './platform.js';

const platform = perTest(openSyncPlatform, ({ close }) => close());

it('names failed runs and refused rows on the overview, until a run ends them', async () => {
  const { fixture, table, runSync } = platform;
  const overview = async () => (await visit(fixture).get('/console')).text;
  table.rows = [...badOpenings(2), ...openings(30)];
  await runSync();
  table.rows = null;
  await runSync();
  await runSync();
  const text = await overview();
  expect(text).toContain('the job sync has failed 2 times in a row; the job sync refuses 2 rows');
  expect(text).toMatch(/The last run failed\.[\s\S]*\/console\/job-sync"/);
  table.rows = openings(30);
  await runSync();
  expect(await overview()).not.toContain('job sync');
});

it('tells somebody for one partner nothing of the sync', async () => {
  const { fixture, acme, holdSync } = platform;
  await holdSync();
  const before = await fixture.operator.jobs.syncs.last();
  const visitor = visit(fixture);
  visitor.become({ id: 'user_2', name: 'Kim', rights: CONSOLE_RIGHTS.admin, partnerIds: [acme.partnerId] });
  for (const path of [
    '/console',
    '/console/jobs',
    '/console/jobs?company=co_depot',
    '/console/jobs/job_depot_1',
  ]) {
    const { status, text } = await visitor.get(path);
    expect(status, path).toBe(200);
    expect(text, path).not.toMatch(/job sync|job-sync|job source|held:|op_/i);
  }
  for (const path of ['/console/job-sync', '/console/job-sync/live'])
    expect((await visitor.get(path)).status).toBe(404);
  for (const path of ['run', 'apply'])
    expect(
      (await visitor.post(`/console/job-sync/${path}`, { confirmed: 'yes', missing: '25' })).status,
    ).toBe(404);
  for (const path of ['close-chosen', 'archive-chosen'])
    expect(
      (await visitor.post(`/console/jobs/${path}`, { chosen: 'job_depot_1', confirmed: 'yes' })).status,
    ).toBe(404);
  expect((await fixture.operator.jobs.find({ id: 'job_depot_1' }))?.state).toBe('open');
  expect(await fixture.operator.jobs.syncs.last()).toEqual(before);
});
