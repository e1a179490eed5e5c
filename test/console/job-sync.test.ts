/** The sync of jobs with the platform's own table, in the console. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import type { JobId } from '@partner-hiring/core';
import { NO_SYNC } from '@partner-hiring/core/ports';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it, vi } from 'vitest';
import { badOpenings, opening, openings, openSyncPlatform } from './job-sync-seed.js';
import { visit } from './platform.js';
import { noticeOf } from './seed.js';

const platform = perTest(openSyncPlatform, ({ close }) => close());

const VIEWER = { id: 'user_3', name: 'Vi', rights: CONSOLE_RIGHTS.viewer, partnerIds: 'all' } as const;

async function stateOf(id: JobId): Promise<string | undefined> {
  return (await platform.fixture.operator.jobs.find({ id }))?.state;
}

/** The text of a page without its tags. */
function plain(html: string): string {
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

describe('the last run', () => {
  it('is shown with its state, its times and its counts, also on the screen of the jobs', async () => {
    const { fixture, table, runSync } = platform;
    table.rows = [opening(1, { title: 'Packer' }), ...openings(29).slice(1), opening(31), ...badOpenings(1)];
    await runSync();
    const visitor = visit(fixture);
    const { text } = await visitor.get('/console/job-sync');
    expect(text).toContain('except for 1 refused row.');
    for (const [name, value] of [
      ['added', 1],
      ['updated', 1],
      ['reopened', 0],
      ['closed', 1],
      ['unchanged', 28],
      ['refused', 1],
    ])
      expect(text).toContain(`data-live="${name}">${value}<`);
    expect(text).toMatch(/<dt>Started<\/dt><dd><time/);
    expect(text).toMatch(/<dt>Ended<\/dt><dd><time/);
    expect(text).toContain('<dt>Took</dt><dd>under a second</dd>');
    expect(text).toContain('<dt>Started by</dt><dd>a worker</dd>');
    const jobs = await visitor.get('/console/jobs');
    expect(plain(jobs.text)).toContain('1 added, 1 updated, 1 closed, 28 unchanged, 1 refused.');
    expect(jobs.text).toContain('href="/console/job-sync"');
  });

  it('warns of pay that is probably a salary, also on the screen of the jobs', async () => {
    const { fixture, table, runSync } = platform;
    const compensation = { min: 50_000, max: 60_000, currency: 'GBP' };
    table.rows = [...openings(29), opening(30, { compensation })];
    await runSync();
    for (const path of ['/console/job-sync', '/console/jobs']) {
      const { text } = await visit(fixture).get(path);
      expect(text).toContain('Pay above 500 per hour: 1 job (job_depot_30). Pay is per hour:');
      expect(text).toContain('class="card news warn"');
    }
  });

  it('lists its refused rows by page, and starts again after another run', async () => {
    const { fixture, table, runSync } = platform;
    table.rows = [...openings(30), ...badOpenings(40)];
    await runSync();
    const visitor = visit(fixture);
    const first = (await visitor.get('/console/job-sync')).text;
    expect(first).toContain('Refused rows in the order of the source: 1 to 25 of 40');
    expect(first).toContain('job_bad_25<');
    expect(first).not.toContain('job_bad_26<');
    expect(first).toContain('COMPANY_NOT_FOUND');
    expect(first).toContain('Company co_unknown does not exist.');
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first) ?? [];
    const path = next.replaceAll('&amp;', '&');
    const second = (await visitor.get(path)).text;
    expect(second).toContain('26 to 40 of 40');
    expect(second).toContain('job_bad_40<');
    expect(second).not.toContain('job_bad_25<');
    expect(second).not.toContain('rel="next"');
    await runSync();
    expect((await visitor.get(path)).text).toContain('1 to 25 of 40');
  });

  it('shows the id of a row as text, whatever the source has sent', async () => {
    const { fixture, table, runSync } = platform;
    table.rows = [...openings(30), opening(31, { id: '<b>bold</b>' as JobId })];
    await runSync();
    const { text } = await visit(fixture).get('/console/job-sync');
    expect(text).toContain('&lt;b&gt;bold&lt;/b&gt;');
    expect(text).not.toContain('<b>bold');
  });

  it('is shown with its progress while it runs, which the script refreshes', async () => {
    const { fixture } = platform;
    let finish: () => void = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    async function* slow() {
      yield* Array.from({ length: 250 }, (_, index) => opening(100 + index));
      await finished;
    }
    const run = fixture.operator.jobs.syncs.run(slow(), { missing: 'keep' });
    await vi.waitFor(async () => {
      const { operation } = await fixture.operator.jobs.syncs.last();
      expect(operation?.state).toBe('running');
      expect(operation?.sync?.added).toBeGreaterThan(0);
    });
    const visitor = visit(fixture);
    const { text } = await visitor.get('/console/job-sync');
    expect(text).toContain('A run reads the job source now.');
    expect(text).not.toContain('Run now');
    expect(text).toContain('data-live-source="/console/job-sync/live"');
    const live = JSON.parse((await visitor.get('/console/job-sync/live')).text);
    // How many rows are saved depends on the size of the commits.
    expect(live).toMatchObject({ closed: '0', progress: `${live.added} rows saved so far` });
    expect(Number(live.added)).toBeGreaterThan(0);
    expect(Number(live.added)).toBeLessThanOrEqual(250);
    for (const name of Object.keys(live)) expect(text).toContain(`data-live="${name}"`);
    finish();
    await run;
    const ended = JSON.parse((await visitor.get('/console/job-sync/live')).text);
    expect(ended.progress).toBe('The run is done.');
  });

  it('that failed says that the log has the reason', async () => {
    const { fixture, table, runSync } = platform;
    table.rows = null;
    await runSync();
    const { text } = await visit(fixture).get('/console/job-sync');
    expect(text).toContain('The last run failed.');
    expect(text).toContain('the log of the worker');
    expect(text).not.toContain('The table is locked.');
  });
});

