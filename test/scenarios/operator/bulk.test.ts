/** Acts on many objects: the worker changes each of them in steps, and says which it could not change. */
import type { KeyId, OperatorCommands } from '@partner-hiring/core';
import { describe, expect, it } from 'vitest';
import type { ApplicationRecord } from '../../../packages/core/src/domain/application.js';
import type { JobId } from '../../../packages/core/src/domain/ids.js';
import { IS_FULL } from '../../faults/stage/size.js';
import { openOperationStage, startedBy } from './operations-stage.js';
import { PICKER } from './stage.js';

const stage = await openOperationStage();
const { operator, runSteps } = stage;
const { bulk, operations } = operator;
const COMPANIES = IS_FULL ? 270 : 6;
const KEYS = IS_FULL ? 30 : 4;
const ADA = { id: 'user_42', name: 'Ada', reason: 'The store closes' };

async function many<Made>(count: number, make: () => Promise<Made>): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make());
  return made;
}

async function jobOf(keyId: KeyId): Promise<JobId> {
  const companyId = await stage.company();
  await operator.access.grant({ keyId, companyId });
  return (await operator.jobs.publish({ ...PICKER, companyId })).id;
}

/** Adds applications, of which all but the first three are in evaluation. */
async function applications(
  keyId: KeyId,
  jobId: JobId,
  count: number,
): Promise<readonly ApplicationRecord[]> {
  const job = await operator.jobs.find({ id: jobId });
  if (job === null) throw new Error('The job is missing.');
  const added: ApplicationRecord[] = [];
  for (let index = 0; index < count; index += 1) added.push(await stage.application(keyId, job));
  const moves = added.slice(3).map(({ id }) => ({ id }));
  // The clock stands still meanwhile, so the stamps of most are ahead of it.
  if (moves.length > 0) await operator.applications.move(moves);
  return added;
}

const statusesOf = async (jobId: JobId) => {
  const { items } = await operator.applications.list({ jobId, limit: 1_000 });
  return Object.fromEntries(
    [...new Set(items.map(({ status }) => status))].map((status) => [
      status,
      items.filter((item) => item.status === status).length,
    ]),
  );
};

const REJECT = { act: 'applications.decide', decision: 'rejected' } as const;

async function entriesOf(commands: OperatorCommands, id: string) {
  return (await commands.audit.list({ object: { kind: 'operation', id } })).items;
}

