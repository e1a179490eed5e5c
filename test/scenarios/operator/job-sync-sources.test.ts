import { describe, expect, it } from 'vitest';
import type { CompanyId } from '../../../packages/core/src/domain/ids.js';
import { SOURCE_WAIT_MS } from '../../../packages/core/src/features/jobs-sync/sync-run.js';
import { LEASE_MS } from '../../../packages/core/src/features/jobs-sync/sync-state.js';
import type { JobSource, SourceJob } from '../../../packages/core/src/groups/jobs/source-job.js';
import { outcomeOf } from './every-command.js';
import { openSyncStage } from './job-sync-stage.js';
import { PICKER } from './stage.js';

const { stage, operator, clock, newStory, heldAlerts } = await openSyncStage();
const { syncs } = operator.jobs;

type Story = Awaited<ReturnType<typeof newStory>>;

/** More jobs than a run always closes. */
const JOBS = 30;

/** Rows that cannot be taken: half of them name jobs that are open. */
function badRows({ row, id }: Story, sandboxCompany: CompanyId): readonly unknown[] {
  return [
    row(0, { title: '' }),
    row(1, { companyId: 'co_none' }),
    row(2, { companyId: sandboxCompany }),
    { ...row(3), compensation: null },
    row(4, { company: { id: 'co_both', name: 'Both' } }),
    row(5, { companyId: `co_\0` }),
    row(6, { companyId: undefined, company: { id: `co_\ud800`, name: 'Half' } }),
    row(7, { companyId: undefined, company: { id: `co_\0`, name: 'Nothing' } }),
    row(8, { version: '' }),
    { ...row(9), unknown: true },
    row('sandbox'),
    row(10),
    { id: id(10) },
  ];
}

const HUGE = 'x'.repeat(10_000_000);

function hugeRows({ row }: Story): readonly unknown[] {
  return [
    row(0, { title: HUGE }),
    row(1, { companyId: `co_${HUGE}` }),
    row(2, { companyId: undefined, company: { id: 'co_huge', name: HUGE } }),
    row(3, { version: HUGE }),
    { ...row(4), [HUGE]: 1 },
  ];
}

/** Rows that do not say which job they are. */
const unidentified = ({ row }: Story): readonly unknown[] => [
  { ...row(0), id: undefined },
  { ...row(1), id: 'JOB-1' },
  { ...row(2), id: 'job_' },
  { ...row(3), id: `job_${'x'.repeat(121)}` },
  { ...row(4), id: `job_\0` },
  { ...row(5), id: 6 },
  { ...row(6), id: `job_${HUGE}` },
  null,
  [],
  'job_1',
];

function* thenThrow(rows: readonly unknown[]) {
  yield* rows;
  throw new Error('broken');
}

async function* awaitThenThrow(rows: readonly unknown[]) {
  yield* thenThrow(rows);
}

/** Rows may be anything. */
const asSource = (rows: Iterable<unknown> | AsyncIterable<unknown>) => rows as JobSource;