describe('a run at once', () => {
  it('begins when somebody with the right asks for it', async () => {
    const { fixture, table } = platform;
    table.rows = openings(31);
    const visitor = visit(fixture);
    expect((await visitor.get('/console/job-sync')).text).toContain('Run now');
    expect(noticeOf(await visitor.post('/console/job-sync/run'))).toBe('A worker begins the next run now.');
    expect(noticeOf(await visitor.post('/console/job-sync/run'))).toContain('is due already');
    expect((await visitor.get('/console/job-sync')).text).toContain(
      '<dt>Next run</dt><dd>due: a worker begins it now</dd>',
    );
    await fixture.pass(1_000);
    expect(await stateOf('job_depot_31')).toBe('open');
  });

  it('is not offered without the right', async () => {
    const visitor = visit(platform.fixture);
    visitor.become(VIEWER);
    for (const path of ['/console/job-sync', '/console/jobs'])
      expect((await visitor.get(path)).text).not.toContain('Run now');
    const { status, text } = await visitor.post('/console/job-sync/run');
    expect([status, text]).toEqual([403, expect.stringContaining('jobs:sync')]);
  });

  it('is not offered by a platform whose worker has no source', async () => {
    const { fixture } = platform;
    // As if only programs called operator.jobs.syncs.run.
    const { jobs: given } = fixture.operator;
    const jobs = { ...given, syncs: { ...given.syncs, last: async () => NO_RUN } };
    const operator: typeof fixture.operator = {
      ...fixture.operator,
      jobs,
      as: () => operator,
      limitedTo: () => operator,
      through: () => operator,
    };
    const visitor = visit({ operator });
    const { text } = await visitor.get('/console/job-sync');
    expect(text).toContain('No job source is set.');
    expect(text).not.toContain('Run now');
    expect((await visitor.get('/console/jobs')).text).not.toContain('job-sync');
    expect(noticeOf(await visitor.post('/console/job-sync/run'))).toContain('No worker has a source');
  });
});

const NO_RUN = { ...NO_SYNC, operation: null, refused: [] } as const;

