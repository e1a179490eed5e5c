/** Several workers with the option `jobs`, of which one has a source that hangs, dies, or is stopped. */
import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { SOURCE_WAIT_MS } from '../../../packages/core/src/features/jobs-sync/sync-run.js';
import { LEASE_MS } from '../../../packages/core/src/features/jobs-sync/sync-state.js';
import type { SourceJob } from '../../../packages/core/src/groups/jobs/source-job.js';
import { outcomeOf } from './every-command.js';
import { openSyncStage } from './job-sync-stage.js';

const { stage, operator, clock, newStory, heldAlerts } = await openSyncStage();

/** The pause between two renewals of a lease. */
const RENEW_MS = LEASE_MS / 3;

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= RENEW_MS) await clock.advance(Math.min(left, RENEW_MS));
}

/** A worker whose source hangs before its rows, until it goes on. The line to its database can be cut. */
function hangingWorker(rows: readonly SourceJob[]) {
  const { storage } = stage;
  let reads = 0;
  let isCut = false;
  let goOn: () => void = () => {};
  let noteRead: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    noteRead = resolve;
  });
  const syncs = stage.syncs(
    {
      everyMs: MINUTE_MS,
      async *read() {
        reads += 1;
        noteRead();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        yield* rows;
      },
    },
    {
      storage: {
        ...storage,
        transaction: (work) =>
          isCut ? Promise.reject(new Error('The line is cut.')) : storage.transaction(work),
      },
    },
  );
  return {
    syncs,
    asked,
    reads: () => reads,
    goOn: () => goOn(),
    cut: (cut: boolean) => {
      isCut = cut;
    },
  };
}

/** Begins a run whose source hangs. */
async function begin(
  { syncs, asked }: ReturnType<typeof hangingWorker>,
  signal = new AbortController().signal,
) {
  expect(await syncs.dueIn()).toBe(0);
  const run = outcomeOf(() => syncs.run(signal));
  await asked;
  const { operation } = await operator.jobs.syncs.last();
  if (operation?.state !== 'running') throw new Error('The run has not begun.');
  return { run, id: operation.id };
}

/** A worker that permanently loses the database after so many commits. */
function dyingWorker(rows: readonly SourceJob[], commits: number) {
  const { storage } = stage;
  let left = commits;
  return stage.syncs(
    { read: () => rows },
    {
      storage: {
        ...storage,
        transaction: (work) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error('The line is cut.')) : storage.transaction(work);
        },
      },
    },
  );
}

describe('a worker that applies a held sync', () => {
  it.each([
    ['begin', 1, [0, 0]],
    ['first closing commit', 2, [1, 289]],
    ['last closing commit', 3, [290, 290]],
  ] as const)(
    'and dies after the %s leaves the rest to the next run, once',
    async (_, commits, [least, most]) => {
      const { rows, eventsOf } = await newStory();
      const isClosing = (event: string) => event.startsWith('job.closed');
      await operator.jobs.syncs.run(rows(300));
      await clock.advance(10);
      const { operationId } = await operator.jobs.syncs.run(rows(10));
      await operator.jobs.syncs.request({ applyHeld: operationId ?? 'op_none' });
      const dying = dyingWorker(rows(10), commits);
      expect(await outcomeOf(() => dying.run(new AbortController().signal))).toMatchObject({ kind: 'threw' });
      clock.suspend(LEASE_MS + 1);
      expect(await stage.stepper().step()).toMatchObject({ operation: { state: 'failed' } });
      const closed = (await operator.jobs.syncs.last()).operation?.sync?.closed ?? -1;
      expect(closed).toBeGreaterThanOrEqual(least);
      expect(closed).toBeLessThanOrEqual(most);
      expect((await eventsOf()).filter(isClosing)).toHaveLength(closed);
      expect(await operator.jobs.syncs.last()).toMatchObject({ applyUpTo: 290, isHeld: true });
      expect(await dyingWorker(rows(10), 9).run(new AbortController().signal)).toMatchObject({
        state: 'done',
        sync: { closed: 290 - closed },
      });
      expect(await operator.jobs.syncs.last()).toMatchObject({ applyUpTo: null, isHeld: false });
      const events = (await eventsOf()).filter(isClosing);
      expect([events.length, new Set(events).size]).toEqual([290, 290]);
      expect(await heldAlerts()).toHaveLength(1);
    },
  );
});

