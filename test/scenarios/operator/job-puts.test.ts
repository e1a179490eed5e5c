import { describe, expect, it } from 'vitest';
import type { JobId } from '../../../packages/core/src/domain/ids.js';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator } = stage;
const { direct } = stage.storage;

let made = 0;

function nextId(): JobId {
  made += 1;
  return `job_put_${made}`;
}

/** The events of a key since its first `count`, without their ids and times. */
async function eventsOf(keyId: `key_${string}`, count = 0) {
  const events = (await stage.events(keyId)).slice(count);
  return events.map(({ type, data }) => [type, data.jobId, data.companyId, data.reason ?? null]);
}

describe('jobs.put', () => {
  it('creates a job, then updates it, and says whether something changed', async () => {
    const [companyId, keyId, id] = [await stage.company(), await stage.key(), nextId()];
    await operator.access.grant({ keyId, companyId });
    const put = { ...PICKER, id, companyId };
    expect(await operator.jobs.put(put)).toMatchObject({ changed: true, job: { id, state: 'open' } });
    expect(await operator.jobs.put(put)).toMatchObject({ changed: false });
    await operator.jobs.close({ id });
    expect(await operator.jobs.put({ ...put, title: 'Packer' })).toMatchObject({
      changed: true,
      job: { title: 'Packer', state: 'closed' },
    });
    expect(await operator.jobs.put({ ...put, state: 'open' })).toMatchObject({ job: { state: 'open' } });
    expect(await eventsOf(keyId)).toEqual([
      ['job.opened', id, companyId, null],
      ['job.closed', id, companyId, 'closed_by_customer'],
      ['job.opened', id, companyId, null],
    ]);
  });

  it('puts all of a list in one transaction, or none', async () => {
    const [companyId, first, second] = [await stage.company(), nextId(), nextId()];
    const put = (id: JobId, changes = {}) => ({ ...PICKER, id, companyId, ...changes });
    await expect(
      operator.jobs.put([put(first), put(second, { companyId: 'co_none' })]),
    ).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
    });
    expect(await direct.jobs.find([first])).toEqual([null]);
    await operator.jobs.put(put(second));
    const outcomes = await operator.jobs.put([put(second), put(first)]);
    expect(outcomes.map(({ job, changed }) => [job.id, changed])).toEqual([
      [second, false],
      [first, true],
    ]);
    const { items } = await operator.audit.list({ object: { kind: 'job', id: first } });
    expect(items).toMatchObject([{ act: 'jobs.put', count: 1 }]);
  });

  it('takes the row of a sync, whose company it creates and renames', async () => {
    const [id, companyId] = [nextId(), `co_of_${nextId()}`] as const;
    const row = { ...PICKER, id, company: { id: companyId, name: 'Depot' }, version: 7 };
    const entries = async () =>
      (await operator.audit.list({ object: { kind: 'company', id: companyId } })).items;
    expect(await operator.jobs.put(row)).toMatchObject({
      changed: true,
      job: { companyId, sourceVersion: '7' },
    });
    expect(await operator.companies.find({ id: companyId })).toMatchObject({
      name: 'Depot',
      environment: 'production',
    });
    expect(await operator.jobs.put([{ ...row, version: 8 }])).toMatchObject([
      { changed: false, job: { sourceVersion: '8' } },
    ]);
    expect(await entries()).toHaveLength(1);
    const renamed = { ...row, company: { id: companyId, name: 'Depot Nord' } };
    expect(await operator.jobs.put(renamed)).toMatchObject({ changed: false });
    expect(await operator.companies.find({ id: companyId })).toMatchObject({ name: 'Depot Nord' });
    expect(await entries()).toMatchObject([{ act: 'jobs.put', count: null }, { act: 'jobs.put' }]);
    await expect(operator.jobs.put({ ...row, companyId })).rejects.toThrow(
      'the input must have either companyId or company',
    );
    const missing = [
      { ...row, id: nextId(), company: { id: 'co_new', name: 'New' } },
      { ...PICKER, id: nextId() },
    ];
    await expect(operator.jobs.put(missing as never)).rejects.toThrow('jobs[1] must have either companyId');
    expect(await operator.companies.find({ id: 'co_new' })).toBeNull();
  });

  it('refuses an id of the other environment, and `publish` an id that exists', async () => {
    const [companyId, sandbox, id] = [await stage.company(), await stage.company('sandbox'), nextId()];
    await operator.jobs.put({ ...PICKER, id, companyId: sandbox });
    await expect(operator.jobs.put({ ...PICKER, id, companyId })).rejects.toMatchObject({
      code: 'JOB_EXISTS',
    });
    await expect(operator.jobs.publish({ ...PICKER, id, companyId: sandbox })).rejects.toMatchObject({
      code: 'JOB_EXISTS',
    });
  });

  it('names the rule of an id that is not in our form', async () => {
    const companyId = await stage.company();
    const rule = 'co_ followed by 1 to 120 characters of A-Z a-z 0-9 _ -';
    const put = operator.jobs.put({ ...PICKER, id: 'job_1', companyId: 'acme' as never });
    await expect(put).rejects.toThrow(`This is not the id of a company, which is ${rule}.`);
    await expect(operator.jobs.put({ ...PICKER, id: 'JOB 1' as never, companyId })).rejects.toThrow(
      'id must be job_ followed by 1 to 120 characters of A-Z a-z 0-9 _ -',
    );
  });

  it('publishes a job once if two transactions put it at the same time', async () => {
    const [companyId, other, keyId] = [await stage.company(), await stage.company(), await stage.key()];
    await operator.access.grant([companyId, other].map((id) => ({ keyId, companyId: id })));
    const ids = Array.from({ length: 2 }, nextId);
    const puts = ids.flatMap((id) =>
      [companyId, other].map((at) => operator.jobs.put({ ...PICKER, id, companyId: at })),
    );
    await Promise.all(puts);
    const opened = (await eventsOf(keyId)).map(([type, id]) => `${type} ${id}`);
    expect(opened.toSorted()).toEqual(ids.map((id) => `job.opened ${id}`).toSorted());
  });
});

