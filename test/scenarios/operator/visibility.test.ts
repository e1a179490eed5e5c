import { describe, expect, it } from 'vitest';
import { JOB_ACTS } from '../../support/job-acts.js';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator } = stage;

/** A key that sees the jobs of a company. */
async function granted() {
  const [keyId, companyId] = [await stage.key(), await stage.company()];
  await operator.access.grant({ keyId, companyId });
  return { keyId, companyId };
}

/** A job that a key sees. */
async function sighted() {
  const { keyId, companyId } = await granted();
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  return { keyId, companyId, job };
}

async function told(keyId: Awaited<ReturnType<typeof stage.key>>) {
  return (await stage.events(keyId)).map(({ type, data }) => [type, data.reason].join(' ').trim());
}

describe('a job becomes visible to a key', () => {
  it('when access is granted, with a unique instant per job', async () => {
    const [keyId, companyId] = [await stage.key(), await stage.company()];
    const jobs = await operator.jobs.publish([1, 2, 3].map(() => ({ ...PICKER, companyId })));
    expect(await stage.visible(keyId)).toEqual([]);
    await operator.access.grant({ keyId, companyId });
    const visible = await stage.visible(keyId);
    expect(visible.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
    expect(new Set(visible.map(({ changedAt }) => changedAt)).size).toBe(3);
    expect(await told(keyId)).toEqual(['job.opened', 'job.opened', 'job.opened']);
  });

  it('but not if it is published closed, archived or internal only', async () => {
    const { keyId, companyId } = await granted();
    await operator.jobs.publish({ ...PICKER, companyId, state: 'closed' });
    await operator.jobs.publish({ ...PICKER, companyId, state: 'archived' });
    await operator.jobs.publish({ ...PICKER, companyId, internalOnly: true });
    expect(await stage.visible(keyId)).toEqual([]);
    expect(await told(keyId)).toEqual([]);
  });

  it('without an event to a key that has no endpoint', async () => {
    const [keyId, companyId] = [await stage.key({ endpoint: false }), await stage.company()];
    await operator.access.grant({ keyId, companyId });
    const wakes = stage.wakes();
    const job = await operator.jobs.publish({ ...PICKER, companyId });
    expect((await stage.visible(keyId)).map(({ id }) => id)).toEqual([job.id]);
    expect(await told(keyId)).toEqual([]);
    expect(stage.wakes()).toBe(wakes);
  });

  it('with an event to a key whose endpoint is paused', async () => {
    const { keyId, companyId } = await granted();
    await operator.endpoints.pause({ keyId });
    await operator.jobs.publish({ ...PICKER, companyId });
    expect(await told(keyId)).toEqual(['job.opened']);
  });
});

describe('a job stops being visible to a key', () => {
  it('once, so that later changes send no event', async () => {
    const { keyId, companyId, job } = await sighted();
    await operator.access.revoke({ keyId, companyId });
    await operator.jobs.setVisibility({ id: job.id, visibility: 'internal_only' });
    await operator.jobs.close({ id: job.id });
    await operator.jobs.archive({ id: job.id });
    expect(await told(keyId)).toEqual(['job.opened', 'job.closed access_revoked']);
  });
});

describe('a job that stays visible', () => {
  it('gets a new stamp when its details change, without an event', async () => {
    const { keyId, job } = await sighted();
    const [before] = await stage.visible(keyId);
    const outcome = await operator.jobs.update({ id: job.id, changes: { title: 'Packer' } });
    const [after] = await stage.visible(keyId);
    expect(outcome).toMatchObject({ changed: true, job: { title: 'Packer', location: PICKER.location } });
    expect(after?.changedAt).toBeGreaterThan(before?.changedAt ?? 0);
    expect(await told(keyId)).toEqual(['job.opened']);
  });

  it('gets a new stamp when its company is renamed, and not otherwise', async () => {
    const { keyId, companyId } = await sighted();
    const [before] = await stage.visible(keyId);
    expect((await operator.companies.rename({ id: companyId, name: 'Warehouse Inc' })).changed).toBe(false);
    expect(await stage.visible(keyId)).toEqual([before]);
    expect((await operator.companies.rename({ id: companyId, name: 'Depot' })).changed).toBe(true);
    expect((await stage.visible(keyId))[0]?.changedAt).toBeGreaterThan(before?.changedAt ?? 0);
    expect(await told(keyId)).toEqual(['job.opened']);
  });

  it.each([
    ['reopened', 'reopen'],
    ['un-archived', 'unarchive'],
    ['shown', 'show'],
  ] as const)('is not stamped when it is %s again', async (_, command) => {
    const { keyId, job } = await sighted();
    const before = await stage.visible(keyId);
    expect(await JOB_ACTS[command](operator.jobs, job.id)).toEqual({ job, changed: false });
    expect(await stage.visible(keyId)).toEqual(before);
  });

  it('gets no stamp from an update without changes', async () => {
    const { keyId, job } = await sighted();
    const before = await stage.visible(keyId);
    const { title, location } = PICKER;
    expect((await operator.jobs.update({ id: job.id, changes: { location, title } })).changed).toBe(false);
    expect(await stage.visible(keyId)).toEqual(before);
  });

  it('rejects changes that are not an object', async () => {
    const companyId = await stage.company();
    const { id } = await operator.jobs.publish({ ...PICKER, companyId });
    for (const changes of [undefined, null, 'Packer', ['Packer'], 5]) {
      const update = operator.jobs.update({ id, changes } as never);
      const message = 'jobs.update: changes must be an object. Nothing was changed.';
      await expect(update).rejects.toMatchObject({ code: 'INVALID_INPUT', message });
    }
  });

  it('gets no stamp from a repeated grant', async () => {
    const { keyId, companyId } = await sighted();
    const before = await stage.visible(keyId);
    expect((await operator.access.grant({ keyId, companyId })).changed).toBe(false);
    expect(await stage.visible(keyId)).toEqual(before);
  });
});

describe('access that was revoked', () => {
  it('is granted again unless the grant says otherwise', async () => {
    const { keyId, companyId } = await granted();
    const target = { keyId, companyId };
    expect(await operator.access.grant({ ...target, renew: false })).toMatchObject({ changed: false });
    await operator.access.revoke(target);
    await expect(operator.access.grant({ ...target, renew: false })).rejects.toMatchObject({
      code: 'ACCESS_REVOKED',
    });
    expect((await operator.access.list({ keyId, onlyActive: true })).items).toEqual([]);
    expect(await operator.access.grant(target)).toMatchObject({ changed: true });
    expect((await operator.access.list({ keyId, onlyActive: true })).items).toMatchObject([target]);
    const other = { keyId: await stage.key(), companyId, renew: false };
    expect(await operator.access.grant(other)).toMatchObject({ changed: true });
  });

  it.each([
    () => operator.access.grant({ keyId: 'key_1', companyId: 'co_1', renew: 'no' as never }),
    () => operator.access.list({ keyId: 'key_1', onlyActive: 1 as never }),
  ])('needs a flag that is true or false', async (call) => {
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('production and sandbox', () => {
  it('cannot be joined by a grant', async () => {
    const [keyId, companyId] = [
      await stage.key({ environment: 'sandbox' }),
      await stage.company('production'),
    ];
    await operator.jobs.publish({ ...PICKER, companyId });
    await expect(operator.access.grant({ keyId, companyId })).rejects.toMatchObject({
      code: 'ENVIRONMENT_MISMATCH',
    });
    expect(await stage.visible(keyId)).toEqual([]);
    expect((await operator.access.list({ keyId })).items).toEqual([]);
  });
});
