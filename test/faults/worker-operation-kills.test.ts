/** Operations survive kills: no step is lost, and none is done twice. */
import {
  type CompanyId,
  createPartnerHiring,
  type Job,
  type KeyId,
  type OperatorCommands,
  type PartnerEvent,
  type Storage,
  type StoredDelivery,
} from '@partner-hiring/core';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { answered } from '@partner-hiring/test-support/transport';
import { expect, it } from 'vitest';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import { newDelivery } from '../../packages/core/src/domain/delivery.js';
import { boundKey, newApplication, PICKER } from '../scenarios/operator/stage.js';
import type { OperationMoment } from './operation-child.js';
import { runChild } from './stage/run-child.js';
import { sized } from './stage/size.js';

type AnyStorage = Pick<Storage<unknown>, 'transaction'>;

const MOMENTS: readonly OperationMoment[] = ['in_step', 'before_commit', 'after_commit'];
const KILLS = sized(20, 3);
/** Steps are of 100 jobs. Each killed process does one or two. */
const JOBS = sized(5_000, 900);

it(`publishes each of ${JOBS} jobs once, with one event each, when killed ${KILLS} times`, async () => {
  const database = await createTestDatabase();
  const storage = await database.open({ now: Date.now });
  const { operator, close } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const partner = await operator.partners.create({ name: 'Acme ATS' });
  const endpointUrl = 'https://ats.example/hooks';
  const { key } = await operator.keys.issue({
    partnerId: partner.id,
    environment: 'production',
    endpointUrl,
  });
  const { id: companyId } = await operator.companies.create({ name: 'Depot', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId });
  const inputs = Array.from({ length: JOBS }, (_, index) => ({ ...PICKER, companyId, title: `${index}` }));
  const { id } = await operator.jobs.publishInSteps(inputs);

  for (let kill = 0; kill < KILLS; kill += 1) {
    const moment = MOMENTS[kill % MOMENTS.length] ?? 'in_step';
    const orders = { location: database.location, moment, nth: 1 + (kill % 2) };
    expect(await runChild('operation-child.ts', orders)).toBe('SIGKILL');
    const operation = await operator.operations.find({ id });
    const published = await allJobs(operator, companyId);
    // The progress and the jobs are from the same commits.
    expect([operation?.state, operation?.counts.done]).toEqual(['running', published.length]);
    expect(published.length).toBeLessThan(JOBS);
  }
  const [one, other] = [1, 2].map(() =>
    runChild('operation-child.ts', { location: database.location, moment: null, nth: 0 }),
  );
  expect([await one, await other]).toEqual([0, 0]);

  expect(await operator.operations.find({ id })).toMatchObject({
    state: 'done',
    counts: { done: JOBS, skipped: 0, total: JOBS },
  });
  const titles = (await allJobs(operator, companyId)).map(({ title }) => title);
  expect(titles.toSorted()).toEqual(inputs.map(({ title }) => title).toSorted());
  const { overall } = await operator.deliveries.count({ keyId: key.id });
  expect(overall.due).toBe(JOBS);
  await close();
  await database.remove();
}, 300_000);