describe('deciding on the applications of a filter', () => {
  it('counts and names them first, then rejects 100 at a time, with one event and one entry', async () => {
    const keyId = await stage.key();
    const jobId = await jobOf(keyId);
    const [first] = await applications(keyId, jobId, 253);
    const dry = await bulk.start({ ...REJECT, jobId, dryRun: true });
    expect(dry).toMatchObject({ count: 250, operation: null });
    expect(dry.items).toHaveLength(10);
    expect(dry.items[0]).toMatchObject({ keyId, keyLabel: expect.any(String), candidate: {} });
    expect(await statusesOf(jobId)).toEqual({ received: 3, in_progress: 250 });

    const confirmed = { ...REJECT, jobId, asOf: dry.asOf };
    const { id, counts } = startedBy(await operator.as(ADA).bulk.start(confirmed));
    expect(counts).toEqual({ done: 0, skipped: 0, total: 250 });
    // Those that come later are not among them.
    await applications(keyId, jobId, 4);
    await stage.stepper().step();
    expect(await operations.find({ id })).toMatchObject({ state: 'running', counts: { done: 100 } });
    expect(await runSteps()).toBe(3);
    expect(await operations.find({ id })).toMatchObject({
      state: 'done',
      counts: { done: 250, skipped: 0, total: 250 },
      failed: { count: 0, first: [] },
    });
    expect(await statusesOf(jobId)).toEqual({ received: 6, in_progress: 1, rejected: 250 });
    const events = (await stage.events(keyId)).filter(({ type }) => type === 'application.status_changed');
    expect(events).toHaveLength(250);

    const [end, start] = await entriesOf(operator, id);
    const filter = { decision: 'rejected', jobId, selected: 250 };
    expect(start).toMatchObject({ act: 'applications.decide', actor: ADA, count: 250, filter });
    expect(end).toMatchObject({ after: { state: 'done', done: 250, skipped: 0, failed: 0 }, actor: ADA });
    const [decided] = (await operator.applications.list({ jobId, status: 'rejected', limit: 1 })).items;
    if (decided === undefined || first === undefined) throw new Error('An application is missing.');
    const { entries } = await operator.timelines.find({ applicationId: decided.id });
    expect(entries.map(({ text }) => text).join('\n')).toContain('Reason: The store closes.');
  });

  it('decides only on those that somebody has confirmed, while others come in and move', async () => {
    const keyId = await stage.key();
    const jobId = await jobOf(keyId);
    const [, , , moved] = await applications(keyId, jobId, 6);
    if (!moved) throw new Error('One is missing.');
    const { count, asOf } = await bulk.start({ ...REJECT, jobId, dryRun: true });
    expect(count).toBe(3);
    await applications(keyId, jobId, 4);
    await operator.applications.move({ id: moved.id, stage: 'final_review' });
    await bulk.start({ ...REJECT, jobId, asOf });
    await runSteps();
    expect(await statusesOf(jobId)).toEqual({ received: 6, in_progress: 2, rejected: 2 });
  });

  it('leaves out exceptions from a filter, and takes none beside ids', async () => {
    const keyId = await stage.key();
    const jobId = await jobOf(keyId);
    const [, , , left, other] = await applications(keyId, jobId, 5);
    if (!left || !other) throw new Error('One is missing.');
    const { count, operation } = await bulk.start({ ...REJECT, jobId, except: [left.id] });
    expect(count).toBe(1);
    const [start] = await entriesOf(operator, operation?.id ?? '');
    // The audit has their number, because a list of ids may be long.
    expect(start?.filter).toEqual({ decision: 'rejected', jobId, except: 1, selected: 1 });
    await runSteps();
    expect((await operator.applications.find({ id: left.id }))?.status).toBe('in_progress');
    expect((await operator.applications.find({ id: other.id }))?.status).toBe('rejected');
    await expect(bulk.start({ ...REJECT, ids: [other.id], except: [left.id] })).rejects.toThrow(
      'must have except only with a filter or all',
    );
  });

  it('goes on after those that it cannot decide on, and says why', async () => {
    const keyId = await stage.key();
    const jobId = await jobOf(keyId);
    const [received, , , accepted, rejected, moved, ...others] = await applications(keyId, jobId, 10);
    if (!received || !accepted || !rejected || !moved) throw new Error('One is missing.');
    await operator.applications.decide({ id: rejected.id, decision: 'rejected' });
    const ids = [received, accepted, rejected, moved, ...others].map((each) => each.id);
    const { id } = startedBy(await bulk.start({ ...REJECT, ids }));
    await operator.applications.decide({ id: accepted.id, decision: 'accepted' });
    await operator.applications.move({ id: moved.id, stage: 'final_review' });
    await runSteps();
    const ended = await operations.find({ id });
    expect(ended).toMatchObject({ state: 'done', counts: { done: 5, skipped: 1, total: 8 } });
    const failed = ended?.failed?.first.map(({ object, code, message }) => [object.id, code, message]);
    expect(failed).toEqual([
      [received.id, 'ILLEGAL_MOVE', expect.stringContaining('is received and cannot become rejected')],
      [accepted.id, 'ILLEGAL_MOVE', expect.stringContaining('A decision is final.')],
    ]);
    const [end] = await entriesOf(operator, id);
    expect(end?.after).toMatchObject({ done: ended?.counts.done, failed: ended?.failed?.count });
  });

  it('keeps what is done when it is stopped', async () => {
    const keyId = await stage.key();
    const jobId = await jobOf(keyId);
    await applications(keyId, jobId, 203);
    const { id } = startedBy(await bulk.start({ ...REJECT, jobId }));
    await stage.stepper().step();
    expect(await operations.stop({ id })).toMatchObject({ changed: true });
    expect(await runSteps()).toBe(0);
    expect(await statusesOf(jobId)).toEqual({ received: 3, in_progress: 100, rejected: 100 });
    const [stopped, start] = await entriesOf(operator, id);
    expect(stopped).toMatchObject({ act: 'operations.stop', after: { done: 100 } });
    expect(start).toMatchObject({ count: 100 });
  });

  it('names at most 50 failures, and counts all', async () => {
    const keyId = await stage.key();
    const jobId = await jobOf(keyId);
    const added = await applications(keyId, jobId, 63);
    const ids = added.slice(3).map((each) => each.id);
    const { id } = startedBy(await bulk.start({ ...REJECT, ids }));
    await operator.applications.decide(ids.map((each) => ({ id: each, decision: 'accepted' })));
    await runSteps();
    const { failed } = (await operations.find({ id })) ?? {};
    expect([failed?.count, failed?.first.length]).toEqual([60, 50]);
  });

  it('starts nothing if it finds nothing, or an unknown object', async () => {
    const keyId = await stage.key();
    const jobId = await jobOf(keyId);
    expect(await bulk.start({ ...REJECT, jobId })).toMatchObject({ count: 0, operation: null });
    for (const [input, code] of [
      [{ ...REJECT, ids: ['app_none'] }, 'APPLICATION_NOT_FOUND'],
      [{ act: 'access.revoke', ids: ['co_none'] }, 'COMPANY_NOT_FOUND'],
      [{ act: 'access.grant', ids: ['co_none'] }, 'COMPANY_NOT_FOUND'],
      [{ act: 'access.grant', all: true }, 'INVALID_INPUT'],
      [{ act: 'endpoints.pause', ids: [await stage.key({ endpoint: false })] }, 'ENDPOINT_NOT_FOUND'],
      [{ ...REJECT }, 'INVALID_INPUT'],
      [{ ...REJECT, jobId, ids: ['app_1'] }, 'INVALID_INPUT'],
      [{ ...REJECT, jobId, all: true }, 'INVALID_INPUT'],
      [{ act: 'endpoints.pause', ids: [keyId], decision: 'rejected' }, 'INVALID_INPUT'],
      [{ act: 'deliveries.resend', ids: [keyId] }, 'INVALID_INPUT'],
    ] as const) {
      await expect(bulk.start(input as never)).rejects.toMatchObject({ code });
    }
  });
});

