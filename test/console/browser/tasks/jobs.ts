/** Support tasks about jobs, companies and the job sync. */
import { expect } from 'vitest';
import { openings, openSyncPlatform } from '../../job-sync-seed.js';
import { openPlatform } from '../../platform.js';
import { aboutMany, aboutOne, type Task } from './task.js';

export const jobs: readonly Task[] = [
  ...aboutOne(openPlatform, {
    'finds out by its title who closed a job, and reopens it': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      const id = acme.jobId as `job_${string}`;
      await fixture.operator.as({ id: 'user_9', name: 'Kim', reason: 'position filled' }).jobs.close({ id });
      await desk.openFound('warehouse', 'Warehouse associate');
      await page.getByText('Kim closed the job. Reason: position filled.').waitFor();
      await desk.press('Reopen the job…');
      await desk.press('Reopen the job');
      await page.getByText('The job is open.').waitFor();
      expect((await fixture.operator.jobs.find({ id }))?.state).toBe('open');
    },

    'hides a job from partners after seeing which keys see it': async (desk) => {
      const { platform, page } = desk;
      const { fixture, acme } = platform;
      await desk.openFound('warehouse', 'Warehouse associate');
      await page.getByRole('row', { name: /Hooli \(production\).*yes/ }).waitFor();
      await desk.press('Make it internal only…');
      await page.getByText('Keys that see it now').waitFor();
      await desk.press('Make it internal only');
      await page.getByText('The job is internal only.').waitFor();
      await expect.poll(() => page.getByRole('row', { name: /no longer/ }).count()).toBe(3);
      const job = await fixture.operator.jobs.find({ id: acme.jobId as `job_${string}` });
      expect(job?.internalOnly).toBe(true);
    },

    'finds out by the name of a company which jobs it has': async (desk) => {
      const { page } = desk;
      await desk.openFound('initech', 'Initech');
      await desk.follow('Jobs of this company');
      await page.getByRole('row', { name: /Warehouse associate.*open/ }).waitFor();
    },

    'adds a company, and mends its name': async (desk) => {
      const { page } = desk;
      await desk.openAt('Jobs and companies');
      await page.getByLabel('Name', { exact: true }).fill('Umbrela');
      await desk.press('Add');
      await page.getByText('The company was added.').waitFor();
      await page.getByLabel('New name').fill('Umbrella');
      await desk.press('Rename…');
      await page.getByText('No event is sent.').waitFor();
      await desk.press('Rename');
      await page.getByRole('heading', { level: 1, name: 'Umbrella' }).waitFor();
    },
  }),

  ...aboutOne(openSyncPlatform, {
    'finds out why a job sync is held, and closes the missing jobs once': async (desk) => {
      const { platform, page } = desk;
      const { fixture, holdSync, runSync } = platform;
      await holdSync();
      await desk.open();
      await page.getByText('The job sync is held: 25 of 30 open jobs').waitFor();
      await desk.follow('Open the job sync');
      await page.getByText('25 of 30 open jobs were missing, which is 83.3 %.').waitFor();
      await page.getByRole('cell', { name: 'job_bad_1', exact: true }).waitFor();
      await desk.follow('Next page');
      await page.getByRole('cell', { name: 'job_bad_40', exact: true }).waitFor();
      await desk.press('Close the missing jobs once…');
      await page.getByRole('heading', { name: 'Close 25 jobs in the next run?' }).waitFor();
      await page.getByLabel('Reason (optional)').fill('The depot closes.');
      await desk.press('Close 25 jobs once');
      await page.getByText('The next run may close the missing jobs, once.').waitFor();
      desk.answered();
      await runSync();
      expect((await fixture.operator.jobs.find({ id: 'job_depot_30' }))?.state).toBe('closed');
      await page.goto(desk.url);
      expect(await page.getByText('The job sync is held').count()).toBe(0);
    },

    'finds out which jobs of which companies a held sync would close': async (desk) => {
      const { platform, page } = desk;
      await platform.holdSync();
      await desk.open();
      await desk.follow('Open the job sync');
      await desk.follow('Show the missing jobs');
      await page.getByRole('row', { name: /Depot.*Picker 30/ }).waitFor();
    },

    'runs the sync at once, so that partners see a new opening': async (desk) => {
      const { platform, page } = desk;
      const { fixture, table } = platform;
      table.rows = openings(31);
      await desk.openAt('Jobs and companies');
      await desk.press('Run now');
      await page.getByText('A worker begins the next run now.').waitFor();
      await fixture.pass(1_000);
      expect((await fixture.operator.jobs.find({ id: 'job_depot_31' }))?.state).toBe('open');
    },
  }),

  ...aboutMany(openSyncPlatform, {
    'closes several jobs, after it has read that their source opens them again': async (desk) => {
      const { platform, page } = desk;
      const stateOf = async (id: `job_${string}`) =>
        (await platform.fixture.operator.jobs.find({ id }))?.state;
      await desk.openAt('Jobs and companies');
      await page.getByRole('row', { name: /Depot/ }).getByRole('link', { name: 'Jobs', exact: true }).click();
      await page.getByLabel('Choose Picker 1, job_depot_1', { exact: true }).check();
      await page.getByLabel('Choose Picker 2, job_depot_2', { exact: true }).check();
      await desk.press('Close chosen…');
      await page.getByText('The job source keeps these jobs in step.').waitFor();
      await desk.press('Close 2 jobs');
      await page.getByText('2 jobs are closed.').waitFor();
      expect(await stateOf('job_depot_2')).toBe('closed');
      await platform.runSync();
      expect(await stateOf('job_depot_1')).toBe('open');
    },
  }),
];
