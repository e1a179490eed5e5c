/** Erasing many: the operation, its dry run, and the option that starts it every day. */

import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
import { DAY_MS } from '../../../packages/core/src/domain/time.js';
import { dump, foundIn, openPersonalStage, submissionOf } from './stage.js';

function personOf(number: number): string {
  return `Zq${String(number).padStart(4, '0')}xw`;
}

describe('erasing many', () => {
  const stage = perTest(openPersonalStage, (opened) => opened.close());

  async function otherCompany() {
    const { operator, partner } = stage;
    const { id } = await operator.companies.create({ name: 'Bakery', environment: 'production' });
    await operator.access.grant({ keyId: partner.keyId, companyId: id });
    const job = await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId: id });
    return { companyId: id, jobId: job.id };
  }

  it('erases the candidates of one company in steps, after a dry run that changes nothing', async () => {
    const other = await otherCompany();
    const own = Array.from({ length: 45 }, (_, index) => personOf(index));
    for (const person of own) await stage.submit(person);
    const kept = personOf(500);
    const body = submissionOf(other.jobId, kept, { applicationFormAnswers: null });
    expect((await stage.partner.submit(body)).status).toBe(201);
    await stage.clock.advance(60_000);
    await stage.drain();
    const { candidates, operations } = stage.operator;
    const which = { companyId: stage.companyId, clearSourceApplicationId: true };
    expect(await candidates.eraseMany({ ...which, dryRun: true })).toEqual({ count: 45, operation: null });
    expect(foundIn(await dump(stage.host), own)).toEqual(own);
    const { operation, count } = await candidates.eraseMany(which);
    expect([count, operation?.state]).toEqual([null, 'running']);
    const late = personOf(600);
    await stage.clock.advance(1_000);
    await stage.submit(late);
    await stage.fixture.pass(2_000, 50);
    expect(await operations.find({ id: operation?.id ?? 'op_' })).toMatchObject({
      state: 'done',
      counts: { done: 45, skipped: 0, total: null },
      plan: { kind: 'erase', companyId: stage.companyId, isRetention: false },
    });
    const stored = await dump(stage.host);
    expect(foundIn(stored, own)).toEqual([]);
    expect(foundIn(stored, [kept, late])).toEqual([kept, late]);
    expect(await candidates.eraseMany({ ...which, dryRun: true })).toMatchObject({ count: 1 });
  });

  it('also clears the own ids of applications that were erased without it', async () => {
    const { candidates, operations, applications } = stage.operator;
    const ids = [await stage.submit(personOf(1)), await stage.submit(personOf(2))];
    const [first = 'ej_app_', second = 'ej_app_'] = ids;
    await candidates.erase({ applicationId: first });
    const sourceIdOf = async (id: ApplicationId) => (await applications.find({ id }))?.sourceApplicationId;
    expect(await sourceIdOf(first)).toBe(`Id${personOf(1)}`);
    await stage.clock.advance(1_000);
    const which = { companyId: stage.companyId, dryRun: true };
    expect(await candidates.eraseMany(which)).toMatchObject({ count: 1 });
    const clearing = { companyId: stage.companyId, clearSourceApplicationId: true };
    expect(await candidates.eraseMany({ ...clearing, dryRun: true })).toMatchObject({ count: 2 });
    const { operation } = await candidates.eraseMany(clearing);
    await stage.fixture.pass(2_000, 50);
    expect(await operations.find({ id: operation?.id ?? 'op_' })).toMatchObject({ counts: { done: 2 } });
    expect([await sourceIdOf(first), await sourceIdOf(second)]).toEqual([null, null]);
    expect(await candidates.eraseMany({ ...clearing, dryRun: true })).toMatchObject({ count: 0 });
  });

  it('erases only applications whose last change is older, and stops on command', async () => {
    const ids: ApplicationId[] = [];
    for (let index = 0; index < 60; index += 1) ids.push(await stage.submit(personOf(index)));
    await stage.clock.advance(DAY_MS);
    const changedBefore = stage.clock.now();
    const [moved = 'ej_app_'] = ids;
    await stage.operator.applications.move({ id: moved });
    const { candidates, operations } = stage.operator;
    expect(await candidates.eraseMany({ changedBefore, dryRun: true })).toMatchObject({ count: 59 });
    const { operation } = await candidates.eraseMany({ changedBefore });
    const id = operation?.id ?? 'op_';
    await operations.stop({ id });
    await stage.fixture.pass(1_000, 50);
    expect(await operations.find({ id })).toMatchObject({ state: 'stopped', counts: { done: 0 } });
    await candidates.eraseMany({ changedBefore });
    await stage.fixture.pass(2_000, 50);
    expect(await candidates.eraseMany({ changedBefore, dryRun: true })).toMatchObject({ count: 0 });
    expect((await stage.operator.applications.find({ id: moved }))?.erasedAt).toBeNull();
  });

  it.each([
    [{}, /must have companyId, changedBefore or both/],
    [{ changedBefore: -1 }, /changedBefore must be an instant/],
    [{ companyId: 'co_1', olderThan: 5 }, /olderThan is unknown/],
    [{ companyId: 'co_1', dryRun: 1 }, /dryRun must be true or false/],
  ])('refuses %j', async (input, message) => {
    const loose = stage.operator.candidates.eraseMany as (input: unknown) => Promise<unknown>;
    await expect(loose(input)).rejects.toThrow(message);
  });
});

describe('retention', () => {
  const stage = perTest(
    () => openPersonalStage({ retention: { applicationsMs: 90 * DAY_MS } }),
    (opened) => opened.close(),
  );

  it('erases applications a while after their last change, once a day', async () => {
    const [old, moved] = [await stage.submit(personOf(1)), await stage.submit(personOf(2))];
    await stage.fixture.pass(50 * DAY_MS, DAY_MS);
    await stage.operator.applications.move({ id: moved });
    await stage.fixture.pass(39 * DAY_MS, DAY_MS);
    expect((await stage.operator.operations.list()).items).toEqual([]);
    await stage.fixture.pass(2 * DAY_MS, DAY_MS / 4);
    const { items: operations } = await stage.operator.operations.list();
    expect(operations.filter(({ counts }) => counts.done > 0)).toMatchObject([
      { plan: { kind: 'erase', isRetention: true }, state: 'done', counts: { done: 1 } },
    ]);
    expect(new Set(operations.map(({ createdAt }) => Math.floor(createdAt / DAY_MS))).size).toBe(
      operations.length,
    );
    expect((await stage.operator.applications.find({ id: old }))?.erasedAt).not.toBeNull();
    expect((await stage.operator.applications.find({ id: moved }))?.erasedAt).toBeNull();
    await stage.fixture.pass(51 * DAY_MS, DAY_MS);
    expect((await stage.operator.applications.find({ id: moved }))?.erasedAt).not.toBeNull();
    expect(foundIn(stage.logger.text(), [personOf(1), personOf(2)])).toEqual([]);
  });
});

it('refuses a time that is too short, or an unknown option', async () => {
  await expect(openPersonalStage({ retention: { applicationsMs: 90 } })).rejects.toThrow(
    '`retention.applicationsMs` is 90, but must be at least one day, 86400000 milliseconds.',
  );
  const misspelled = { applicationMs: DAY_MS } as object;
  await expect(openPersonalStage({ retention: misspelled })).rejects.toThrow(/applicationMs/);
});
