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
      operator.jobs.putMany([put(first), put(second, { companyId: 'co_none' })]),
    ).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
    });
    expect(await direct.jobs.find([first])).toEqual([null]);
    await operator.jobs.put(put(second));
    const outcomes = await operator.jobs.putMany([put(second), put(first)]);
    expect(outcomes.map(({ job, changed }) => [job.id, changed])).toEqual([
      [second, false],
      [first, true],
    ]);
    const { items } = await operator.audit.list({ object: { kind: 'job', id: first } });
    expect(items).toMatchObject([{ act: 'jobs.putMany', count: 1 }]);
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
    await operator.access.grantMany({ keyId, companyIds: [companyId, other] });
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
      await operator.jobs.sync(source(from), { missing: 'keep' });
      const [before] = await stage.visible(both);
      const counts = await Promise.all(
        [both, loser, gainer, former].map(async (key) => (await stage.events(key)).length),
      );
      await stage.clock.advance(10);

      if (command === 'put') await operator.jobs.put({ ...PICKER, id, companyId: to });
      else if (command === 'update') await operator.jobs.update({ id, changes: { companyId: to } });
      else await operator.jobs.sync(source(to), { missing: 'keep' });

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

describe('commands on many', () => {
  it('reopen and archive jobs, all or none', async () => {
    const [companyId, one, two] = [await stage.company(), nextId(), nextId()];
    await operator.jobs.putMany(
      [one, two].map((id) => ({ ...PICKER, id, companyId, state: 'closed' as const })),
    );
    const targets = [{ id: one }, { id: two }];
    expect((await operator.jobs.reopenMany(targets)).map(({ job }) => job.state)).toEqual(['open', 'open']);
    await operator.jobs.archive({ id: two });
    await expect(operator.jobs.reopenMany(targets)).rejects.toMatchObject({ code: 'ILLEGAL_MOVE' });
    expect((await operator.jobs.archiveMany(targets)).map(({ changed }) => changed)).toEqual([true, false]);
  });

  it('grant a key access to several companies, all or none', async () => {
    const [one, two, sandbox, keyId] = [
      await stage.company(),
      await stage.company(),
      await stage.company('sandbox'),
      await stage.key(),
    ];
    const ids = [nextId(), nextId()] as const;
    await operator.jobs.putMany([
      { ...PICKER, id: ids[0], companyId: one },
      { ...PICKER, id: ids[1], companyId: two },
    ]);
    await expect(operator.access.grantMany({ keyId, companyIds: [one, sandbox] })).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISMATCH',
    });
    const outcomes = await operator.access.grantMany({ keyId, companyIds: [two, one, two] });
    expect(outcomes.map(({ access, changed }) => [access.companyId, changed])).toEqual([
      [two, true],
      [one, true],
      [two, true],
    ]);
    expect((await eventsOf(keyId)).map(([type, id]) => [type, id]).toSorted()).toEqual(
      ids.map((id) => ['job.opened', id]),
    );
    await operator.access.revoke({ keyId, companyId: one });
    const again = { keyId, companyIds: [one, two] };
    await expect(operator.access.grantMany({ ...again, renew: false })).rejects.toMatchObject({
      code: 'ACCESS_REVOKED',
    });
    expect((await operator.access.grantMany(again)).map(({ changed }) => changed)).toEqual([true, false]);
  });

  it('revoke the access of a key to several companies, all or none, with one entry in the audit', async () => {
    const [one, two, never, keyId] = [
      await stage.company(),
      await stage.company(),
      await stage.company(),
      await stage.key(),
    ];
    const ids = [nextId(), nextId()] as const;
    await operator.jobs.putMany([
      { ...PICKER, id: ids[0], companyId: one },
      { ...PICKER, id: ids[1], companyId: two },
    ]);
    await operator.access.grantMany({ keyId, companyIds: [one, two] });
    const { access } = operator;
    await expect(access.revokeMany({ keyId, companyIds: [one, never] })).rejects.toMatchObject({
      code: 'ACCESS_NOT_FOUND',
    });
    expect((await access.list({ keyId, onlyActive: true })).items).toHaveLength(2);
    const outcomes = await access.revokeMany({ keyId, companyIds: [two, one, two] });
    expect(outcomes.map((each) => [each.access.companyId, each.changed])).toEqual([
      [two, true],
      [one, true],
      [two, true],
    ]);
    expect((await eventsOf(keyId, 2)).toSorted()).toEqual(
      [
        ['job.closed', ids[0], one, 'access_revoked'],
        ['job.closed', ids[1], two, 'access_revoked'],
      ].toSorted(),
    );
    expect((await access.list({ keyId, onlyActive: true })).items).toEqual([]);
    expect((await access.revokeMany({ keyId, companyIds: [one] })).map(({ changed }) => changed)).toEqual([
      false,
    ]);
    const { items: acts } = await operator.audit.list({ keyId, limit: 2 });
    expect(acts).toMatchObject([
      { count: 2, after: { access: 'revoked' } },
      { count: 2, after: { access: 'active' } },
    ]);
  });

  it('list the jobs of all companies', async () => {
    const [one, two] = [await stage.company(), await stage.company()];
    const ids = [nextId(), nextId()] as const;
    await stage.clock.advance(1);
    await operator.jobs.put({ ...PICKER, id: ids[0], companyId: one });
    await stage.clock.advance(1);
    await operator.jobs.put({ ...PICKER, id: ids[1], companyId: two, state: 'closed' });
    const all: string[] = [];
    for await (const job of operator.jobs.each({ limit: 3 })) all.push(job.id);
    expect(all.slice(-2)).toEqual(ids);
    const { items } = await operator.jobs.list({ state: 'closed', limit: 1_000 });
    expect(items.at(-1)).toMatchObject({ id: ids[1], companyName: 'Warehouse Inc' });
  });
});
