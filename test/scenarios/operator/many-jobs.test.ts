import type { Repositories } from '@partner-hiring/core/ports';
import { expect, it } from 'vitest';
import { createOperatorOf } from '../../../packages/core/src/features/commands.js';
import type { JobTarget } from '../../../packages/core/src/groups/jobs/change-job.js';
import { openStage, PICKER, WITHOUT_SENDING } from './stage.js';

const stage = await openStage();

/** Repositories that record each call. */
function counted(tx: Repositories, calls: string[]): Repositories {
  const wrap = <Target extends object>(target: Target, path: string): Target =>
    new Proxy(target, {
      get: (of, name, receiver) => {
        const value: unknown = Reflect.get(of, name, receiver);
        if (typeof value === 'function') {
          return (...args: unknown[]) => {
            calls.push(`${path}${String(name)}`);
            return Reflect.apply(value, of, args);
          };
        }
        return typeof value === 'object' && value !== null ? wrap(value, `${path}${String(name)}.`) : value;
      },
    });
  return wrap(tx, '');
}

it('1,000 jobs reach 20 keys in one commit, with as many queries as one job and one key', async () => {
  const calls: string[] = [];
  const { storage, storageClock, runtime } = stage;
  const { operator } = createOperatorOf({
    storage: {
      ...storage,
      transaction: (work) => storage.transaction((tx) => work(counted(tx, calls))),
    },
    runtime,
    storageClock,
    secretBox: { seal: String, open: String },
    rules: { decideFromReceived: false },
    urlPolicy: { allowPlainHttp: false },
    ...WITHOUT_SENDING,
  });
  const callsOf = async (work: () => Promise<unknown>) => {
    calls.length = 0;
    await work();
    return [...calls];
  };

  const [lone, companyId] = [await stage.company(), await stage.company()];
  const keys = await Promise.all(Array.from({ length: 20 }, () => stage.key()));
  await operator.access.grant({ keyId: keys[0] ?? 'key_none', companyId: lone });
  for (const keyId of keys) await operator.access.grant({ keyId, companyId });

  const one = await callsOf(() => operator.jobs.publish({ ...PICKER, companyId: lone }));
  const jobs = Array.from({ length: 1_000 }, () => ({ ...PICKER, companyId }));
  let published: readonly JobTarget[] = [];
  const publishAll = async () => {
    published = await operator.jobs.publish(jobs);
  };
  expect(await callsOf(publishAll)).toEqual(one);

  const oneRename = await callsOf(() => operator.companies.rename({ id: lone, name: 'Lone' }));
  expect(await callsOf(() => operator.companies.rename({ id: companyId, name: 'Depot' }))).toEqual(oneRename);

  for (const keyId of keys.slice(-2)) {
    const events = await stage.events(keyId);
    expect(events).toHaveLength(1_000);
    expect(new Set(events.map(({ at }) => at)).size).toBe(1_000);
  }

  const [first, ...others] = published;
  const oneClosed = await callsOf(() => operator.jobs.close({ id: first?.id ?? 'job_none' }));
  expect(await callsOf(() => operator.jobs.close(others.map(({ id }) => ({ id }))))).toEqual(oneClosed);
  expect(await stage.events(keys[0] ?? 'key_none')).toHaveLength(2_001);
});

it('a list closes all jobs or none, each once', async () => {
  const { jobs, access } = stage.operator;
  const companyId = await stage.company();
  const keyId = await stage.key();
  await access.grant({ keyId, companyId });
  const [open, other, archived] = await jobs.publish(
    (['open', 'open', 'archived'] as const).map((state) => ({ ...PICKER, companyId, state })),
  );
  if (!open || !other || !archived) throw new Error('Three jobs were published.');
  await expect(jobs.close([open, archived].map(({ id }) => ({ id })))).rejects.toMatchObject({
    code: 'ILLEGAL_MOVE',
    message:
      `Job ${archived.id} is archived, but jobs.close requires it to be open. ` +
      'Use jobs.reopen with `from` archived instead.',
  });
  await expect(jobs.close([{ id: open.id }, { id: 'job_none' }])).rejects.toMatchObject({
    code: 'JOB_NOT_FOUND',
  });
  expect(await jobs.find({ id: open.id })).toMatchObject({ state: 'open' });

  const outcomes = await jobs.close([other, open, other].map(({ id }) => ({ id })));
  expect(outcomes.map(({ job, changed }) => [job.id, job.state, changed])).toEqual(
    [other, open, other].map(({ id }) => [id, 'closed', true]),
  );
  expect((await jobs.close([{ id: open.id }])).map(({ changed }) => changed)).toEqual([false]);
  expect(await jobs.close([])).toEqual([]);
  expect((await stage.events(keyId)).map(({ type }) => type)).toEqual([
    'job.opened',
    'job.opened',
    'job.closed',
    'job.closed',
  ]);
});
