import type { Repositories } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { KeyId } from '../../../packages/core/src/domain/ids.js';
import { StorageUnavailable } from '../../../packages/core/src/errors.js';
import { createOperatorOf } from '../../../packages/core/src/features/commands.js';
import { openStage, PICKER, WITHOUT_SENDING } from './stage.js';

const stage = await openStage();
const { operator, storage } = stage;

/** The host opens its transactions by hand. */
let hostWakes = 0;
const { operator: ofHost } = createOperatorOf<Repositories>({
  storage: { ...storage, within: (tx) => tx },
  runtime: stage.runtime,
  storageClock: stage.storageClock,
  secretBox: { seal: String, open: String },
  rules: { decideFromReceived: false },
  urlPolicy: { allowPlainHttp: false },
  ...WITHOUT_SENDING,
  onCommitted: () => {
    hostWakes += 1;
  },
});

/** Makes the next commit succeed, but fail to report it. */
let isLosing = false;
const { operator: losing } = createOperatorOf<unknown>({
  storage: {
    ...storage,
    transaction: async (work) => {
      const result = await storage.transaction(work);
      if (!isLosing) return result;
      isLosing = false;
      throw new StorageUnavailable('The connection was lost during the commit: its outcome is unknown.');
    },
  },
  runtime: stage.runtime,
  storageClock: stage.storageClock,
  secretBox: { seal: String, open: String },
  rules: { decideFromReceived: false },
  urlPolicy: { allowPlainHttp: false },
  ...WITHOUT_SENDING,
});

async function granted() {
  const [keyId, companyId] = [await stage.key(), await stage.company()];
  await operator.access.grant({ keyId, companyId });
  return { keyId, companyId };
}