describe('a held run', () => {
  it('says why, and closes the missing jobs once after saying how many', async () => {
    const { fixture, runSync, holdSync } = platform;
    await holdSync();
    const visitor = visit(fixture);
    const { text } = await visitor.get('/console/job-sync');
    expect(text).toContain('The last run was held: it did not close the missing jobs.');
    expect(text).toContain('25 of 30 open jobs were missing, which is 83.3 %.');
    expect(text).toContain('Close the missing jobs once…');
    const asked = (await visitor.post('/console/job-sync/apply')).text;
    expect(asked).toContain('Close 25 jobs in the next run?');
    expect(asked).toContain('<dt>Jobs that would close</dt><dd>25</dd>');
    expect(asked).toContain('<dt>Open jobs from the source</dt><dd>30</dd>');
    expect(asked).toContain('<dt>Share that would go</dt><dd>83.3 %</dd>');
    expect(asked).toContain('Close 25 jobs once<');
    const sums = '1 company would lose jobs: Depot 25';
    expect(asked).toContain(`<dt>By company</dt><dd>${sums}</dd>`);
    expect(text).toContain(`<p>${sums}.</p>`);
    const list = (await visitor.get('/console/job-sync/held')).text;
    expect(list).toContain(`<p>${sums}.</p>`);
    expect(text).toContain('href="/console/job-sync/held"');
    for (let number = 6; number <= 30; number += 1)
      expect(list).toContain(`/console/jobs/job_depot_${number}"`);
    expect(list).not.toContain('/console/jobs/job_depot_5"');
    expect(plain(list)).toContain('the next run closes up to 25 jobs, tells each partner that sees one');
    expect((await fixture.operator.jobs.syncs.last()).applyUpTo).toBeNull();
    const fields = { confirmed: 'yes', missing: '25', reason: 'depot closes' };
    expect(noticeOf(await visitor.post('/console/job-sync/apply', fields))).toContain('once');
    const { items } = await fixture.operator.audit.list({ act: 'jobs.syncs.request', limit: 1 });
    const actor = { id: 'user_1', reason: 'depot closes' };
    expect(items).toMatchObject([{ actor, after: { applyUpTo: 25 } }]);
    const waiting = (await visitor.get('/console/job-sync')).text;
    expect(waiting).toContain('<dt>The next run may close</dt><dd>25 jobs, once</dd>');
    expect(waiting).toContain(
      'The next run may close up to 25 missing jobs, once: somebody has confirmed it.',
    );
    expect(waiting).not.toContain('did not close the missing jobs');
    expect(waiting).not.toContain('Close the missing jobs once');
    await runSync();
    expect(await stateOf('job_depot_30')).toBe('closed');
    expect(await stateOf('job_depot_5')).toBe('open');
    expect(noticeOf(await visitor.post('/console/job-sync/apply', fields))).toContain('not held anymore');
  });

  it('is applied if a later run misses no more jobs than were confirmed, and otherwise not', async () => {
    const { fixture, table, runSync, holdSync } = platform;
    await holdSync();
    const visitor = visit(fixture);
    table.rows = openings(4);
    await runSync();
    const apply = (missing: string) => visitor.post('/console/job-sync/apply', { confirmed: 'yes', missing });
    expect(noticeOf(await apply('25'))).toContain('misses more jobs than you have confirmed');
    expect((await fixture.operator.jobs.syncs.last()).applyUpTo).toBeNull();
    table.rows = openings(6);
    await runSync();
    await apply('26');
    expect((await fixture.operator.jobs.syncs.last()).applyUpTo).toBe(24);
  });

  it.each([
    ['The source had no usable row.', []],
    ['1 row had no valid job id', [...openings(29), opening(1, { id: 'depot 30' as JobId })]],
  ])('says what is wrong with the source: %s', async (reason, rows) => {
    const { fixture, table, runSync } = platform;
    table.rows = rows;
    await runSync();
    expect((await visit(fixture).get('/console/job-sync')).text).toContain(reason);
  });

  it('is applied only with the right', async () => {
    await platform.holdSync();
    const visitor = visit(platform.fixture);
    visitor.become(VIEWER);
    expect((await visitor.get('/console/job-sync')).text).not.toContain('Close the missing jobs once');
    const { status } = await visitor.post('/console/job-sync/apply', { confirmed: 'yes', missing: '25' });
    expect(status).toBe(403);
    expect((await platform.fixture.operator.jobs.syncs.last()).applyUpTo).toBeNull();
  });

  it('is named on the overview until a run is not held', async () => {
    const { fixture, table, runSync, holdSync } = platform;
    const visitor = visit(fixture);
    const overview = async () => (await visitor.get('/console')).text;
    expect(await overview()).not.toContain('The job sync is held');
    await holdSync();
    expect(await overview()).toContain(
      'The job sync is held: 25 of 30 open jobs are missing in their source.',
    );
    table.rows = null;
    await runSync();
    expect(await overview()).toContain('The job sync is held: open jobs are missing in their source.');
    table.rows = openings(30);
    await runSync();
    expect(await overview()).not.toContain('The job sync is held');
  });
});
