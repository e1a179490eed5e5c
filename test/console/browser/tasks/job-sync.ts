/** Support tasks about the job sync in a real browser, with and without scripting. */
import { expect } from 'vitest';
import { openings, openSyncPlatform } from '../../job-sync-seed.js';
import { declareTasks, type Task } from './task.js';

export const jobSync: readonly Task[] = declareTasks(openSyncPlatform, {
  'learns from the overview that a sync is held, finds out why, and closes the missing jobs once': async ({
    platform,
    stage,
    page,
  }) => {
    const { fixture, holdSync, runSync } = platform;
    await holdSync();
    await page.goto(stage.url);
    await page.getByText('The job sync is held: 25 of 30 open jobs').waitFor();
    await page.getByRole('link', { name: 'Open the job sync' }).click();
    await page.getByText('25 of 30 open jobs were missing, which is 83.3 %.').waitFor();
    await page.getByRole('cell', { name: 'job_bad_1', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('cell', { name: 'job_bad_40', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Apply once…' }).click();
    await page.getByRole('heading', { name: 'Close 25 jobs in the next run?' }).waitFor();
    await page.getByLabel('Reason (optional)').fill('The depot closes.');
    await page.getByRole('button', { name: 'Apply once', exact: true }).click();
    await page.getByText('The next run may close the missing jobs, once.').waitFor();
    await runSync();
    expect((await fixture.operator.jobs.find({ id: 'job_depot_30' }))?.state).toBe('closed');
    await page.goto(stage.url);
    expect(await page.getByText('The job sync is held').count()).toBe(0);
  },

  'runs the sync at once, so that partners see a new opening': async ({ platform, stage, page }) => {
    const { fixture, table } = platform;
    table.rows = openings(31);
    await page.goto(`${stage.url}/jobs`);
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('A worker begins the next run now.').waitFor();
    await fixture.pass(1_000);
    expect((await fixture.operator.jobs.find({ id: 'job_depot_31' }))?.state).toBe('open');
  },

  'reads that the source opens a job again before closing several': async ({ platform, stage, page }) => {
    await page.goto(`${stage.url}/jobs?company=co_depot`);
    await page.getByLabel('Choose Picker 1, job_depot_1', { exact: true }).check();
    await page.getByLabel('Choose Picker 2, job_depot_2', { exact: true }).check();
    await page.getByRole('button', { name: 'Close chosen…' }).click();
    await page.getByText('The job source keeps these jobs in step.').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('2 jobs are closed.').waitFor();
    await platform.runSync();
    expect((await platform.fixture.operator.jobs.find({ id: 'job_depot_1' }))?.state).toBe('open');
  },
});
