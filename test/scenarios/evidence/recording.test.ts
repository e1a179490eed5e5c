/** Evidence is written with the settlement, or not at all. */
import { passUntil, settle } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { expect, it } from 'vitest';
import type { EvidenceBatch } from '../../../packages/core/src/domain/delivery-evidence.js';
import type { PartnerEvent } from '../../../packages/core/src/domain/event.js';
import { DAY_MS, HOUR_MS } from '../../../packages/core/src/domain/time.js';
import type { EvidenceRepository } from '../../../packages/core/src/ports/repositories/deliveries.js';
import type { Repositories } from '../../../packages/core/src/ports/storage.js';
import { LEASE_MS, takeOver } from '../worker/stage/take-over.js';
import { hang, openStage, SETTLE_MS, until } from '../worker/stage.js';

const stage = perTest(openStage, ({ close }) => close());

/** The recorded successes of each event. */
async function successesOf(events: readonly PartnerEvent[]) {
  return stage.storage.direct.evidence.find(events.map(({ keyId, at }) => ({ keyId, at })));
}

/** The storage, with another way to append evidence and to settle. */
function storageWith(change: (tx: Repositories) => Partial<Repositories>) {
  const { direct, transaction } = stage.storage;
  return {
    direct,
    transaction: <T>(work: (tx: Repositories) => Promise<T>) =>
      transaction((tx) => work({ ...tx, ...change(tx) })),
  };
}

function appendingWith(append: (evidence: EvidenceRepository) => EvidenceRepository['append']) {
  return storageWith(({ evidence }) => ({ evidence: { ...evidence, append: append(evidence) } }));
}

it('one settlement appends one batch for each key', async () => {
  const keys = [await stage.key(), await stage.key()];
  const logs = await Promise.all(keys.map((keyId) => stage.record(keyId, 4)));
  const appended: EvidenceBatch[] = [];
  const storage = appendingWith((evidence) => (batches) => {
    appended.push(...batches.filter(({ successes }) => successes.length > 0));
    return evidence.append(batches);
  });
  await stage.worker({ storage }).drain();
  expect(appended.map(({ keyId, successes }) => [keyId, successes.length]).toSorted()).toEqual(
    keys.map((keyId) => [keyId, 4]).toSorted(),
  );
  const success = { deliveredAt: stage.clock.now(), status: 200, latencyMs: 0, attempts: 1, cycle: 1 };
  for (const events of logs) {
    expect(await successesOf(events)).toEqual(events.map(({ at }) => [{ eventAt: at, ...success }]));
  }
});

it('several workers record the events of all keys once', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => stage.key()));
  const events = (await Promise.all(keys.map((keyId) => stage.record(keyId, 15)))).flat();
  await passUntil(stage.clock, Promise.all([stage.worker().drain(), stage.worker().drain()]));
  expect(stage.sent()).toHaveLength(events.length);
  expect((await successesOf(events)).map(({ length }) => length)).toEqual(events.map(() => 1));
});

it('attempts that end in any order, over several settlements, are all recorded', async () => {
  const { keyId, events } = await stage.keyWithEvents(24);
  const hanging = hang(stage.transport);
  const drained = stage.worker().drain();
  let status = 200;
  for (let ended = 0; ended < events.length; ended += 1) {
    await until(() => hanging.count() > 0);
    await hanging.endWith(answered(status), ended % 3 === 0 ? 2 : 1);
    status = status === 226 ? 200 : status + 1;
    if (ended % 4 === 3) await stage.clock.advance(SETTLE_MS);
    if (stage.sent().length === events.length && hanging.count() === 0) break;
  }
  await hanging.endAll();
  await drained;
  const found = await successesOf(events);
  for (const [index, { id }] of events.entries()) {
    const row = await stage.delivery(keyId, id);
    // An overtaken event has a row, and its row has the outcome.
    const rows = row === null ? [] : [row];
    expect(rows.length + (found[index]?.length ?? 0)).toBe(1);
    for (const { state, lastOutcome } of rows) {
      expect([state, lastOutcome?.kind]).toEqual(['delivered', 'answered']);
    }
  }
});

it('a worker that dies before it records sends again, and the evidence shows the later success', async () => {
  const { keyId, events } = await stage.keyWithEvents(3);
  const hanging = hang(stage.transport);
  const dying = stage.worker();
  const died = dying.drain();
  await until(() => hanging.count() === 3);
  await takeOver(stage, keyId);
  await hanging.endWith(answered(201));
  await died;
  expect(await successesOf(events)).toEqual([[], [], []]);

  stage.transport.answerWith(() => answered(202));
  await stage.clock.advance(LEASE_MS + 1);
  await stage.worker().drain();
  expect(stage.sent()).toHaveLength(6);
  const success = { status: 202, deliveredAt: stage.clock.now() };
  expect(await successesOf(events)).toMatchObject(events.map(({ at }) => [{ eventAt: at, ...success }]));
});

it.each(['evidence', 'settlement'] as const)('if the %s fails, neither is stored', async (failing) => {
  const { keyId, events } = await stage.keyWithEvents(2);
  let isFailing = true;
  const refuse = async () => {
    if (isFailing) throw new Error('The database refuses.');
  };
  const storage = storageWith(({ evidence, endpoints }) =>
    failing === 'evidence'
      ? { evidence: { ...evidence, append: (batches) => refuse().then(() => evidence.append(batches)) } }
      : { endpoints: { ...endpoints, settle: (all) => refuse().then(() => endpoints.settle(all)) } },
  );
  const drained = stage.worker({ storage }).drain();
  await until(() => stage.errors.length > 0);
  await settle();
  expect(await successesOf(events)).toEqual([[], []]);
  const { oldestUnsentAt } = (await stage.storage.direct.endpoints.backlogs(keyId, 0, 9))[0] ?? {};
  expect(oldestUnsentAt).toBe(events[0]?.at);
  isFailing = false;
  await stage.clock.advance(2_000);
  await drained;
  expect((await successesOf(events)).map(({ length }) => length)).toEqual([1, 1]);
  expect(stage.sent()).toHaveLength(2);
});

it('a release without evidence leaves none, and its events are not taken for others', async () => {
  const { keyId, events: before } = await stage.keyWithEvents(2);
  await stage.worker().drain();
  await stage.clock.advance(1_000);
  const without = await stage.record(keyId, 2);
  await stage.worker({ storage: appendingWith(() => async () => {}) }).drain();
  await stage.clock.advance(1_000);
  const after = await stage.record(keyId, 2);
  await stage.worker().drain();
  expect((await successesOf([...before, ...without, ...after])).map(({ length }) => length)).toEqual([
    1, 1, 0, 0, 1, 1,
  ]);
});

it('evidence is kept as long as its event', async () => {
  const { keyId, events: first } = await stage.keyWithEvents(25);
  const worker = stage.worker({ options: { sweepBatch: 10 } });
  await worker.drain();
  await stage.clock.advance(DAY_MS);
  const second = await stage.record(keyId, 5);
  await worker.drain();

  const kept = async (events: readonly PartnerEvent[]) =>
    (await successesOf(events)).filter(({ length }) => length === 1).length;
  await stage.clock.advance(29 * DAY_MS - HOUR_MS);
  await worker.drain();
  expect([await kept(first), await kept(second)]).toEqual([25, 5]);
  for (let hour = 0; hour < 3; hour += 1) {
    await stage.clock.advance(HOUR_MS);
    await worker.drain();
  }
  expect([await kept(first), await kept(second)]).toEqual([0, 5]);
  await stage.clock.advance(DAY_MS);
  await worker.drain();
  expect(await kept(second)).toBe(0);
});