describe('access of all partners', () => {
  it('revokes a company for the keys that have it, one key a step, and can be undone for one', async () => {
    const companyId = await stage.company();
    const keyIds = [await stage.key(), await stage.key(), await stage.key()];
    await operator.access.grant(keyIds.slice(0, 2).map((keyId) => ({ keyId, companyId })));
    await operator.jobs.publish({ ...PICKER, companyId });
    const revoke = { act: 'access.revoke', ids: [companyId] } as const;
    const { items } = await bulk.start({ ...revoke, dryRun: true });
    const companyName = (await operator.companies.find({ id: companyId }))?.name;
    expect(items).toMatchObject([{ companyName }, { companyName }]);
    const { id, plan } = startedBy(await bulk.start(revoke));
    expect(plan).toMatchObject({ keyIds: null, act: 'access.revoke' });
    expect(await runSteps()).toBe(3);
    expect(await operations.find({ id })).toMatchObject({ state: 'done', counts: { done: 2, total: 2 } });
    const [revoked] = keyIds;
    if (revoked === undefined) throw new Error('A key is missing.');
    const seen = async (keyId: KeyId) => (await stage.visible(keyId)).length;
    expect(await Promise.all(keyIds.map(seen))).toEqual([0, 0, 0]);
    await operator.access.grant({ keyId: revoked, companyId });
    expect(await Promise.all(keyIds.map(seen))).toEqual([1, 0, 0]);
    const types = (await stage.events(revoked)).map(({ type }) => type);
    expect(types).toEqual(['job.opened', 'job.closed', 'job.opened']);
    const objects = [{ kind: 'key', id: revoked } as const, { kind: 'company', id: companyId } as const];
    for (const object of objects) {
      const acts = (await operator.audit.list({ object })).items.map(({ act }) => act);
      expect(acts).toEqual(expect.arrayContaining(['access.grant', 'access.revoke']));
    }
  });

  it('grants it to all other keys of its environment, also where it was revoked', async () => {
    const companyId = await stage.company('sandbox');
    const environment = 'sandbox';
    const [one, two] = [await stage.key({ environment }), await stage.key({ environment })];
    await stage.key();
    await operator.access.grant({ keyId: one, companyId });
    await operator.access.revoke({ keyId: one, companyId });
    const grant = { act: 'access.grant', ids: [companyId] } as const;
    const { items } = await bulk.start({ ...grant, dryRun: true });
    expect(items.map(({ keyId }) => keyId).toSorted()).toEqual([one, two].toSorted());
    startedBy(await bulk.start(grant));
    await runSteps();
    expect((await bulk.start(grant)).count).toBe(0);
  });

  it(`revokes ${COMPANIES} companies from ${KEYS} keys`, async () => {
    const companyIds = await many(COMPANIES, () => stage.company());
    const keyIds = await many(KEYS, () => stage.key());
    startedBy(await bulk.start({ act: 'access.grant', ids: companyIds }));
    await runSteps();
    const { id, counts } = startedBy(await bulk.start({ act: 'access.revoke', ids: companyIds }));
    expect(counts.total).toBeGreaterThanOrEqual(COMPANIES * KEYS);
    await runSteps();
    const ended = await operations.find({ id });
    expect(ended).toMatchObject({ state: 'done', failed: { count: 0 }, counts: { done: counts.total } });
    for (const keyId of keyIds)
      expect((await operator.access.list({ keyId, onlyActive: true })).items).toEqual([]);
  }, 600_000);
});
