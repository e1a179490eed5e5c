import { describe, expect, it } from 'vitest';
import type { SourceJob } from '../../../packages/core/src/operator/jobs/sync/source-job.js';
import { SOURCE_WAIT_MS } from '../../../packages/core/src/operator/jobs/sync/sync-run.js';
import { LEASE_MS } from '../../../packages/core/src/operator/jobs/sync/sync-state.js';
import { outcomeOf } from './every-command.js';
import { openSyncStage } from './job-sync-stage.js';

const { operator, clock, newStory, heldAlerts } = await openSyncStage();

describe('a broken source', () => {
  it.each([
    ['is empty', async () => [], 2],
    ['is empty and large', async () => [], 30],
  ] as const)('that %s closes nothing, is held, and raises one alert', async (_, source, count) => {
    const { rows, states } = await newStory();
    await operator.jobs.sync(rows(count));
    await clock.advance(10);
    const held = await operator.jobs.sync(await source());
    expect(held).toMatchObject({ state: 'held', closed: 0, missing: count, open: count });
    expect(await operator.jobs.sync(await source())).toMatchObject({ state: 'held' });
    expect(await states(0, count - 1)).toEqual(['open', 'open']);
    expect(await heldAlerts()).toMatchObject([
      { kind: 'jobs_sync_held', operationId: held.operationId, missing: count },
    ]);
  });

  it('that has lost more than a fifth of its jobs is held, and all other changes stand', async () => {
    const { rows, row } = await newStory();
    await operator.jobs.sync(rows(100));
    await clock.advance(10);
    const some = rows(100).slice(21);
    expect(await operator.jobs.sync([...some, row('new')])).toMatchObject({
      state: 'held',
      added: 1,
      missing: 21,
    });
    expect(await operator.jobs.sync([...some, row('new')], { missingAtMost: 0.21 })).toMatchObject({
      state: 'done',
      closed: 21,
    });
    expect(await operator.jobs.sync(some.slice(20))).toMatchObject({ state: 'held', missing: 21 });
    expect(await operator.jobs.sync(some.slice(19))).toMatchObject({ state: 'done', closed: 20 });
  });

  it('that is held is applied once, up to the number that was held', async () => {
    const { rows } = await newStory();
    await operator.jobs.sync(rows(60));
    await clock.advance(10);
    const { operationId } = await operator.jobs.sync(rows(20));
    if (operationId === null) throw new Error('There is no operation.');
    expect(await operator.jobs.applyHeldSync({ id: operationId })).toEqual({ changed: true });
    expect(await operator.jobs.applyHeldSync({ id: operationId })).toEqual({ changed: false });
    expect(await operator.jobs.lastSync()).toMatchObject({ applyUpTo: 40, isHeld: true });
    expect(await operator.jobs.sync(rows(20))).toMatchObject({ state: 'done', closed: 40 });
    expect(await operator.jobs.lastSync()).toMatchObject({ applyUpTo: null, isHeld: false });
    await expect(operator.jobs.applyHeldSync({ id: operationId })).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
    });
  });

  it('that breaks off fails the run, keeps what was committed, and closes nothing', async () => {
    const { rows, row, states } = await newStory();
    await operator.jobs.sync(rows(2));
    await clock.advance(10);
    const broken = new Error('connection lost to secret-host');
    async function* source() {
      for (let number = 0; number < 250; number += 1) yield row(`n${number}`);
      throw broken;
    }
    await expect(operator.jobs.sync(source())).rejects.toBe(broken);
    const { operation } = await operator.jobs.lastSync();
    expect(operation).toMatchObject({ state: 'failed', sync: { added: 250, closed: 0 } });
    expect(operation?.lastError).not.toContain('secret-host');
    expect(await states(0, 'n249')).toEqual(['open', 'open']);
    await clock.advance(10);
    const again = await operator.jobs.sync([
      ...rows(2),
      ...Array.from({ length: 250 }, (_, n) => row(`n${n}`)),
    ]);
    expect(again).toMatchObject({ unchanged: 252, added: 0 });
  });

  it('that hangs fails the run after five minutes, and closes nothing', async () => {
    const { rows, states } = await newStory();
    await operator.jobs.sync(rows(2));
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
    const run = outcomeOf(() => operator.jobs.sync(source));
    await asked;
    for (let waited = 0; waited <= SOURCE_WAIT_MS + LEASE_MS / 3; waited += LEASE_MS / 3)
      await clock.advance(LEASE_MS / 3);
    expect(await run).toMatchObject({ error: { message: 'The source gave no row for 5 minutes.' } });
    expect(isReleased).toBe(true);
    expect((await operator.jobs.lastSync()).operation).toMatchObject({
      state: 'failed',
      lastError: expect.stringContaining('no row'),
    });
    expect(await states(0, 1)).toEqual(['open', 'open']);
  });
});
