import { describe, expect, it } from 'vitest';
import type { JobId } from '../../../packages/core/src/domain/ids.js';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator } = stage;

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

describe('commands on many', () => {
  it('reopen and archive jobs, all or none', async () => {
    const [companyId, one, two] = [await stage.company(), nextId(), nextId()];
    await operator.jobs.put([one, two].map((id) => ({ ...PICKER, id, companyId, state: 'closed' as const })));
    const targets = [{ id: one }, { id: two }];
    expect((await operator.jobs.reopen(targets)).map(({ job }) => job.state)).toEqual(['open', 'open']);
    await operator.jobs.archive({ id: two });
    await expect(operator.jobs.reopen(targets)).rejects.toMatchObject({ code: 'ILLEGAL_MOVE' });
    expect((await operator.jobs.archive(targets)).map(({ changed }) => changed)).toEqual([true, false]);
  });

  it('grant a key access to several companies, all or none', async () => {
    const [one, two, sandbox, keyId] = [
      await stage.company(),
      await stage.company(),
      await stage.company('sandbox'),
      await stage.key(),
    ];
    const ids = [nextId(), nextId()] as const;
    await operator.jobs.put([
      { ...PICKER, id: ids[0], companyId: one },
      { ...PICKER, id: ids[1], companyId: two },
    ]);
    await expect(
      operator.access.grant([one, sandbox].map((id) => ({ keyId, companyId: id }))),
    ).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISMATCH',
    });
    const outcomes = await operator.access.grant([two, one, two].map((id) => ({ keyId, companyId: id })));
    expect(outcomes.map(({ access, changed }) => [access.companyId, changed])).toEqual([
      [two, true],
      [one, true],
      [two, true],
    ]);
    expect((await eventsOf(keyId)).map(([type, id]) => [type, id]).toSorted()).toEqual(
      ids.map((id) => ['job.opened', id]),
    );
    await operator.access.revoke({ keyId, companyId: one });
    const again = [one, two].map((companyId) => ({ keyId, companyId }));
    const unlessRevoked = again.map((each) => ({ ...each, renew: false }));
    await expect(operator.access.grant(unlessRevoked)).rejects.toMatchObject({
      code: 'ACCESS_REVOKED',
    });
    expect((await operator.access.grant(again)).map(({ changed }) => changed)).toEqual([true, false]);
  });

  it('grant and revoke the access of several keys in one list', async () => {
    const companyId = await stage.company();
    const targets = [await stage.key(), await stage.key()].map((keyId) => ({ keyId, companyId }));
    const granted = await operator.access.grant(targets.toReversed());
    expect(granted.map(({ access }) => access.keyId)).toEqual(targets.map(({ keyId }) => keyId).toReversed());
    for (const { keyId: id } of targets) {
      const { items } = await operator.audit.list({ object: { kind: 'key', id }, limit: 1 });
      expect(items).toMatchObject([{ act: 'access.grant', count: 2, keyId: null }]);
    }
    for (const isChanged of [true, false]) {
      const revoked = await operator.access.revoke(targets);
      expect(revoked.map(({ changed }) => changed)).toEqual([isChanged, isChanged]);
    }
  });

  it('revoke the access of a key to several companies, all or none, with one entry in the audit', async () => {
    const [one, two, never, keyId] = [
      await stage.company(),
      await stage.company(),
      await stage.company(),
      await stage.key(),
    ];
    const ids = [nextId(), nextId()] as const;
    await operator.jobs.put([
      { ...PICKER, id: ids[0], companyId: one },
      { ...PICKER, id: ids[1], companyId: two },
    ]);
    await operator.access.grant([one, two].map((id) => ({ keyId, companyId: id })));
    const { access } = operator;
    await expect(access.revoke([one, never].map((id) => ({ keyId, companyId: id })))).rejects.toMatchObject({
      code: 'ACCESS_NOT_FOUND',
    });
    expect((await access.list({ keyId, onlyActive: true })).items).toHaveLength(2);
    const outcomes = await access.revoke([two, one, two].map((id) => ({ keyId, companyId: id })));
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
    expect(
      (await access.revoke([one].map((id) => ({ keyId, companyId: id })))).map(({ changed }) => changed),
    ).toEqual([false]);
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
