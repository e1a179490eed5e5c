/** Commands on many rows: operations, which the worker runs in steps, and what looks at 10,000 rows at most. */
import type { Delivery, JobId, JobState, KeyId, Operation, Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { OperatorError } from '../../../packages/core/src/errors.js';
import { appendEvents } from './append-events.js';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator, storage, clock } = stage;
const { deliveries, operations, jobs } = operator;

/** A command sends so many deliveries before the worker takes over. */
const OWN = 10_000;
const MORE = 1_500;

/** Creates a key with events that a worker has delivered, and returns the key. */
async function delivered(count: number): Promise<{ readonly keyId: KeyId; readonly since: number }> {
  const keyId = await stage.key();
  const since = clock.now();
  await appendEvents(storage, keyId, count, since);
  const [head] = (await stage.events(keyId)).toReversed();
  expect(await storage.direct.endpoints.advanceWatermark(keyId, head?.at ?? 0)).toBe(true);
  await clock.advance(MINUTE_MS);
  return { keyId, since };
}

/** Makes every event of a key wait for its second attempt. */
async function waiting(count: number): Promise<KeyId> {
  const { keyId } = await delivered(count);
  const rows = (await stage.events(keyId)).map(({ id, at }, index): Delivery => {
    return {
      keyId,
      eventId: id as Delivery['eventId'],
      eventAt: at,
      state: 'pending',
      attempts: 1,
      cycle: 1,
      dueAt: clock.now() + MINUTE_MS + index,
      pendingSince: at,
      lastAttemptAt: clock.now(),
      lastLatencyMs: 5,
      lastOutcome: { kind: 'answered', status: 500, excerpt: '' },
    };
  });
  for (let at = 0; at < rows.length; at += 1_000)
    await storage.direct.deliveries.save(rows.slice(at, at + 1_000));
  await clock.advance(SECOND_MS);
  return keyId;
}

async function rowsOf(keyId: KeyId): Promise<readonly Delivery[]> {
  const ids = (await stage.events(keyId)).map(({ id }) => id as Delivery['eventId']);
  const rows: (Delivery | null)[] = [];
  // A busy machine may not find all at once within the time of a statement.
  for (let at = 0; at < ids.length; at += 1_000)
    rows.push(...(await storage.direct.deliveries.find(keyId, ids.slice(at, at + 1_000))));
  return rows.filter((row) => row !== null);
}

async function runSteps(stepper = stage.stepper()): Promise<number> {
  let steps = 0;
  while ((await stepper.step()) !== null) steps += 1;
  return steps;
}

function startedBy({ operation }: { readonly operation: Operation | null }): Operation {
  if (operation === null) throw new Error('No operation was started.');
  return operation;
}

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