describe("inside the host's transaction", () => {
  it('commands commit with it, see each other, and do not wake the worker', async () => {
    const { keyId, companyId } = await granted();
    await storage.transaction(async (tx) => {
      const { jobs } = ofHost.within(tx);
      const { id } = await jobs.publish({ ...PICKER, companyId });
      await jobs.close({ id });
      expect(await jobs.find({ id })).toMatchObject({ state: 'closed' });
    });
    expect((await stage.events(keyId)).map(({ type }) => type)).toEqual(['job.opened', 'job.closed']);
    expect(hostWakes).toBe(0);
  });

  it("commands share a commit with the host's own tables", async () => {
    const { keyId, companyId } = await granted();
    const host = await stage.host();
    await host.run('create table requisition (job_id text)');
    for (const ending of ['rollback', 'commit']) {
      await host.run('begin');
      const { id } = await operator.within(host.tx).jobs.publish({ ...PICKER, companyId });
      await host.run('insert into requisition values (?)', id);
      await host.run(ending);
    }
    const rows = (await host.rows('select job_id from requisition')).map(
      (row) => Object.values(row as object)[0],
    );
    await host.close();
    expect(rows).toHaveLength(1);
    expect((await operator.jobs.list({ companyId })).items.map(({ id }) => id)).toEqual(rows);
    expect((await stage.events(keyId)).map(({ data }) => data.jobId)).toEqual(rows);
  });

  it('only the first of two concurrent publications gets an id, even for another company', async () => {
    const [first, second] = [await granted(), await granted()];
    const id = 'job_contested' as const;
    const host = await stage.host();
    await host.run('begin');
    await operator.within(host.tx).jobs.publish({ ...PICKER, id, companyId: first.companyId });
    const late = operator.jobs.publish([
      { ...PICKER, companyId: second.companyId },
      { ...PICKER, id, title: 'Packer', companyId: second.companyId },
    ]);
    const refused = expect(late).rejects.toMatchObject({ code: 'JOB_EXISTS' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await host.run('commit');
    await host.close();
    await refused;
    expect(await operator.jobs.find({ id })).toMatchObject({ title: 'Picker', companyId: first.companyId });
    expect((await operator.jobs.list({ companyId: second.companyId })).items).toEqual([]);
    expect(await stage.visible(second.keyId)).toEqual([]);
    expect(await stage.events(second.keyId)).toEqual([]);
  });

  it('an open transaction does not block reading an application', async () => {
    const { keyId, companyId } = await granted();
    const application = await stage.application(keyId, await operator.jobs.publish({ ...PICKER, companyId }));
    const { id } = application;
    const host = await stage.host();
    await host.run('begin');
    await operator.within(host.tx).applications.move({ id });
    const outcome = await Promise.race([
      operator.applications.find({ id }),
      new Promise((resolve) => setTimeout(resolve, 2_000, 'It waits.')),
    ]);
    await host.run('commit');
    await host.close();
    expect(outcome).toMatchObject({ ...application, consent: { givenAt: application.submittedAt, keyId } });
  });

  it('a rejected command changes nothing, even if the host commits', async () => {
    const { keyId, companyId } = await granted();
    const job = await operator.jobs.publish({ ...PICKER, companyId });
    await operator.jobs.archive({ id: job.id });
    const application = await stage.application(keyId, job);
    const { id: partnerId } = await operator.partners.create({ name: 'Another ATS' });
    const before = await snapshot(keyId);
    const refusals = await storage.transaction(async (tx) => {
      const host = ofHost.within(tx);
      const blank = { ...PICKER, companyId, title: ' ' };
      const settled = await Promise.allSettled([
        host.jobs.close({ id: job.id }),
        host.jobs.publish([{ ...PICKER, companyId }, blank]),
        host.jobs.publish([
          { ...PICKER, companyId },
          { ...PICKER, companyId, id: job.id },
        ]),
        host.jobs.publish([
          { ...PICKER, companyId },
          { ...PICKER, companyId: 'co_none' },
        ]),
        host.jobs.update({ id: job.id, changes: { title: '' } }),
        host.applications.decide({ id: application.id, decision: 'accepted' }),
        host.keys.issue({ partnerId, environment: 'production', endpointUrl: 'ftp://ats.example' }),
        host.keys.rotate({ id: keyId, overlapMs: -1 }),
        host.endpoints.setUrl({ keyId, url: 'nowhere' }),
        host.access.revoke({ keyId, companyId: 'co_none' }),
      ]);
      return settled.map((one) => (one.status === 'rejected' ? one.reason.code : 'taken'));
    });
    expect(refusals).toEqual([
      'ILLEGAL_MOVE',
      'INVALID_INPUT',
      'JOB_EXISTS',
      'COMPANY_NOT_FOUND',
      'INVALID_INPUT',
      'ILLEGAL_MOVE',
      'INVALID_INPUT',
      'INVALID_INPUT',
      'INVALID_INPUT',
      'COMPANY_NOT_FOUND',
    ]);
    expect(await snapshot(keyId)).toEqual(before);
  });

  /** Everything that a partner or an operator can see. */
  async function snapshot(keyId: KeyId) {
    const { items: companies } = await operator.companies.list();
    const jobs = await Promise.all(companies.map(({ id }) => operator.jobs.list({ companyId: id })));
    const [keys, endpoint] = [(await operator.keys.list()).items, await operator.endpoints.find({ keyId })];
    const { items: access } = await operator.access.list({ keyId });
    const { items: applications } = await operator.applications.list();
    return { jobs, keys, endpoint, access, applications, events: await stage.events(keyId) };
  }
});

describe("a command's own transaction", () => {
  it('wakes the worker once, and only if it recorded events', async () => {
    const { companyId } = await granted();
    const before = stage.wakes();
    const [first] = await operator.jobs.publish([1, 2, 3].map(() => ({ ...PICKER, companyId })));
    expect(stage.wakes()).toBe(before + 1);
    await operator.jobs.update({ id: first?.id ?? 'job_none', changes: { title: 'Packer' } });
    await operator.companies.rename({ id: companyId, name: 'Depot' });
    expect(stage.wakes()).toBe(before + 1);
  });

  it('does not register an id twice', async () => {
    const { companyId } = await granted();
    const exists = { id: companyId, name: 'Depot', environment: 'production' } as const;
    await expect(operator.companies.create(exists)).rejects.toMatchObject({ code: 'COMPANY_EXISTS' });
    const partner = await operator.partners.create({ id: 'ptn_mine', name: 'Mine' });
    await expect(operator.partners.create({ id: partner.id, name: 'Mine' })).rejects.toMatchObject({
      code: 'PARTNER_EXISTS',
    });
    const { keys, ...mine } = partner;
    expect(keys).toEqual([]);
    expect(await operator.partners.find({ id: 'ptn_mine' })).toEqual({ ...mine, health: null });
    const wrong = { id: 'co_not allowed' as const, name: 'Depot', environment: 'production' } as const;
    await expect(operator.companies.create(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('bootstrap mode', () => {
  it('lasts 24 hours, and requires access', async () => {
    const { keyId, companyId } = await granted();
    const { access, changed } = await operator.access.raiseLimit({ keyId, companyId });
    expect(changed).toBe(true);
    expect(access.bootstrapUntil).toBe(stage.clock.now() + 24 * 60 * 60 * 1_000);
    expect((await operator.access.list({ keyId })).items).toMatchObject([access]);
    // The same moment again.
    expect(await operator.access.raiseLimit({ keyId, companyId })).toEqual({ access, changed: false });
    await operator.access.revoke({ keyId, companyId });
    expect((await operator.access.revoke({ keyId, companyId })).changed).toBe(false);
    await expect(operator.access.raiseLimit({ keyId, companyId })).rejects.toMatchObject({
      code: 'ACCESS_NOT_FOUND',
    });
    const stranger = await stage.key();
    await expect(operator.access.revoke({ keyId: stranger, companyId })).rejects.toMatchObject({
      code: 'ACCESS_NOT_FOUND',
    });
  });
});

describe('a command whose commit succeeded without an answer', () => {
  it('takes effect once when it is called again', async () => {
    const { keyId, companyId } = await granted();
    const job = { ...PICKER, companyId, id: 'job_answer_lost' } as const;
    const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
    const commands = [
      () => losing.jobs.publish(job),
      () => losing.jobs.close({ id: job.id }),
      () => losing.access.revoke({ keyId, companyId }),
      () => losing.keys.issue({ partnerId, environment: 'production' }),
    ];
    for (const command of commands) {
      isLosing = true;
      await expect(command()).rejects.toThrow(StorageUnavailable);
    }
    await expect(losing.jobs.publish(job)).rejects.toMatchObject({ code: 'JOB_EXISTS' });
    expect(await losing.jobs.close({ id: job.id })).toMatchObject({ changed: false });
    expect(await losing.access.revoke({ keyId, companyId })).toMatchObject({ changed: false });
    await expect(losing.keys.issue({ partnerId, environment: 'production' })).rejects.toMatchObject({
      code: 'KEY_EXISTS',
    });
    expect((await stage.events(keyId)).map(({ type }) => type)).toEqual(['job.opened', 'job.closed']);
  });
});
