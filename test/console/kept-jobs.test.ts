/** Jobs that a source keeps in step, in the console. */
import type { JobId } from '@partner-hiring/core';
import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import { opening, openings, openSyncPlatform } from './job-sync-seed.js';
import { visit } from './platform.js';

const platform = perTest(openSyncPlatform, ({ close }) => close());

async function stateOf(id: JobId): Promise<string | undefined> {
  return (await platform.fixture.operator.jobs.find({ id }))?.state;
}

describe('a job that the source keeps', () => {
  it('says so, and its timeline names the runs and acts of the sync in plain words', async () => {
    const { fixture, table, runSync } = platform;
    table.rows = [opening(1, { title: 'Packer' }), ...openings(30).slice(1)];
    await runSync();
    const visitor = visit(fixture);
    await visitor.post('/console/job-sync/run');
    const { text } = await visitor.get('/console/jobs/job_depot_1');
    expect(text).toContain('<dt>Kept in step</dt>');
    expect(text).toContain('by the job source');
    expect(text).toMatch(/Last run that changed it<\/dt><dd><a [^>]*href="\/console\/operations\/op_/);
    expect(text).toContain('The job sync brought the jobs in step with their source (1 updated).');
    expect(text).toContain('Robin Admin asked for a job sync.');
    const other = (await visitor.get(`/console/jobs/${platform.acme.jobId}`)).text;
    expect(other).not.toContain('Kept in step');
  });

  it.each(['close', 'archive'] as const)(
    'is opened again, which the page says before somebody can %s it',
    async (act) => {
      const { fixture, acme, runSync } = platform;
      const visitor = visit(fixture);
      const path = `/console/jobs/job_depot_1/${act}`;
      const warning = 'The job source keeps this job in step. If the source still lists it, the next run';
      expect((await visitor.post(path)).text).toContain(warning);
      expect((await visitor.post(`/console/jobs/${acme.jobId}/${act}`)).text).not.toContain('job source');
      await visitor.post(path, { confirmed: 'yes' });
      expect(await stateOf('job_depot_1')).not.toBe('open');
      await runSync();
      expect(await stateOf('job_depot_1')).toBe('open');
    },
  );

  it.each(['close', 'archive'] as const)('is named before somebody can %s many', async (act) => {
    const { fixture } = platform;
    await fixture.operator.jobs.publish({ ...WAREHOUSE_JOB, id: 'job_own', companyId: 'co_depot' });
    const visitor = visit(fixture);
    const path = `/console/jobs/${act}-chosen`;
    const chosen = (...ids: readonly string[]): [string, string][] =>
      ids.map((id) => ['chosen', id] as [string, string]);
    const asked = async (...ids: readonly string[]) => (await visitor.post(path, chosen(...ids))).text;
    expect(await asked('job_depot_1', 'job_depot_2')).toContain(
      'The job source keeps these jobs in step. The next run opens each job again that the source still lists.',
    );
    expect(await asked('job_depot_1', 'job_own')).toContain('The job source keeps 1 of these jobs in step.');
    expect(await asked('job_own')).not.toContain('The job source');
  });
});