describe('sending more than 10,000 deliveries', () => {
  it('is continued by the worker, and each delivery is sent once', async () => {
    const { keyId, since } = await delivered(OWN + MORE);
    const preview = await deliveries.redeliverSince({ keyId, since, dryRun: true });
    expect(preview).toEqual({
      count: OWN + MORE,
      redelivered: OWN + MORE,
      broughtForward: 0,
      operation: null,
    });
    expect(await rowsOf(keyId)).toEqual([]);

    const outcome = await deliveries.redeliverSince({ keyId, since });
    expect(outcome.count).toBe(OWN);
    const operation = startedBy(outcome);
    expect(operation).toMatchObject({
      plan: { kind: 'redeliver_since', keyId, since, until: null },
      state: 'running',
      counts: { done: OWN, skipped: 0, total: null },
      finishedAt: null,
    });
    expect(await operations.find({ id: operation.id })).toEqual(operation);
    // Workers never run the same step.
    const steppers = [stage.stepper(), stage.stepper(), stage.stepper()];
    await Promise.all(steppers.map((stepper) => runSteps(stepper)));
    await runSteps();
    expect(await operations.find({ id: operation.id })).toMatchObject({
      state: 'done',
      counts: { done: OWN + MORE },
      lastError: null,
      finishedAt: clock.now(),
    });
    const rows = await rowsOf(keyId);
    expect(rows).toHaveLength(OWN + MORE);
    // All are due at one time, so they are sent in the order of the log.
    expect(new Set(rows.map(({ cycle, dueAt }) => `${cycle} ${dueAt}`)).size).toBe(1);
    expect(rows[0]).toMatchObject({ state: 'pending', cycle: 2, attempts: 0 });
  });

  it('of waiting deliveries leaves those that fail meanwhile', async () => {
    const keyId = await waiting(OWN + MORE);
    await operator.endpoints.pause({ keyId });
    const outcome = await operator.endpoints.resume({ keyId, retryNow: true });
    expect(outcome).toMatchObject({ changed: true, count: OWN, broughtForward: OWN });
    const beganAt = clock.now();
    await clock.advance(SECOND_MS);
    const last = (await rowsOf(keyId)).at(-1);
    if (last === undefined) throw new Error('There are no rows.');
    const failed = { ...last, attempts: 2, lastAttemptAt: clock.now(), dueAt: clock.now() + MINUTE_MS };
    await storage.direct.deliveries.save([failed]);
    await runSteps();
    expect(await operations.find({ id: startedBy(outcome).id })).toMatchObject({
      plan: { kind: 'retry_now', keyId },
      state: 'done',
      counts: { done: OWN + MORE - 1 },
    });
    const rows = await rowsOf(keyId);
    expect(rows.at(-1)).toEqual(failed);
    expect(new Set(rows.slice(0, -1).map(({ dueAt, attempts }) => `${dueAt} ${attempts}`))).toEqual(
      new Set([`${beganAt} 1`]),
    );
  });

  it("starts with the host's commit, and not without it", async () => {
    const keyId = await waiting(OWN + MORE);
    const host = await stage.host();
    await host.run('begin');
    const undone = await operator.within(host.tx).deliveries.redeliverAll({ keyId });
    await host.run('rollback');
    expect(await operations.find({ id: startedBy(undone).id })).toBeNull();
    await host.run('begin');
    const within = operator.within(host.tx);
    const { id } = startedBy(await within.deliveries.redeliverAll({ keyId }));
    expect(await within.operations.find({ id })).toMatchObject({ state: 'running' });
    await host.run('commit');
    await runSteps();
    expect(await operations.find({ id })).toMatchObject({ state: 'done', counts: { done: OWN + MORE } });
  });
});

describe('cancelling an event', () => {
  it('works behind 10,000 events that were never attempted, and not behind more', async () => {
    const keyId = await stage.key();
    await operator.endpoints.pause({ keyId });
    await appendEvents(storage, keyId, 10_002, clock.now());
    const { items } = await deliveries.list({ keyId, limit: 2 });
    const [last = 'evt_', other = 'evt_'] = items.map(({ eventId }) => eventId);
    await expect(deliveries.cancel({ keyId, eventId: last })).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
      message: expect.stringContaining('More than 10000 events'),
    });
    expect((await deliveries.cancel({ keyId, eventId: other })).changed).toBe(true);
  });
});

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
    const { id } = startedBy(await deliveries.redeliverAll({ keyId }));
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
    const { id: doomed } = startedBy(await deliveries.redeliverAll({ keyId: other }));
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
    const { id } = startedBy(await deliveries.redeliverAll({ keyId }));
    const error = new OperatorError('ENDPOINT_NOT_FOUND', 'It has no endpoint.');
    await runSteps(stage.stepper({ storage: failing(() => error) }));
    expect(await operations.find({ id })).toMatchObject({
      state: 'failed',
      lastError: 'ENDPOINT_NOT_FOUND: It has no endpoint.',
      finishedAt: clock.now(),
    });
  });
});

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
    const published = await jobs.publishMany([
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
    expect(acts).toMatchObject([{ act: 'jobs.closeAll', count: 550 }]);
    await expect(jobs.closeAll({ companyId: 'co_none' })).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
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