describe('a move to another company', () => {
  it.each(['put', 'update', 'sync'] as const)(
    'by %s tells each key only what it gains or loses',
    async (command) => {
      const [from, to, id] = [await stage.company(), await stage.company(), nextId()];
      const [both, loser, gainer, former] = await Promise.all([1, 2, 3, 4].map(() => stage.key()));
      if (!both || !loser || !gainer || !former) throw new Error('A key is missing.');
      for (const keyId of [both, loser, former]) await operator.access.grant({ keyId, companyId: from });
      for (const keyId of [both, gainer, former]) await operator.access.grant({ keyId, companyId: to });
      await operator.access.revoke({ keyId: former, companyId: to });
      const source = (companyId: typeof from) => [{ ...PICKER, id, companyId }];
      await operator.jobs.syncs.run(source(from), { missing: 'keep' });
      const [before] = await stage.visible(both);
      const counts = await Promise.all(
        [both, loser, gainer, former].map(async (key) => (await stage.events(key)).length),
      );
      await stage.clock.advance(10);

      if (command === 'put') await operator.jobs.put({ ...PICKER, id, companyId: to });
      else if (command === 'update') await operator.jobs.update({ id, changes: { companyId: to } });
      else await operator.jobs.syncs.run(source(to), { missing: 'keep' });

      const closed = [['job.closed', id, from, 'closed_by_customer']];
      expect(await eventsOf(both, counts[0])).toEqual([]);
      expect(await eventsOf(loser, counts[1])).toEqual(closed);
      expect(await eventsOf(gainer, counts[2])).toEqual([['job.opened', id, to, null]]);
      expect(await eventsOf(former, counts[3])).toEqual(closed);
      const [after] = await stage.visible(both);
      expect(after?.changedAt).toBeGreaterThan(before?.changedAt ?? 0);
      expect(await stage.visible(loser)).toEqual([]);
      // The key now knows the job at its new company.
      await operator.access.revoke({ keyId: both, companyId: from });
      expect(await stage.visible(both)).toHaveLength(1);
      await operator.access.revoke({ keyId: both, companyId: to });
      expect(await eventsOf(both, counts[0])).toEqual([['job.closed', id, to, 'access_revoked']]);
    },
  );

  it('leaves applications with the company of their submission', async () => {
    const [from, to, id, keyId] = [await stage.company(), await stage.company(), nextId(), await stage.key()];
    await operator.access.grant({ keyId, companyId: from });
    const { job } = await operator.jobs.put({ ...PICKER, id, companyId: from });
    const application = await stage.application(keyId, job);
    await operator.jobs.update({ id, changes: { companyId: to } });
    const { items } = await operator.applications.list({ companyId: from });
    expect(items.map((each) => each.id)).toEqual([application.id]);
    expect((await operator.applications.list({ companyId: to })).items).toEqual([]);
  });

  it('to a company of the other environment is refused', async () => {
    const [companyId, sandbox, id] = [await stage.company(), await stage.company('sandbox'), nextId()];
    await operator.jobs.put({ ...PICKER, id, companyId });
    await expect(operator.jobs.update({ id, changes: { companyId: sandbox } })).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISMATCH',
    });
    await expect(operator.jobs.update({ id, changes: { companyId: 'co_none' } })).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
    });
  });

  it('is not undone by an operation that closes the jobs of the old company', async () => {
    const [from, to, id] = [await stage.company(), await stage.company(), nextId()];
    await operator.jobs.put({ ...PICKER, id, companyId: from });
    await operator.jobs.closeAll({ companyId: from });
    await operator.jobs.update({ id, changes: { companyId: to } });
    expect(await stage.stepper().step()).toMatchObject({
      operation: { state: 'done', counts: { done: 0, skipped: 1 } },
    });
    expect((await direct.jobs.find([id]))[0]?.state).toBe('open');
  });
});