async function allJobs({ jobs }: OperatorCommands, companyId: CompanyId): Promise<readonly Job[]> {
  const found: Job[] = [];
  let cursor: string | undefined;
  do {
    const page = await jobs.list({ companyId, limit: 1_000, cursor });
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** More than a command sends itself, so that the worker sends the rest. A step has 1000 deliveries. */
const EVENTS = sized(22_000, 13_500);
const RESEND_KILLS = sized(9, 3);

it(`resends each of ${EVENTS} dead letters once, when killed ${RESEND_KILLS} times`, async () => {
  const database = await createTestDatabase();
  const storage = await database.open({ now: Date.now });
  const { operator, close } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const partner = await operator.partners.create({ name: 'Acme ATS' });
  const endpointUrl = 'https://ats.example/hooks';
  const { key } = await operator.keys.issue({
    partnerId: partner.id,
    environment: 'production',
    endpointUrl,
  });
  await addDeadLetters(storage, key.id, EVENTS);
  const { operation } = await operator.deliveries.resend({ keyId: key.id, only: 'undelivered' });
  if (operation === null) throw new Error('The worker has to send the rest.');
  const { id } = operation;
  const inState = (state: 'dead' | 'pending') =>
    storage.direct.deliveries.list({ keyId: key.id, state, limit: EVENTS });

  for (let kill = 0; kill < RESEND_KILLS; kill += 1) {
    const moment = MOMENTS[kill % MOMENTS.length] ?? 'in_step';
    expect(await runChild('operation-child.ts', { location: database.location, moment, nth: 1 })).toBe(
      'SIGKILL',
    );
    const now = await operator.operations.find({ id });
    // The progress and the deliveries are from the same commits.
    const dead = await inState('dead');
    expect([now?.state, now?.counts.done]).toEqual(['running', EVENTS - dead.length]);
  }
  const [one, other] = [1, 2].map(() =>
    runChild('operation-child.ts', { location: database.location, moment: null, nth: 0 }),
  );
  expect([await one, await other]).toEqual([0, 0]);

  expect(await operator.operations.find({ id })).toMatchObject({ state: 'done', counts: { done: EVENTS } });
  expect(await inState('dead')).toEqual([]);
  const pending = await inState('pending');
  expect(pending).toHaveLength(EVENTS);
  // A delivery that was sent twice would be in its third cycle.
  expect(new Set(pending.map(({ cycle, attempts }) => `${cycle} ${attempts}`))).toEqual(new Set(['2 0']));
  await close();
  await database.remove();
}, 300_000);

/** More at once take too long on a busy machine. */
const ADDED_AT_ONCE = 500;

async function addDeadLetters(storage: AnyStorage, keyId: KeyId, left: number): Promise<void> {
  const count = Math.min(left, ADDED_AT_ONCE);
  await storage.transaction(async (tx) => {
    const [range] = await tx.feed.take([{ keyId, count }], Date.now());
    if (range === undefined) throw new Error('The key has no feed.');
    const events = Array.from({ length: count }, (_, index): PartnerEvent => {
      const at = range.first + index;
      return { id: `evt_${at}`, keyId, type: 'job.opened', at, body: '{}' };
    });
    await tx.events.append(events);
    await tx.deliveries.save(events.map(deadLetter));
    await tx.endpoints.advanceWatermark(keyId, range.first + count - 1);
  });
  if (left > count) await addDeadLetters(storage, keyId, left - count);
}

function deadLetter(event: PartnerEvent): StoredDelivery {
  return {
    ...newDelivery(event, event.at),
    state: 'dead',
    attempts: 10,
    dueAt: null,
    lastAttemptAt: event.at,
    lastLatencyMs: 1,
    lastOutcome: answered(500),
  };
}

/** Steps are of 100 applications. */
const DECISIONS = sized(10_000, 500);
const BULK_KILLS = sized(20, 3);

it(`rejects each of ${DECISIONS} applications once, when killed ${BULK_KILLS} times`, async () => {
  const database = await createTestDatabase();
  const storage = await database.open({ now: Date.now });
  const { operator, close } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const partner = await operator.partners.create({ name: 'Acme ATS' });
  const { key } = await operator.keys.issue({
    partnerId: partner.id,
    environment: 'production',
    endpointUrl: 'https://ats.example/hooks',
  });
  const { id: companyId } = await operator.companies.create({ name: 'Depot', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  for (let added = 0; added < DECISIONS; added += ADDED_AT_ONCE)
    await addApplications(storage, key.id, job, Math.min(ADDED_AT_ONCE, DECISIONS - added));
  const { items } = await operator.applications.list({ jobId: job.id, limit: 1 });
  expect(items).toMatchObject([{ status: 'in_progress' }]);
  const input = { act: 'applications.decide', decision: 'rejected', jobId: job.id } as const;
  const { operation } = await operator.bulk.start(input);
  if (operation === null) throw new Error('The worker has to decide.');
  const { id } = operation;
  const countOf = async (status: 'in_progress' | 'rejected') =>
    (await operator.applications.count({ jobId: job.id, status })).count;

  for (let kill = 0; kill < BULK_KILLS; kill += 1) {
    const moment = MOMENTS[kill % MOMENTS.length] ?? 'in_step';
    expect(await runChild('operation-child.ts', { location: database.location, moment, nth: 1 })).toBe(
      'SIGKILL',
    );
    const now = await operator.operations.find({ id });
    // The progress and the decisions are from the same commits.
    expect([now?.state, now?.counts.done]).toEqual(['running', await countOf('rejected')]);
  }
  const [one, other] = [1, 2].map(() =>
    runChild('operation-child.ts', { location: database.location, moment: null, nth: 0 }),
  );
  expect([await one, await other]).toEqual([0, 0]);

  expect(await operator.operations.find({ id })).toMatchObject({
    state: 'done',
    counts: { done: DECISIONS, skipped: 0, total: DECISIONS },
    failed: { count: 0 },
  });
  expect([await countOf('in_progress'), await countOf('rejected')]).toEqual([0, DECISIONS]);
  const { items: acts } = await operator.audit.list({ object: { kind: 'operation', id } });
  expect(acts).toMatchObject([{ after: { done: DECISIONS } }, { count: DECISIONS }]);
  const { overall } = await operator.deliveries.count({ keyId: key.id });
  // One event for the job, and one for each decision.
  expect(overall.due).toBe(DECISIONS + 1);
  await close();
  await database.remove();
}, 300_000);

async function addApplications(storage: AnyStorage, keyId: KeyId, job: Job, count: number): Promise<void> {
  const runtime = createSystemRuntime();
  await storage.transaction(async (tx) => {
    const [range] = await tx.feed.take([{ keyId, count }], Date.now());
    if (range === undefined) throw new Error('The key has no feed.');
    const rows = Array.from({ length: count }, (_, index) => {
      const at = range.first + index;
      const made = newApplication(runtime, keyId, job);
      const stage = 'video_interview';
      const application = { ...made, status: 'in_progress', stage } as const;
      return { ...application, submittedAt: at, lastStatusChangeAt: at, changedAt: at };
    });
    await tx.submissions.add(
      rows.map((application) => ({ application, idempotency: boundKey(application), resume: null })),
    );
  });
}
