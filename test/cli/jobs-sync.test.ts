/** `jobs sync` and the commands beside it, on both storages. */
import { NO_SYNC } from '@partner-hiring/core/ports';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, test } from 'vitest';
import { type JobLine, openJobFiles } from './job-files.js';
import { type CliServer, openServer } from './open-server.js';

const [ONE, TWO, THREE] = [{ id: 'job_1' }, { id: 'job_2' }, { id: 'job_3' }] as const;
const THIRTY = Array.from({ length: 30 }, (_, number) => ({ id: `job_many${number}` }));

/** Opens a server, and a program that syncs files. */
async function openStage() {
  const server = await openServer();
  const write = await openJobFiles();
  const sync = async (lines: readonly (JobLine | string)[], ...options: readonly string[]) =>
    server.cli('jobs', 'sync', '--file', await write(...lines), ...options);
  return { ...server, sync, states: () => statesOf(server) };
}

async function statesOf({ partnerHiring }: CliServer): Promise<Readonly<Record<string, string>>> {
  const { items } = await partnerHiring.operator.jobs.list({ limit: 1_000 });
  return Object.fromEntries(items.map(({ id, state }) => [id, state]));
}

test('jobs sync adds, updates, reopens and closes the jobs of a file, and says how many', async () => {
  const { sync, states, cli, json } = await openStage();
  const added = await sync([ONE, TWO]);
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout).toMatch(
    /^2 added, 0 updated, 0 reopened, 0 closed, 0 unchanged, 0 refused\. Operation: op_\w+$/,
  );
  const changed = await sync([{ ...ONE, title: 'Waiter' }, THREE], '--as', 'ada', '--reason', 'ticket-815');
  expect(changed.stdout).toMatch(/^1 added, 1 updated, 0 reopened, 1 closed, 0 unchanged, 0 refused\. /);
  expect(await states()).toEqual({ job_1: 'open', job_2: 'closed', job_3: 'open' });

  const [, operation = ''] = /Operation: (\S+)$/.exec(changed.stdout) ?? [];
  expect((await cli('operations', 'show', operation)).stdout).toBe(
    'sync_jobs is done: 1 added, 1 updated, 0 reopened, 1 closed, 0 unchanged, 0 refused.',
  );
  expect(await json('audit', 'list', '--actor', 'ada')).toMatchObject({
    items: [{ act: 'jobs.syncs.run', count: 3, actor: { reason: 'ticket-815' } }],
  });
  const repeated = await sync([{ ...ONE, title: 'Waiter' }, TWO, THREE], '--json');
  expect(JSON.parse(repeated.stdout)).toMatchObject({
    operationId: expect.stringMatching(/^op_/),
    state: 'done',
    reopened: 1,
    unchanged: 2,
    refusedCount: 0,
    refused: [],
  });
});

test('jobs sync and jobs last-sync warn of pay that is probably a salary, and exit with 0', async () => {
  const { sync, cli } = await openStage();
  const lines = [ONE, { ...TWO, pay: 52_000 }, ...THIRTY.slice(0, 3).map((job) => ({ ...job, pay: 501 }))];
  const warning =
    'Pay above 500 per hour: 4 jobs (job_2, job_many0, job_many1, …). Pay is per hour: divide a salary by its hours.';
  for (const run of [await sync(lines), await cli('jobs', 'last-sync')]) {
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout.split('\n')).toContain(warning);
  }
});

test('jobs sync prints refused rows with their line, exits with 1, and closes nothing after a line without an id', async () => {
  const { sync, states, cli } = await openStage();
  await sync([ONE, TWO]);
  const bad = ['whsec_abc', { ...ONE, title: '' }, '[]', '{}', THREE] as const;
  const { code, stdout, stderr } = await sync([...bad]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toMatch(/^1 added, 0 updated, 0 reopened, 0 closed, 0 unchanged, 4 refused\. /);
  expect(stdout).toMatch(/^REFUSED +CODE +WHY$/m);
  expect(stdout).toMatch(/^- +INVALID_INPUT +Line 1 is not JSON\.$/m);
  expect(stdout).toMatch(/^job_1 +INVALID_INPUT +title must be /m);
  expect(stdout).toMatch(/^- +INVALID_INPUT +Line 3 is not a JSON object: /m);
  expect(stdout).toMatch(/^- +INVALID_INPUT +Line 4 has no id: /m);
  expect(stdout).toMatch(
    /^Held: no missing job is closed\. 3 rows had no valid job id, so any missing job may be one of them\. /m,
  );
  expect(stdout).not.toContain('whsec');
  expect(await states()).toEqual({ job_1: 'open', job_2: 'open', job_3: 'open' });
  const last = await cli('jobs', 'last-sync');
  expect(last.code).toBe(1);
  expect(last.stdout).toContain('Line 4 has no id');
});

test('jobs sync prints the first 20 refused rows, and how many more there are', async () => {
  const { sync } = await openStage();
  const { code, stdout } = await sync(Array.from({ length: 25 }, () => ONE));
  expect(code).toBe(1);
  expect(stdout.match(/DUPLICATE_ID/g)).toHaveLength(20);
  expect(stdout).toMatch(/^… and 4 more\. --json prints the first 1,000\.$/m);
});

test('jobs sync only counts with --dry-run, and takes --missing, --missing-share-at-most and --adopt', async () => {
  const { sync, states, partnerHiring } = await openStage();
  await sync([ONE, ...THIRTY]);
  const before = await states();
  const dry = await sync([ONE], '--dry-run', '--missing-share-at-most', '1');
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toBe(
    'Nothing was changed. A sync would give: 0 added, 0 updated, 0 reopened, 30 closed, 1 unchanged, 0 refused.',
  );
  const held = await sync([ONE], '--dry-run');
  expect(held.code).toBe(1);
  expect(held.stdout).toMatch(/^Held: no missing job is closed\. 30 of 31 open jobs were missing, /m);
  expect((await sync([ONE], '--missing', 'keep')).stdout).toContain(' 0 closed, ');
  expect(await states()).toEqual(before);

  const archived = await sync([ONE], '--missing', 'archive', '--missing-share-at-most', '1');
  expect(archived.stdout).toMatch(/, 30 archived, 1 unchanged/);
  const location = { city: 'Reno', state: 'NV', country: 'US' };
  const own = { title: 'Own', location, compensation: { currency: 'USD' } };
  await partnerHiring.operator.jobs.publish({ ...own, id: 'job_own', companyId: 'co_bistro' });
  expect((await sync([ONE])).stdout).toContain(' 0 closed, ');
  expect((await sync([ONE], '--adopt')).stdout).toContain(' 1 closed, ');
  expect(await states()).toMatchObject({ job_own: 'closed', job_many0: 'archived', job_1: 'open' });

  for (const part of ['1.5', '-1', '20%']) {
    const refused = await sync([], '--missing-share-at-most', part);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: /^--missing-share-at-most must be a / });
  }
});