describe('a worker whose source hangs', () => {
  it('keeps its lease for five minutes, then fails and closes nothing, and another worker reads only after that', async () => {
    const { rows, row, states } = await newStory();
    await operator.jobs.syncs.run(rows(2));
    await clock.advance(10);
    const { run, id } = await begin(hangingWorker([row(0)]));
    const other = stage.syncs({ read: () => [...rows(2), row('new')] });
    for (let waited = 0; waited < SOURCE_WAIT_MS - RENEW_MS; waited += RENEW_MS) {
      await clock.advance(RENEW_MS);
      expect(await other.dueIn()).toBeGreaterThan(0);
      expect(await other.run(new AbortController().signal)).toBeNull();
      expect(await stage.stepper().step()).toBeNull();
    }
    await pass(3 * RENEW_MS);
    expect(await run).toMatchObject({ error: { message: 'The source gave no row for 5 minutes.' } });
    expect(await operator.operations.find({ id })).toMatchObject({ state: 'failed', sync: { closed: 0 } });
    expect(await states(0, 1)).toEqual(['open', 'open']);
    expect(await other.dueIn()).toBeGreaterThan(0);
    await pass(MINUTE_MS);
    expect(await other.dueIn()).toBe(0);
    expect(await other.run(new AbortController().signal)).toMatchObject({
      state: 'done',
      sync: { added: 1, unchanged: 2, closed: 0 },
    });
  });

  it('stops its run with the worker, closes nothing, and another worker reads at once', async () => {
    const { rows, row, states } = await newStory();
    await operator.jobs.syncs.run(rows(2));
    await clock.advance(10);
    const stop = new AbortController();
    const { run, id } = await begin(hangingWorker([row(0)]), stop.signal);
    stop.abort(new Error('The worker stops.'));
    expect(await run).toMatchObject({ error: { message: 'The worker stops.' } });
    expect(await operator.operations.find({ id })).toMatchObject({ state: 'stopped', sync: { closed: 0 } });
    expect(await states(0, 1)).toEqual(['open', 'open']);
    const other = stage.syncs({ read: () => [...rows(2), row('new')] });
    expect(await other.dueIn()).toBe(0);
    expect(await other.run(new AbortController().signal)).toMatchObject({
      state: 'done',
      sync: { added: 1 },
    });
  });

  it('and that has lost the database leaves its run to another worker after half a minute, and changes nothing anymore', async () => {
    const { rows, row, states } = await newStory();
    await operator.jobs.syncs.run(rows(2));
    await clock.advance(10);
    const lost = hangingWorker([row('late')]);
    const { run, id } = await begin(lost);
    lost.cut(true);
    const other = stage.syncs({ read: () => [row(0), row('new')] });
    await pass(LEASE_MS - SECOND_MS);
    expect(await other.run(new AbortController().signal)).toBeNull();
    await pass(2 * SECOND_MS);
    expect(await other.run(new AbortController().signal)).toMatchObject({ sync: { added: 1, closed: 1 } });
    expect(await operator.operations.find({ id })).toMatchObject({
      state: 'failed',
      lastError: expect.stringContaining('The next run reads the source from its start.'),
    });
    lost.cut(false);
    lost.goOn();
    await run;
    expect(await states(0, 1, 'late', 'new')).toEqual(['open', 'closed', null, 'open']);
    expect(await operator.operations.find({ id })).toMatchObject({ state: 'failed', sync: { added: 0 } });
  });

  it('reads again only after its usual pause if an operator has stopped its run', async () => {
    const { row } = await newStory();
    const worker = hangingWorker([row(0)]);
    const { run, id } = await begin(worker);
    const other = stage.syncs({ everyMs: MINUTE_MS, read: () => [row(0)] });
    await operator.operations.stop({ id });
    expect(await other.dueIn()).toBe(MINUTE_MS);
    expect(await other.run(new AbortController().signal)).toBeNull();
    await pass(2 * RENEW_MS);
    expect(await run).toMatchObject({ answer: { id, state: 'stopped' } });
    await pass(MINUTE_MS);
    expect(await other.run(new AbortController().signal)).toMatchObject({ sync: { added: 1 } });
    expect(worker.reads()).toBe(1);
  });
});
