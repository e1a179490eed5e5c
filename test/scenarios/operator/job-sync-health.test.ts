/** What the host is told of syncs that fail, refuse rows or hold back jobs. */
import { describe, expect, it } from 'vitest';
import { LEASE_MS } from '../../../packages/core/src/features/jobs-sync/sync-state.js';
import type { JobSource } from '../../../packages/core/src/groups/jobs/source-job.js';
import { outcomeOf } from './every-command.js';
import { openSyncStage } from './job-sync-stage.js';

const { stage, operator, clock, newStory, syncAlerts } = await openSyncStage();

function* broken(): Generator<never> {
  yield* [];
  throw new Error('The table is gone.');
}

async function fail(): Promise<void> {
  await clock.advance(10);
  expect(await outcomeOf(() => operator.jobs.syncs.run(broken()))).toMatchObject({ kind: 'threw' });
}

async function run(source: readonly unknown[]): Promise<void> {
  await clock.advance(10);
  await operator.jobs.syncs.run(source as JobSource);
}

const never = new AbortController().signal;

/** Begins a run of a process that loses its database at once, and ends with its lease. */
async function leave(): Promise<void> {
  const { storage } = stage;
  let commits = 1;
  const dying = stage.syncs(
    { read: () => broken(), everyMs: 1 },
    {
      storage: {
        ...storage,
        transaction: (work) => {
          commits -= 1;
          return commits < 0 ? Promise.reject(new Error('The line is cut.')) : storage.transaction(work);
        },
      },
    },
  );
  await outcomeOf(() => dying.run(never));
  clock.suspend(LEASE_MS + 1);
}

describe('syncs that fail', () => {
  it('raise one alert after two in a row, and one when a run is good again', async () => {
    const { rows } = await newStory();
    await run(rows(2));
    const goodAt = (await operator.jobs.syncs.last()).goodAt;
    await fail();
    expect(await syncAlerts()).toEqual([]);
    await fail();
    const { operation } = await operator.jobs.syncs.last();
    expect(await syncAlerts()).toEqual([
      {
        id: expect.stringMatching(/^alr_/),
        kind: 'jobs_sync_failed',
        at: operation?.finishedAt,
        operationId: operation?.id,
        failures: 2,
        goodAt,
        lastError: 'Error: the caller, or the log of the worker, has the details. Nothing was closed.',
      },
    ]);
    await fail();
    expect(await operator.jobs.syncs.last()).toMatchObject({ failures: 3, goodAt });
    expect(await syncAlerts()).toEqual([]);
    await run(rows(2));
    expect(await syncAlerts()).toMatchObject([{ kind: 'jobs_sync_recovered', ended: ['failed'] }]);
    expect(await operator.jobs.syncs.last()).toMatchObject({ failures: 0 });
    await fail();
    await fail();
    expect(await syncAlerts()).toMatchObject([{ kind: 'jobs_sync_failed' }]);
  });

  it('raise no alert if a good run is between them, or one was stopped', async () => {
    const { rows } = await newStory();
    await fail();
    const { operation, goodAt } = await operator.jobs.syncs.last();
    expect(goodAt).toBe(operation?.createdAt);
    await run(rows(2));
    await fail();
    const abort = new AbortController();
    abort.abort(new Error('enough'));
    await outcomeOf(() => operator.jobs.syncs.run(rows(2), { signal: abort.signal }));
    expect(await syncAlerts()).toEqual([]);
    expect(await operator.jobs.syncs.last()).toMatchObject({ failures: 1, operation: { state: 'stopped' } });
  });

  it('count if their process was killed, whoever finds that out', async () => {
    const { rows } = await newStory();
    await leave();
    expect(await stage.stepper().step()).toMatchObject({ operation: { state: 'failed' } });
    expect(await stage.stepper().step()).toBeNull();
    expect(await operator.jobs.syncs.last()).toMatchObject({ failures: 1 });
    await leave();
    await run(rows(2));
    expect(await syncAlerts()).toMatchObject([
      { kind: 'jobs_sync_failed', failures: 2 },
      { kind: 'jobs_sync_recovered', ended: ['failed'] },
    ]);
  });

  it('of a worker count for all processes', async () => {
    const { rows } = await newStory();
    const worker = stage.syncs({ read: () => broken(), everyMs: 1 });
    await outcomeOf(() => worker.run(never));
    await fail();
    expect(await syncAlerts()).toMatchObject([{ kind: 'jobs_sync_failed' }]);
    await clock.advance(10);
    await stage.syncs({ read: () => rows(2), everyMs: 1 }).run(never);
    expect(await syncAlerts()).toMatchObject([{ kind: 'jobs_sync_recovered' }]);
  });
});

describe('syncs that refuse rows', () => {
  it('raise one alert with the count, and one when no row is refused', async () => {
    const { rows, row } = await newStory();
    const bad = [...rows(2), row(2, { title: '' }), row(3, { title: '' })];
    await run(bad);
    const { operation } = await operator.jobs.syncs.last();
    expect(await syncAlerts()).toMatchObject([
      { kind: 'jobs_sync_refused_rows', operationId: operation?.id, refused: 2 },
    ]);
    await run(bad.slice(1));
    await fail();
    expect(await syncAlerts()).toEqual([]);
    expect(await operator.jobs.syncs.last()).toMatchObject({ refusedRows: 2, failures: 1 });
    await run(rows(4));
    expect(await syncAlerts()).toMatchObject([{ kind: 'jobs_sync_recovered', ended: ['refused_rows'] }]);
  });

  it('and hold back jobs raise both alerts, and one when all is well', async () => {
    const { rows, row } = await newStory();
    await run(rows(30));
    const bad = [row('new', { title: '' }), ...rows(5)];
    await run(bad);
    expect((await syncAlerts()).map(({ kind }) => kind).sort()).toEqual([
      'jobs_sync_held',
      'jobs_sync_refused_rows',
    ]);
    expect(await operator.jobs.syncs.last()).toMatchObject({ isHeld: true, heldJobs: 25, refusedRows: 1 });
    await run(rows(30));
    expect(await syncAlerts()).toMatchObject([
      { kind: 'jobs_sync_recovered', ended: ['refused_rows', 'held'] },
    ]);
    expect(await operator.jobs.syncs.last()).toMatchObject({ isHeld: false, heldJobs: 0, refusedRows: 0 });
  });
});
