/** Operations: commands on many rows that the worker runs in steps. */
import type { Operation, Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { OperatorError } from '../../../packages/core/src/errors.js';
import { MORE, OWN, openOperationStage, startedBy } from './operations-stage.js';
import { PICKER } from './stage.js';

const stage = await openOperationStage();
const { operator, storage, clock, waiting, rowsOf, runSteps } = stage;
const { deliveries, operations, jobs } = operator;

/** Fails the calls of one repository method. */
function failing(failure: () => Error | null): Storage<unknown> {
  return {
    ...storage,
    transaction: (work) =>
      storage.transaction((tx: Repositories) =>
        work({
          ...tx,
          deliveries: {
            ...tx.deliveries,
            bringForward: async (...input) => {
              await tx.deliveries.bringForward(...input);
              const error = failure();
              if (error !== null) throw error;
            },
          },
        }),
      ),
  };
}

describe('an operation', () => {
  /** Starts one of `steps` steps. */
  async function start(steps = 3): Promise<Operation> {
    const companyId = await stage.company();
    return jobs.publishInSteps(Array.from({ length: steps * 100 }, () => ({ ...PICKER, companyId })));
  }

  it('stops before its next step, and keeps what it has done', async () => {
    const { id } = await start();
    await stage.stepper().step();
    const { operation, changed } = await operations.stop({ id });
    expect([changed, operation]).toMatchObject([
      true,
      { state: 'stopped', counts: { done: 100, total: 300 }, finishedAt: clock.now() },
    ]);
    expect(await runSteps()).toBe(0);
    expect(await operations.stop({ id })).toEqual({ operation, changed: false });
    await expect(operations.stop({ id: 'op_none' })).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' });
    expect(await operations.find({ id: 'op_none' })).toBeNull();
  });

  it('takes turns with others', async () => {
    const [first, second] = [await start(2), await start(2)];
    const stepper = stage.stepper();
    const turns: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      await clock.advance(1);
      turns.push((await stepper.step())?.operation.id ?? '');
    }
    expect(turns.toSorted()).toEqual([first.id, first.id, second.id, second.id].toSorted());
    expect(turns[0]).not.toBe(turns[1]);
    await runSteps();
  });

  it('is listed newest first, by state, in pages', async () => {
    const ids = [(await start(1)).id];
    await clock.advance(1);
    ids.unshift((await start(1)).id);
    const first = await operations.list({ state: 'running', limit: 1 });
    expect(first.items.map(({ id }) => id)).toEqual([ids[0]]);
    const cursor = first.nextCursor ?? '';
    const next = await operations.list({ state: 'running', limit: 9, cursor });
    expect([next.items.map(({ id }) => id), next.nextCursor]).toEqual([[ids[1]], null]);
    expect((await operations.list()).items.slice(0, 2).map(({ id }) => id)).toEqual(ids);
    for (const wrong of [{ cursor }, { state: 'lost' }, { limit: 0 }]) {
      const rejected = operations.list(wrong as never);
      await expect(rejected).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
    await runSteps();
  });

  it('repeats a failed step later, and gives up after ten failures', async () => {
    const keyId = await waiting(OWN + MORE);
    const { id } = startedBy(await deliveries.resend({ keyId, only: 'undelivered' }));
    let left = 3;
    const stepper = stage.stepper({
      storage: failing(() => (left-- > 0 ? new Error('Row of ada@example.org is bad.') : null)),
    });
    const before = await rowsOf(keyId);
    expect(await stepper.step()).toMatchObject({ kind: 'failed', err: { message: expect.any(String) } });
    // The step was rolled back.
    expect(await rowsOf(keyId)).toEqual(before);
    const failed = await operations.find({ id });
    expect(failed).toMatchObject({ state: 'running', counts: { done: OWN } });
    expect(failed?.lastError).toContain('Error');
    expect(failed?.lastError).not.toContain('ada');
    expect(await stepper.step()).toBeNull();
    for (let minute = 0; minute < 3; minute += 1) {
      await clock.advance(MINUTE_MS);
      await runSteps(stepper);
    }
    expect(await operations.find({ id })).toMatchObject({
      state: 'done',
      counts: { done: OWN + MORE },
      lastError: null,
    });

    const other = await waiting(OWN + MORE);
    const { id: doomed } = startedBy(await deliveries.resend({ keyId: other, only: 'undelivered' }));
    left = 100;
    const last = (await rowsOf(other)).slice(-3);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await operations.find({ id: doomed })).toMatchObject({ state: 'running' });
      await clock.advance(5 * MINUTE_MS);
      // These are due by now, so the step would not fail.
      await storage.direct.deliveries.save(last.map((row) => ({ ...row, dueAt: clock.now() + DAY_MS })));
      await stepper.step();
    }
    expect(await operations.find({ id: doomed })).toMatchObject({ state: 'failed', counts: { done: OWN } });
  });

  it("gives up at once after an operator's error, which repeats", async () => {
    const keyId = await waiting(OWN + MORE);
    const { id } = startedBy(await deliveries.resend({ keyId, only: 'undelivered' }));
    const error = new OperatorError('ENDPOINT_NOT_FOUND', 'It has no endpoint.');
    await runSteps(stage.stepper({ storage: failing(() => error) }));
    expect(await operations.find({ id })).toMatchObject({
      state: 'failed',
      lastError: 'ENDPOINT_NOT_FOUND: It has no endpoint.',
      finishedAt: clock.now(),
    });
  });
});

describe('the worker', () => {
  it('runs operations, and sends the events that they record', async () => {
    const fixture = await createFixture();
    const partner = await createPartner(fixture);
    const { companyId } = await createEmployer(fixture, partner);
    const inputs = Array.from({ length: 150 }, () => ({ ...WAREHOUSE_JOB, companyId }));
    fixture.partnerHiring.worker.start();
    const { id } = await fixture.operator.jobs.publishInSteps(inputs);
    for (let times = 0; times < 20; times += 1) await fixture.clock.advance(SECOND_MS / 4);
    expect(await fixture.operator.operations.find({ id })).toMatchObject({
      state: 'done',
      counts: { done: 150 },
    });
    expect(fixture.transport.attempts).toHaveLength(151);
    await fixture.close();
  });

  it('deletes operations a month after they ended', async () => {
    const fixture = await createFixture();
    const partner = await createPartner(fixture);
    const { companyId } = await createEmployer(fixture, partner);
    const { id } = await fixture.operator.jobs.publishInSteps([{ ...WAREHOUSE_JOB, companyId }]);
    await fixture.partnerHiring.worker.drain();
    await fixture.pass(29 * DAY_MS);
    expect(await fixture.operator.operations.find({ id })).toMatchObject({ state: 'done' });
    await fixture.pass(2 * DAY_MS);
    expect(await fixture.operator.operations.find({ id })).toBeNull();
    await fixture.close();
  });
});