describe('a broken source', () => {
  it.each([
    ['is empty', async () => [], 2],
    ['is empty and large', async () => [], 30],
  ] as const)('that %s closes nothing, is held, and raises one alert', async (_, source, count) => {
    const { rows, states } = await newStory();
    await syncs.run(rows(count));
    await clock.advance(10);
    const held = await syncs.run(await source());
    expect(held).toMatchObject({ state: 'held', closed: 0, missing: count, open: count });
    expect(await syncs.run(await source())).toMatchObject({ state: 'held' });
    expect(await states(0, count - 1)).toEqual(['open', 'open']);
    expect(await heldAlerts()).toMatchObject([
      { kind: 'jobs_sync_held', operationId: held.operationId, missing: count },
    ]);
  });

  it.each([
    ['repeats each row', ({ rows }: Story) => [...rows(JOBS), ...rows(JOBS)], 0],
    ['repeats one row and has lost another', ({ rows, row }: Story) => [...rows(JOBS).slice(1), row(1)], 1],
  ] as const)('that %s takes each job once', async (_, sourceOf, closed) => {
    const story = await newStory();
    await syncs.run(story.rows(JOBS));
    await clock.advance(10);
    const result = await syncs.run(sourceOf(story));
    expect(result).toMatchObject({ state: 'done', unchanged: JOBS - closed, closed });
    expect(new Set(result.refused.map(({ code }) => code))).toEqual(new Set(['DUPLICATE_ID']));
    expect((await story.eventsOf()).length).toBe(JOBS + closed);
  });

  it('that has 30 % bad rows takes the others, and closes nothing', async () => {
    const story = await newStory();
    const { rows, row, id, eventsOf } = story;
    const sandboxCompany = await stage.company('sandbox');
    await operator.jobs.publish({ ...PICKER, id: id('sandbox'), companyId: sandboxCompany });
    await syncs.run(rows(JOBS));
    const before = await eventsOf();
    await clock.advance(10);
    const bad = badRows(story, sandboxCompany);
    const result = await syncs.run(asSource([...bad, ...rows(JOBS).slice(11), row('new')]));
    // One row of the bad ones is good, but the next one repeats its id.
    expect(result).toMatchObject({
      state: 'done',
      closed: 0,
      missing: 0,
      added: 1,
      refusedCount: bad.length - 1,
    });
    expect(new Set(result.refused.map(({ code }) => code)).size).toBe(5);
    expect(await eventsOf()).toEqual([...before, `job.opened ${id('new')}`]);
  });

  it('that yields 10,000,000 characters gets short messages, and closes nothing', async () => {
    const story = await newStory();
    await syncs.run(story.rows(JOBS));
    await clock.advance(10);
    const result = await syncs.run(asSource([...hugeRows(story), ...story.rows(JOBS).slice(5)]));
    expect(result).toMatchObject({ state: 'done', closed: 0, refusedCount: 5, unchanged: JOBS - 5 });
    const lengths = result.refused.map(({ message }) => message.length);
    expect(Math.max(...lengths)).toBeLessThan(2_000);
  });

  it('that has rows without a usable id takes the others, and is held', async () => {
    const story = await newStory();
    await syncs.run(story.rows(JOBS));
    await clock.advance(10);
    const bad = unidentified(story);
    const source = asSource([...bad, story.row('new'), ...story.rows(JOBS).slice(7)]);
    expect(await syncs.run(source)).toMatchObject({
      state: 'held',
      closed: 0,
      added: 1,
      missing: 7,
      refusedCount: bad.length,
    });
    expect((await story.eventsOf()).filter((event) => event.startsWith('job.closed'))).toEqual([]);
  });

  it('that has only rows of the other environment closes nothing, and is held', async () => {
    const { rows, row, states } = await newStory();
    const companyId = await stage.company('sandbox');
    await syncs.run(rows(2));
    await clock.advance(10);
    const foreign = [row('a', { companyId }), row('b', { companyId })];
    expect(await syncs.run(foreign)).toMatchObject({ state: 'held', closed: 0, missing: 2 });
    expect(await syncs.run(foreign, { dryRun: true })).toMatchObject({ state: 'held', closed: 0 });
    expect(await syncs.run(foreign, { adopt: true })).toMatchObject({ state: 'held', closed: 0 });
    expect(await states(0, 1)).toEqual(['open', 'open']);
  });

  it.each([
    ['throws at once', () => thenThrow([])],
    ['rejects at once', () => awaitThenThrow([])],
    ['throws after its last row', ({ rows }: Story) => thenThrow(rows(JOBS).slice(1))],
    ['rejects after its last row', ({ rows }: Story) => awaitThenThrow(rows(JOBS).slice(1))],
    [
      'cannot be opened',
      () => ({
        [Symbol.iterator]: () => {
          throw new Error('broken');
        },
      }),
    ],
  ] as const)('that %s fails the run, and closes nothing', async (_, sourceOf) => {
    const story = await newStory();
    await syncs.run(story.rows(JOBS));
    await clock.advance(10);
    await expect(syncs.run(asSource(sourceOf(story)))).rejects.toThrow('broken');
    const { operation } = await syncs.last();
    expect(operation).toMatchObject({ state: 'failed', sync: { closed: 0, missing: 0 } });
    expect(await story.eventsOf()).toHaveLength(JOBS);
  });

  it('that throws when it is released does not change how the run ends', async () => {
    const { rows, row } = await newStory();
    await syncs.run(rows(2));
    const abort = new AbortController();
    let read = 0;
    const source = {
      [Symbol.iterator]: () => ({
        next() {
          read += 1;
          if (read === 600) abort.abort(new Error('enough'));
          return { value: row(`n${read}`), done: false };
        },
        return() {
          throw new Error('The connection is lost.');
        },
      }),
    };
    await expect(syncs.run(source, { signal: abort.signal })).rejects.toThrow('enough');
    const { operation } = await syncs.last();
    expect(operation).toMatchObject({ state: 'stopped', sync: { added: expect.any(Number) } });
    expect(operation?.sync?.added).toBeGreaterThan(0);
  });

  it('that has lost more than a fifth of its jobs is held, and all other changes stand', async () => {
    const { rows, row } = await newStory();
    await syncs.run(rows(100));
    await clock.advance(10);
    const some = rows(100).slice(21);
    expect(await syncs.run([...some, row('new')])).toMatchObject({
      state: 'held',
      added: 1,
      missing: 21,
    });
    expect(await syncs.run([...some, row('new')], { missingShareAtMost: 0.21 })).toMatchObject({
      state: 'done',
      closed: 21,
    });
    expect(await syncs.run(some.slice(20))).toMatchObject({ state: 'held', missing: 21 });
    expect(await syncs.run(some.slice(19))).toMatchObject({ state: 'done', closed: 20 });
  });

  it('that is held is applied once, up to the number that was held', async () => {
    const { rows } = await newStory();
    await syncs.run(rows(60));
    await clock.advance(10);
    const { operationId } = await syncs.run(rows(20));
    if (operationId === null) throw new Error('There is no operation.');
    expect(await syncs.request({ applyHeld: operationId })).toEqual({ changed: true });
    expect(await syncs.request({ applyHeld: operationId })).toEqual({ changed: false });
    expect(await syncs.last()).toMatchObject({ applyUpTo: 40, isHeld: true });
    expect(await syncs.run(rows(20))).toMatchObject({ state: 'done', closed: 40 });
    expect(await syncs.last()).toMatchObject({ applyUpTo: null, isHeld: false });
    await expect(syncs.request({ applyHeld: operationId })).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
    });
  });

  it('that breaks off fails the run, keeps what was committed, and closes nothing', async () => {
    const { rows, row, states } = await newStory();
    await syncs.run(rows(2));
    await clock.advance(10);
    const broken = new Error('connection lost to secret-host');
    async function* source() {
      for (let number = 0; number < 250; number += 1) yield row(`n${number}`);
      throw broken;
    }
    await expect(syncs.run(source())).rejects.toBe(broken);
    const { operation } = await syncs.last();
    expect(operation).toMatchObject({ state: 'failed', sync: { closed: 0 } });
    const added = operation?.sync?.added ?? 0;
    expect(added).toBeGreaterThan(0);
    expect(operation?.lastError).not.toContain('secret-host');
    expect(await states(0, `n${added - 1}`)).toEqual(['open', 'open']);
    await clock.advance(10);
    const again = await syncs.run([...rows(2), ...Array.from({ length: 250 }, (_, n) => row(`n${n}`))]);
    expect(again).toMatchObject({ unchanged: 2 + added, added: 250 - added });
  });

  it('that hangs fails the run after five minutes, and closes nothing', async () => {
    const { rows, states } = await newStory();
    await syncs.run(rows(2));
    let isReleased = false;
    let isAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          isAsked();
          return new Promise<IteratorResult<SourceJob>>(() => {});
        },
        return: async () => {
          isReleased = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const run = outcomeOf(() => syncs.run(source));
    await asked;
    for (let waited = 0; waited <= SOURCE_WAIT_MS + LEASE_MS / 3; waited += LEASE_MS / 3)
      await clock.advance(LEASE_MS / 3);
    expect(await run).toMatchObject({ error: { message: 'The source gave no row for 5 minutes.' } });
    expect(isReleased).toBe(true);
    expect((await syncs.last()).operation).toMatchObject({
      state: 'failed',
      lastError: expect.stringContaining('no row'),
    });
    expect(await states(0, 1)).toEqual(['open', 'open']);
  });
});