test('a held sync says what to do, and is applied once', async () => {
  const { sync, states, cli, json } = await openStage();
  await sync([ONE, TWO]);
  const held = await sync([]);
  expect(held).toMatchObject({ code: 1, stderr: '' });
  const [, apply = ''] =
    /^Held: no missing job is closed\. The source had no usable row\. .*: (jobs sync-soon --apply-held op_\w+)$/m.exec(
      held.stdout,
    ) ?? [];
  expect(apply).not.toBe('');
  const last = await cli('jobs', 'last-sync');
  expect(last).toMatchObject({ code: 1, stderr: '' });
  expect(last.stdout).toContain(apply);
  expect((await cli('operations', 'show', apply.split(' ')[3] ?? '')).stdout).toContain(apply);

  expect((await cli(...apply.split(' '))).stdout).toMatch(
    /^Allowed once: .* Otherwise, run your sync again\.$/,
  );
  expect((await cli(...apply.split(' '))).stdout).toMatch(/^Unchanged: /);
  expect((await cli('jobs', 'last-sync')).stdout).toContain('The next sync may close up to 2 missing jobs.');
  expect((await sync([])).stdout).toContain(' 2 closed, ');
  expect(await states()).toEqual({ job_1: 'closed', job_2: 'closed' });
  expect(await json('jobs', 'last-sync')).toMatchObject({ operation: { state: 'done' }, isHeld: false });
  const again = await cli(...apply.split(' '));
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toMatch(/^ILLEGAL_MOVE: .* jobs last-sync shows the last run\.$/);
});

test('jobs last-sync and sync-soon say whether a worker has a source', async () => {
  const { cli, storage, json } = await openStage();
  expect((await cli('jobs', 'last-sync')).stdout).toBe('No sync has run.\n\nNo worker has a source of jobs.');
  const none = await cli('jobs', 'sync-soon');
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toMatch(/^SYNC_NOT_FOUND: No worker has a source of jobs\. .* or call jobs sync\.$/);

  const at = Date.now() + 3_600_000;
  await storage.direct.jobSyncs.save({ ...NO_SYNC, dueAt: at });
  const due = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  expect((await cli('jobs', 'last-sync')).stdout).toContain(`A worker begins the next sync at ${due}`);
  expect((await cli('jobs', 'sync-soon')).stdout).toBe('A worker begins a sync now.');
  expect((await cli('jobs', 'sync-soon')).stdout).toBe('Unchanged: a sync is already due.');
  expect(await json('jobs', 'last-sync')).toMatchObject({ operation: null, refused: [] });
});

test('a file that cannot be read is refused before a run begins, and the error does not repeat its name', async () => {
  const { cli, json } = await openStage();
  const folder = temporaryFolder();
  for (const [file, why] of [
    [`${folder}/none.ndjson`, 'the file does not exist'],
    [folder, 'it is a folder'],
    [`${folder}/none/jobs.ndjson`, 'the file does not exist'],
  ] as const) {
    expect(await cli('jobs', 'sync', '--file', file)).toEqual({
      code: 2,
      stdout: '',
      stderr: `--file must be the path of a file of jobs: ${why}.`,
    });
  }
  expect(await json('operations', 'list')).toMatchObject({ items: [] });
});

test('jobs list needs no company, and has pages', async () => {
  const { sync, cli, json } = await openStage();
  await sync([ONE, TWO, THREE]);
  await cli('jobs', 'close', 'job_2', '--yes');
  expect((await cli('jobs', 'list')).stdout).toMatch(/^job_1 +Line Cook +co_bistro +Bistro Nord +open/m);
  const first = (await json('jobs', '--limit', '2')) as {
    readonly items: readonly object[];
    readonly nextCursor: string;
  };
  expect(first.items).toHaveLength(2);
  expect(await json('jobs', '--limit', '2', '--cursor', first.nextCursor)).toMatchObject({
    items: [{}],
    nextCursor: null,
  });
  expect(await json('jobs', '--state', 'closed')).toMatchObject({ items: [{ id: 'job_2' }] });
});
