/** Operations that publish and close jobs in steps. */
import type { JobId, JobState } from '@partner-hiring/core';
import { describe, expect, it } from 'vitest';
import { openOperationStage } from './operations-stage.js';
import { PICKER } from './stage.js';

const stage = await openOperationStage();
const { operator, runSteps } = stage;
const { operations, jobs } = operator;

describe('publishing in steps', () => {
  it('publishes 100 jobs at a time, and skips those whose id was taken meanwhile', async () => {
    const keyId = await stage.key();
    const companyId = await stage.company();
    await operator.access.grant({ keyId, companyId });
    const taken: JobId = 'job_taken_by_another';
    const inputs = Array.from({ length: 250 }, (_, index) => ({
      ...PICKER,
      companyId,
      title: `Picker ${index}`,
      ...(index === 120 ? { id: taken } : {}),
    }));
    const { id, plan, counts } = await jobs.publishInSteps(inputs);
    expect([plan, counts]).toEqual([{ kind: 'publish_jobs' }, { done: 0, skipped: 0, total: 250 }]);
    await jobs.publish({ ...PICKER, companyId, id: taken, title: 'First' });
    await stage.stepper().step();
    expect(await operations.find({ id })).toMatchObject({ state: 'running', counts: { done: 100 } });
    expect(await stage.visible(keyId)).toHaveLength(101);
    await runSteps();
    expect(await operations.find({ id })).toMatchObject({
      state: 'done',
      counts: { done: 249, skipped: 1, total: 250 },
    });
    const { items: published } = await jobs.list({ companyId, limit: 1_000 });
    expect(published).toHaveLength(250);
    expect(new Set(published.map(({ title }) => title)).size).toBe(250);
    expect(published.find((job) => job.id === taken)?.title).toBe('First');
    expect((await stage.events(keyId)).filter(({ type }) => type === 'job.opened')).toHaveLength(250);
  });

  it('rejects wrong jobs, unknown companies and more than 100,000 jobs before it starts', async () => {
    const companyId = await stage.company();
    const newest = async () => (await operations.list({ limit: 1 })).items[0]?.id;
    const before = await newest();
    const job = { ...PICKER, companyId };
    for (const [wrong, code] of [
      [[job, { ...job, title: '' }], 'INVALID_INPUT'],
      [[job, { ...job, companyId: 'co_none' as const }], 'COMPANY_NOT_FOUND'],
      [Array(100_001).fill(job), 'INVALID_INPUT'],
    ] as const) {
      await expect(jobs.publishInSteps(wrong)).rejects.toMatchObject({ code });
    }
    expect(await newest()).toBe(before);
  });
});

describe('closing all jobs of a company', () => {
  it('closes the jobs that are open when it starts, 100 at a time, and counts them', async () => {
    const keyId = await stage.key();
    const [companyId, otherId] = [await stage.company(), await stage.company()];
    await operator.access.grant({ keyId, companyId });
    const many = Array.from({ length: 550 }, () => ({ ...PICKER, companyId }));
    const published = await jobs.publish([
      ...many,
      { ...PICKER, companyId, state: 'archived' },
      { ...PICKER, companyId: otherId },
    ]);
    const countOf = (state: JobState) => jobs.count({ companyId, state });
    expect(await Promise.all((['open', 'closed', 'archived'] as const).map(countOf))).toEqual([550, 0, 1]);
    const { id, plan, counts } = await jobs.closeAll({ companyId });
    expect([plan, counts]).toEqual([
      { kind: 'close_jobs', companyId },
      { done: 0, skipped: 0, total: 550 },
    ]);
    const later = await jobs.publish({ ...PICKER, companyId });
    const [first, second] = published;
    if (!first || !second) throw new Error('Jobs were published.');
    await jobs.archive({ id: first.id });
    await jobs.close({ id: second.id });
    await stage.stepper().step();
    expect(await operations.find({ id })).toMatchObject({
      state: 'running',
      counts: { done: 98, skipped: 2 },
    });
    await runSteps();
    expect(await operations.find({ id })).toMatchObject({
      state: 'done',
      counts: { done: 548, skipped: 2, total: 550 },
    });
    expect(await Promise.all((['open', 'closed', 'archived'] as const).map(countOf))).toEqual([1, 549, 2]);
    expect(await jobs.count({ companyId })).toBe(552);
    expect(await jobs.count({ companyId: otherId, state: 'open' })).toBe(1);
    expect((await stage.visible(keyId)).map((job) => job.id)).toEqual([later.id]);
    expect((await stage.events(keyId)).filter(({ type }) => type === 'job.closed')).toHaveLength(550);
    const { items: acts } = await operator.audit.list({
      object: { kind: 'company', id: companyId },
      limit: 1,
    });
    expect(acts).toMatchObject([{ act: 'jobs.closeAll', count: 548, filter: { jobs: 550 } }]);
    await expect(jobs.closeAll({ companyId: 'co_none' })).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
    });
  });
});
