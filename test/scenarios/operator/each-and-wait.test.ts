/** Iterators beside the lists, and waiting for an operation. */
import { collect } from '@partner-hiring/test-support/client/collect';
import { afterAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../packages/core/src/features/operations/wait-commands.js';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator } = stage;
const host = await stage.host();
afterAll(host.close);

/** Publishes five jobs of a new company. */
async function fiveJobs() {
  const companyId = await stage.company();
  const jobs = await operator.jobs.publish(Array.from({ length: 5 }, () => ({ ...PICKER, companyId })));
  return { companyId, ids: jobs.map(({ id }) => id) };
}

describe('an iterator', () => {
  it('returns the rows of all pages, with the filter and in the order of the list', async () => {
    const { companyId, ids } = await fiveJobs();
    await operator.jobs.close({ id: ids[2] ?? 'job_' });
    const open = await collect(operator.jobs.each({ companyId, state: 'open', limit: 2 }));
    const { items } = await operator.jobs.list({ companyId, state: 'open' });
    expect(open).toEqual(items);
    expect(open).toHaveLength(4);
  });

  it('reads within the transaction of the host, and as an actor', async () => {
    const { companyId } = await fiveJobs();
    await host.run('begin');
    const within = operator.within(host.tx).as({ id: 'user_42' });
    await within.jobs.publish({ ...PICKER, companyId });
    expect(await collect(within.jobs.each({ companyId, limit: 2 }))).toHaveLength(6);
    await host.run('rollback');
    expect(await collect(operator.jobs.each({ companyId }))).toHaveLength(5);
  });

  it('refuses a wrong filter when the first row is asked for', async () => {
    const { companyId } = await fiveJobs();
    const wrong = [{ companyId, colour: 'red' }, { companyId, limit: 0 }, { companyId: 7 }, 7] as unknown[];
    for (const filter of wrong as Parameters<typeof operator.jobs.each>[0][]) {
      const refused = expect(collect(operator.jobs.each(filter))).rejects;
      await refused.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(/^jobs\.list: /) });
    }
  });
});

describe('waiting for an operation', () => {
  async function start() {
    const companyId = await stage.company();
    return operator.jobs.publishInSteps(Array.from({ length: 150 }, () => ({ ...PICKER, companyId })));
  }

  it('shows its progress, and returns it when it has ended', async () => {
    const { id } = await start();
    const stepper = stage.stepper();
    const shown: (readonly [string, number])[] = [];
    // Each change of the progress starts the next step.
    const steps: Promise<unknown>[] = [];
    const ended = await operator.operations.wait({
      id,
      onProgress: ({ state, counts }) => {
        shown.push([state, counts.done]);
        steps.push(stepper.step());
      },
    });
    await Promise.all(steps);
    expect(ended).toMatchObject({ id, state: 'done', counts: { done: 150, total: 150 } });
    expect(shown[0]).toEqual(['running', 0]);
    expect(shown.at(-1)).toEqual(['done', 150]);
    expect(await operator.operations.wait({ id })).toEqual(ended);
  });

  it('returns an operation that somebody stopped', async () => {
    const { id } = await start();
    const waiting = operator.operations.wait({ id, onProgress: () => void operator.operations.stop({ id }) });
    expect(await waiting).toMatchObject({ state: 'stopped' });
  });

  it('ends with the reason of a signal, and leaves the operation', async () => {
    const { id } = await start();
    const given = new AbortController();
    const reason = new Error('The request was closed.');
    const waiting = operator.operations.wait({
      id,
      signal: given.signal,
      onProgress: () => given.abort(reason),
    });
    await expect(waiting).rejects.toBe(reason);
    expect(await operator.operations.stop({ id })).toMatchObject({ changed: true });
  });

  it('says that no worker runs, once the operation stands still', async () => {
    const { id } = await start();
    const { storage } = stage;
    const now = async () => stage.clock.now();
    const wait = (signal?: AbortSignal) => waitFor({ read: storage.direct, now }, { id, signal }, 0);
    await expect(wait()).rejects.toMatchObject({
      code: 'NO_WORKER',
      message: expect.stringContaining('partnerHiring.worker.start()') as string,
    });
    await storage.direct.workers.beat({
      id: 'wkr_1',
      name: 'one',
      pid: 1,
      release: '0.0.0',
      deployment: null,
      lastSweepAt: null,
      sleepMs: null,
      sealing: null,
    });
    const waiting = wait();
    await operator.operations.stop({ id });
    expect(await waiting).toMatchObject({ state: 'stopped' });
  });

  it('refuses an unknown operation and a wrong input', async () => {
    const { wait } = operator.operations;
    await expect(wait({ id: 'op_none' })).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' });
    const wrong = { id: 'op_none', onProgress: 1, signal: 2 } as unknown as Parameters<typeof wait>[0];
    const message = 'operations.wait: onProgress must be a function; signal must be an AbortSignal.';
    await expect(wait(wrong)).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });

  it('is not offered in a transaction of the host', () => {
    expect(operator.within(host.tx).operations).not.toHaveProperty('wait');
  });
});
