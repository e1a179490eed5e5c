import { describe, expect, it, vi } from 'vitest';
import { LEASE_MS } from '../../../packages/core/src/features/jobs-sync/sync-state.js';
import { openSyncStage } from './job-sync-stage.js';

const { stage, operator, clock, newStory } = await openSyncStage();

describe('a run of a sync', () => {
  it('is an operation, one act with counts, and one entry in the timeline of each changed job', async () => {
    const { rows, id } = await newStory();
    const { operationId } = await operator.as({ id: 'user_7' }).jobs.syncs.run(rows(3));
    if (operationId === null) throw new Error('There is no operation.');
    expect(await operator.operations.find({ id: operationId })).toMatchObject({
      plan: { kind: 'sync_jobs', missing: 'close' },
      startedBy: { id: 'user_7' },
      state: 'done',
      counts: { done: 3, skipped: 0, total: 3 },
      sync: { added: 3, open: 3 },
    });
    const { items: acts } = await operator.audit.list({ object: { kind: 'operation', id: operationId } });
    expect(acts).toMatchObject([
      { act: 'jobs.syncs.run', actor: { id: 'user_7' }, count: 3, after: { added: 3 } },
    ]);
    const whole = await operator.audit.find({ id: acts[0]?.id ?? 'aud_none' });
    const changed = [0, 1, 2].map((number) => ({ kind: 'job', id: id(number) }));
    expect(whole?.allObjects.items).toMatchObject([{ kind: 'operation', id: operationId }, ...changed]);
    const { entries } = await operator.timelines.find({ jobId: id(1) });
    expect(entries).toMatchObject([{ kind: 'command', auditEntry: { id: acts[0]?.id, count: 3 } }]);
  });

  it('that changes nothing leaves no act, and leaves the list when the next run begins', async () => {
    const { rows } = await newStory();
    await operator.jobs.syncs.run(rows(3));
    const quiet = (await operator.jobs.syncs.run(rows(3))).operationId;
    if (quiet === null) throw new Error('There is no operation.');
    expect((await operator.audit.list({ object: { kind: 'operation', id: quiet } })).items).toEqual([]);
    await operator.jobs.syncs.run(rows(3));
    expect(await operator.operations.find({ id: quiet })).toBeNull();
  });

  it.each([
    ['The source had no usable row.', 0, 0],
    ['2 rows had no valid job id, so any missing job may be one of them.', 29, 2],
    ['22 of 30 open jobs were missing, which is 73.3 %. One run may close or archive at most 20 %.', 8, 0],
  ])('that is held says why: %s', async (reason, left, withoutId) => {
    const { rows, row } = await newStory();
    await operator.jobs.syncs.run(rows(30));
    await clock.advance(10);
    const nameless = Array.from({ length: withoutId }, () => ({ ...row('x'), id: 'x' as 'job_x' }));
    await operator.jobs.syncs.run([...rows(left), ...nameless]);
    expect((await operator.jobs.syncs.last()).operation).toMatchObject({ state: 'held', lastError: reason });
  });

  it('shows its refused rows, up to a limit', async () => {
    const { row } = await newStory();
    await operator.jobs.syncs.run([1, 2, 3].map((number) => row(number, { companyId: 'co_unknown' })));
    const refused = async (refusedLimit?: number) =>
      (await operator.jobs.syncs.last({ refusedLimit })).refused.length;
    expect([await refused(), await refused(2), await refused(0)]).toEqual([3, 2, 0]);
    await expect(operator.jobs.syncs.last({ refusedLimit: 1_001 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('excludes another one, can be stopped, and closes nothing then', async () => {
    const { rows, row, states } = await newStory();
    await operator.jobs.syncs.run(rows(2));
    await clock.advance(10);
    async function* source() {
      await expect(operator.jobs.syncs.run([])).rejects.toMatchObject({ code: 'SYNC_RUNNING' });
      const { operation } = await operator.jobs.syncs.last();
      if (operation === null) throw new Error('There is no run.');
      yield row('late');
      await operator.operations.stop({ id: operation.id });
    }
    expect(await operator.jobs.syncs.run(source())).toMatchObject({ state: 'stopped', added: 0, closed: 0 });
    expect(await states(0, 1, 'late')).toEqual(['open', 'open', null]);
  });

  it('that a signal aborts has stopped, and rejects with its reason', async () => {
    const { rows, row } = await newStory();
    await operator.jobs.syncs.run(rows(2));
    const abort = new AbortController();
    async function* source() {
      yield row(0);
      abort.abort(new Error('enough'));
      yield row(1);
    }
    await expect(operator.jobs.syncs.run(source(), { signal: abort.signal })).rejects.toThrow('enough');
    expect((await operator.jobs.syncs.last()).operation).toMatchObject({
      state: 'stopped',
      sync: { closed: 0 },
    });
  });

  it('that only counts can be aborted while its source hangs, which is released then', async () => {
    const { row } = await newStory();
    const abort = new AbortController();
    let isReleased = false;
    let reads = 0;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          reads += 1;
          if (reads === 1) return Promise.resolve({ done: false as const, value: row(0) });
          abort.abort(new Error('enough'));
          return new Promise<never>(() => {});
        },
        return: async () => {
          isReleased = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const { signal } = abort;
    await expect(operator.jobs.syncs.run(source, { dryRun: true, signal })).rejects.toThrow('enough');
    expect(isReleased).toBe(true);
    expect((await operator.jobs.syncs.last()).operation).toBe(null);
    await expect(operator.jobs.syncs.run([row(0)], { dryRun: true, signal })).rejects.toThrow('enough');
  });

  it('whose process has died is ended by a worker or the next run, and can change nothing anymore', async () => {
    const { rows, row, states } = await newStory();
    await operator.jobs.syncs.run(rows(2));
    for (const end of ['worker', 'run'] as const) {
      const name = `frozen_${end}`;
      let resume: () => void = () => {};
      const resumed = new Promise<void>((resolve) => {
        resume = resolve;
      });
      async function* frozen() {
        yield row(name);
        await resumed;
      }
      const lost = operator.jobs.syncs.run(frozen());
      const id = await vi.waitFor(async () => {
        const { operation } = await operator.jobs.syncs.last();
        if (operation?.state !== 'running') throw new Error('It has not begun.');
        return operation.id;
      });
      clock.suspend(LEASE_MS + 1);
      if (end === 'worker')
        expect(await stage.stepper().step()).toMatchObject({ operation: { id, state: 'failed' } });
      else expect(await operator.jobs.syncs.run(rows(2))).toMatchObject({ state: 'done', unchanged: 2 });
      resume();
      expect(await lost).toMatchObject({ operationId: id, state: 'failed', added: 0 });
      expect(await states(name)).toEqual([null]);
    }
  });
});
