/** Deleting expired rows. */

import { skewClock } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { expect, it } from 'vitest';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { StorageUnavailable } from '../../../packages/core/src/errors.js';
import { openStage } from './stage.js';
import { submitWithResume } from './submission.js';

const stage = perTest(openStage, ({ close }) => close());

it('keeps delivered events and their rows for 30 days', async () => {
  const { keyId, events } = await stage.keyWithEvents(25);
  const retried = events[3]?.id ?? 'evt_';
  stage.transport.answerWith(({ body }) => answered(body.includes(retried) ? 500 : 200));
  const worker = stage.worker({ options: { sweepBatch: 10 } });
  await worker.drain();
  stage.transport.answerWith(() => answered(200));
  await stage.clock.advance(HOUR_MS);
  await worker.drain();
  const left = async () =>
    (
      await stage.storage.direct.events.find(
        keyId,
        events.map(({ id }) => id),
      )
    ).filter((event) => event !== null).length;

  await stage.clock.advance(30 * DAY_MS - HOUR_MS);
  await worker.drain();
  expect(await left()).toBe(25);
  expect(await stage.delivery(keyId, retried)).toMatchObject({ state: 'delivered' });
  await stage.clock.advance(HOUR_MS);
  await worker.drain();
  await stage.clock.advance(HOUR_MS);
  await worker.drain();
  expect(await left()).toBe(0);
  expect(await stage.delivery(keyId, retried)).toBeNull();
});

it('sweeps on time after the clock was set back', async () => {
  const { keyId, first: event } = await stage.keyWithEvents();
  await stage.worker().drain();
  await stage.clock.advance(40 * DAY_MS);
  const worker = stage.worker();
  stage.clock.setBack(2 * DAY_MS);
  await worker.drain();
  expect(await stage.storage.direct.events.find(keyId, [event?.id ?? 'evt_'])).toEqual([null]);
});

it('keeps dead letters and the events of paused endpoints', async () => {
  const paused = await stage.key();
  await stage.pause(paused);
  const [waiting] = await stage.record(paused);
  const { keyId, first: event } = await stage.keyWithEvents();
  const worker = stage.worker();
  stage.transport.answerWith(() => answered(500));
  await worker.drain();
  const row = await stage.delivery(keyId, event?.id ?? 'evt_');
  if (row === null) throw new Error('The delivery has no row.');
  await stage.storage.direct.deliveries.save([{ ...row, state: 'dead', attempts: 10, dueAt: null }]);

  await stage.clock.advance(90 * DAY_MS);
  await worker.drain();
  expect(await stage.storage.direct.events.find(paused, [waiting?.id ?? 'evt_'])).toEqual([waiting]);
  expect(await stage.storage.direct.events.find(keyId, [event?.id ?? 'evt_'])).toEqual([event]);
  expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({ state: 'dead' });
});

it('keeps rate windows for another minute', async () => {
  const { rateWindows } = stage.storage.direct;
  await rateWindows.charge([{ bucketId: 'one', cost: 7 }]);
  await stage.clock.advance(MINUTE_MS);
  await stage.worker().drain();
  stage.clock.setBack(MINUTE_MS);
  expect(await rateWindows.read(['one'])).toMatchObject([{ count: 7 }]);
  await stage.clock.advance(3 * MINUTE_MS);
  await stage.worker().drain();
  stage.clock.setBack(3 * MINUTE_MS);
  expect(await rateWindows.read(['one'])).toMatchObject([{ count: 0 }]);
});

it('deletes rows that expired on the storage’s clock', async () => {
  const { storage, clock } = stage;
  const { applications, rateWindows, submissions } = storage.direct;
  await rateWindows.charge([{ bucketId: 'one', cost: 7 }]);
  const id = await submitWithResume(stage, undefined, 'mine');
  const [application] = await applications.find([id]);
  if (application === undefined || application === null) throw new Error('The application is missing.');
  const isBound = async () => {
    const [record] = await submissions.findRecords([{ keyId: application.keyId, idempotencyKey: 'mine' }]);
    return record?.applicationId === id;
  };
  const ahead = { ...createSystemRuntime(), clock: skewClock(clock, 25 * HOUR_MS) };
  await stage.worker({ runtime: ahead }).drain();
  expect(await rateWindows.read(['one'])).toMatchObject([{ count: 7 }]);
  expect(await isBound()).toBe(true);
  await clock.advance(25 * HOUR_MS);
  const behind = { ...createSystemRuntime(), clock: skewClock(clock, -25 * HOUR_MS) };
  await stage.worker({ runtime: behind }).drain();
  expect(await isBound()).toBe(false);
});

it('deletes other rows when the database refuses one kind, and logs the refusal once', async () => {
  const { keyId, first: event } = await stage.keyWithEvents();
  await stage.worker().drain();
  await stage.clock.advance(40 * DAY_MS);
  const { direct, transaction } = stage.storage;
  const refused = new Error('A trigger refuses.');
  let isRefused = true;
  const sweep: typeof direct.submissions.sweep = async (...asked) => {
    if (isRefused) throw refused;
    return direct.submissions.sweep(...asked);
  };
  const submissions = { ...direct.submissions, sweep };
  const worker = stage.worker({ storage: { direct: { ...direct, submissions }, transaction } });
  const sweepAgain = async () => {
    await stage.clock.advance(MINUTE_MS);
    await worker.drain();
  };
  await worker.drain();
  expect(await direct.events.find(keyId, [event?.id ?? 'evt_'])).toEqual([null]);
  await sweepAgain();
  expect(stage.errors).toMatchObject([{ err: refused, rows: 'idempotency keys' }]);

  isRefused = false;
  await sweepAgain();
  isRefused = true;
  await sweepAgain();
  expect(stage.errors).toHaveLength(2);
});

it('repeats the whole sweep after an outage', async () => {
  const { direct, transaction } = stage.storage;
  const sweep = () => Promise.reject(new StorageUnavailable('down'));
  const deliveries = { ...direct.deliveries, sweep };
  const worker = stage.worker({ storage: { direct: { ...direct, deliveries }, transaction } });
  await expect(worker.drain()).rejects.toThrow('down');
});

it('sweeps at its own interval when it polls more often', async () => {
  const { direct, transaction } = stage.storage;
  let sweeps = 0;
  const sweep: typeof direct.submissions.sweep = (...asked) => {
    sweeps += 1;
    return direct.submissions.sweep(...asked);
  };
  const storage = { direct: { ...direct, submissions: { ...direct.submissions, sweep } }, transaction };
  const worker = stage.worker({ storage, options: { sweepEveryMs: MINUTE_MS } });
  const swept: number[] = [];
  for (const waitMs of [0, 0, MINUTE_MS - 1, 1]) {
    await stage.clock.advance(waitMs);
    await worker.drain();
    swept.push(sweeps);
  }
  expect(swept).toEqual([1, 1, 1, 2]);
});
