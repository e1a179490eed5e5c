/** Spec: Events, delivery, retries, pausing: auto-pause, 410, resuming. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancel } from '../../../packages/core/src/domain/delivery.js';
import { FRESH_HEALTH, PAUSE_AFTER_FAILURES } from '../../../packages/core/src/domain/endpoint.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { NetworkUnavailable } from '../../../packages/core/src/errors.js';
import { settle } from '../../support/clock.js';
import { answered, UNREACHABLE } from '../../support/transport.js';
import { hang, openStage, SETTLE_MS, type Stage, until } from './stage.js';

/** How often a lane looks by itself. */
const POLL_MS = 1_000;

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

describe('an endpoint', () => {
  it('is paused after 50 consecutive failures, with one alert; nothing more is sent or counted', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 80);
    stage.transport.answerWith(() => UNREACHABLE);
    const worker = stage.worker();
    await worker.drain();

    expect((await stage.endpoint(keyId)).state).toMatchObject({
      kind: 'paused',
      reason: 'consecutive_failures',
    });
    expect(stage.alerts).toMatchObject([{ kind: 'endpoint_paused', keyId, reason: 'consecutive_failures' }]);
    // What was under way when the fiftieth failed may still end: never more than the cap, less that one.
    expect(stage.sent().length).toBeGreaterThanOrEqual(50);
    expect(stage.sent().length).toBeLessThanOrEqual(53);

    const sent = stage.sent().length;
    await stage.clock.advance(7 * DAY_MS);
    await worker.drain();
    expect(stage.sent()).toHaveLength(sent);
    const rows = await Promise.all(events.map(({ id }) => stage.delivery(keyId, id)));
    expect(rows.filter((row) => row !== null && row.attempts > 1)).toEqual([]);
    expect(stage.alerts).toHaveLength(1);
  });

  it('is paused after 50 failures of which none is recorded yet, however often its lane reads on', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 80);
    stage.transport.answerWith(() => UNREACHABLE);
    await stage.worker({ options: { readBatch: 16, settleEveryMs: MINUTE_MS } }).drain();
    expect((await stage.endpoint(keyId)).state).toMatchObject({ reason: 'consecutive_failures' });
    expect(stage.sent().length).toBeLessThanOrEqual(53);
  });

  it('is stored as paused with the answer that pauses it, before the next beat, while other attempts hang', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 4);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(410), 1);
    await settle(20);
    expect((await stage.endpoint(keyId)).state).toMatchObject({ reason: 'gone' });
    await hanging.endWith(answered(200));
  });

  it('is not paused while this machine can send nothing: no attempt is counted, and all is sent once it can', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 80);
    stage.transport.answerWith(() => {
      throw new NetworkUnavailable('No file descriptor is left.');
    });
    stage.start();
    await until(() => stage.sent().length > 0);
    for (let minutes = 0; minutes < 8; minutes += 1) await stage.clock.advance(MINUTE_MS);
    // Far more than as failures would pause it.
    expect(stage.sent().length).toBeGreaterThan(2 * PAUSE_AFTER_FAILURES);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: FRESH_HEALTH });
    expect(stage.alerts).toEqual([]);
    for (const { id } of events) expect(await stage.delivery(keyId, id)).toBeNull();

    const before = stage.sent().length;
    stage.transport.answerWith(() => answered(200));
    for (let seconds = 0; seconds < 30; seconds += 1) await stage.clock.advance(SECOND_MS);
    expect(stage.sent().slice(before).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  });

  it('is not paused by what its former URL answers, before or after a resume', async () => {
    const keyId = await stage.key();
    const events = await stage.record(keyId, 4);
    const hanging = hang(stage.transport);
    stage.start();
    await until(() => hanging.count() === 4);
    await hanging.endWith(answered(410), 1);
    await stage.clock.advance(POLL_MS);
    expect((await stage.endpoint(keyId)).state).toMatchObject({ reason: 'gone' });

    await stage.change(keyId, (endpoint) => ({ ...endpoint, url: 'https://new.example.org/webhooks' }));
    await stage.resume(keyId);
    await hanging.endWith(answered(410), 1);
    await stage.clock.advance(POLL_MS);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: FRESH_HEALTH });
    // Known to the lane by now.
    await hanging.endWith(answered(410));
    await stage.clock.advance(POLL_MS);
    expect(await stage.endpoint(keyId)).toMatchObject({ state: { kind: 'active' }, health: FRESH_HEALTH });
    expect(stage.alerts).toHaveLength(1);
    const rows = await Promise.all(events.map(({ id }) => stage.delivery(keyId, id)));
    expect(rows.map((row) => row?.attempts)).toEqual([1, 1, 1, 1]);

    stage.transport.answerWith(() => answered(200));
    await stage.clock.advance(2 * MINUTE_MS);
    expect(stage.sent()).toHaveLength(8);
  });

  it('is not paused by 49 failures and a success', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 50);
    let count = 0;
    stage.transport.answerWith(() => {
      count += 1;
      return answered(count % 50 === 0 ? 200 : 500);
    });
    await stage.worker().drain();
    expect((await stage.endpoint(keyId)).state).toEqual({ kind: 'active' });
  });

  it('is paused by a failure 24 hours after the first one since the last success', async () => {
    const keyId = await stage.key();
    const worker = stage.worker();
    stage.transport.answerWith(() => answered(500));
    await stage.record(keyId);
    await worker.drain();
    await stage.clock.advance(DAY_MS - HOUR_MS);
    await worker.drain();
    expect((await stage.endpoint(keyId)).state).toEqual({ kind: 'active' });
    await stage.clock.advance(HOUR_MS);
    await worker.drain();
    expect((await stage.endpoint(keyId)).state).toMatchObject({ kind: 'paused', reason: 'no_success' });
    expect(stage.alerts).toMatchObject([{ kind: 'endpoint_paused', reason: 'no_success' }]);
  });

  it('is never paused for being idle', async () => {
    const keyId = await stage.key();
    const worker = stage.worker();
    await stage.clock.advance(30 * DAY_MS);
    await worker.drain();
    stage.transport.answerWith(() => answered(500));
    await stage.record(keyId);
    await worker.drain();
    expect((await stage.endpoint(keyId)).state).toEqual({ kind: 'active' });
    expect(stage.alerts).toEqual([]);
  });

  it('is paused at once by a 410, with one alert', async () => {
    const keyId = await stage.key();
    const [event] = await stage.record(keyId);
    stage.transport.answerWith(() => answered(410));
    await stage.worker().drain();
    expect((await stage.endpoint(keyId)).state).toMatchObject({ kind: 'paused', reason: 'gone' });
    expect(stage.alerts).toMatchObject([{ kind: 'endpoint_paused', keyId, reason: 'gone' }]);
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({ state: 'pending', attempts: 1 });
  });
});

it('a lane whose attempts all hang learns of another URL with its next poll', async () => {
  const keyId = await stage.key();
  await stage.record(keyId, 8);
  const hanging = hang(stage.transport);
  const drained = stage.worker().drain();
  await until(() => hanging.count() === 4);
  const url = 'https://new.example.org/webhooks';
  await stage.change(keyId, (endpoint) => ({ ...endpoint, url }));
  await stage.clock.advance(POLL_MS);
  stage.transport.answerWith(() => answered(200));
  await hanging.endWith(answered(200));
  await drained;
  expect(stage.transport.attempts.slice(4).map((attempt) => attempt.url)).toEqual([url, url, url, url]);
});

describe('while paused', () => {
  it('events are recorded, not delivered; resuming releases them in order, a few at a time', async () => {
    const keyId = await stage.key();
    await stage.pause(keyId);
    const events = await stage.record(keyId, 20);
    const worker = stage.worker();
    await worker.drain();
    await stage.clock.advance(3 * DAY_MS);
    await worker.drain();
    expect(stage.sent()).toEqual([]);

    await stage.resume(keyId);
    const hanging = hang(stage.transport);
    const drained = worker.drain();
    await until(() => hanging.count() === 4);
    await stage.clock.advance(50);
    expect(hanging.count()).toBe(4);
    while (stage.sent().length < 20) {
      const before = stage.sent().length;
      await hanging.endWith(answered(200), 1);
      await until(() => stage.sent().length > before);
      expect(hanging.count()).toBeLessThanOrEqual(4);
    }
    await hanging.endWith(answered(200));
    await drained;
    expect(stage.sent()).toEqual(events.map(({ id }) => id));
  });

  it('a retry that falls due waits for the resumption, no attempt consumed', async () => {
    const keyId = await stage.key();
    const [event] = await stage.record(keyId);
    const worker = stage.worker();
    stage.transport.answerWith(() => answered(500));
    await worker.drain();
    await stage.pause(keyId);
    await stage.clock.advance(2 * DAY_MS);
    await worker.drain();
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({ state: 'pending', attempts: 1 });
    stage.transport.answerWith(() => answered(200));
    await stage.resume(keyId);
    await worker.drain();
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({
      state: 'delivered',
      attempts: 2,
    });
  });

  it('nothing new is sent by a lane that was at work when the operator paused, and nothing alerted', async () => {
    const keyId = await stage.key();
    const [first] = await stage.record(keyId);
    const hanging = hang(stage.transport);
    const worker = stage.worker();
    const drained = worker.drain();
    await until(() => hanging.count() === 1);
    await stage.pause(keyId);
    await stage.record(keyId, 3);
    worker.nudge();
    await stage.clock.advance(5_000);
    expect(stage.sent()).toEqual([first?.id]);
    await hanging.endWith(answered(200));
    await drained;
    expect(stage.sent()).toEqual([first?.id]);
    expect(stage.alerts).toEqual([]);
    expect((await stage.endpoint(keyId)).state).toMatchObject({ kind: 'paused', reason: 'operator' });
  });

  it('a lane whose attempts all hang learns of the pause with its next poll, and sends nothing as they end', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 20);
    const hanging = hang(stage.transport);
    const drained = stage.worker().drain();
    await until(() => hanging.count() === 4);
    await stage.pause(keyId);
    await stage.clock.advance(POLL_MS);
    stage.transport.answerWith(() => answered(200));
    await hanging.endWith(answered(200));
    await drained;
    expect(stage.sent()).toHaveLength(4);
  });

  it('a lane learns of the pause as it records, before its next poll', async () => {
    const keyId = await stage.key();
    await stage.record(keyId, 20);
    const hanging = hang(stage.transport);
    const drained = stage.worker().drain();
    await until(() => hanging.count() === 4);
    await stage.pause(keyId);
    await hanging.endWith(answered(200), 1);
    await until(() => hanging.count() === 4);
    await stage.clock.advance(SETTLE_MS);
    stage.transport.answerWith(() => answered(200));
    await hanging.endWith(answered(200));
    await drained;
    expect(stage.sent()).toHaveLength(5);
  });

  it('what is cancelled is not sent after the resumption either, by a lane that was at work all the while', async () => {
    const keyId = await stage.key();
    const [first, second] = await stage.record(keyId, 2);
    await failOnce(2);
    const hanging = hang(stage.transport);
    const worker = stage.start({ options: { maxInFlightPerEndpoint: 1 } });
    await until(() => hanging.count() === 1);
    await stage.pause(keyId);
    await stage.clock.advance(POLL_MS);
    const waiting = stage.sent().at(-1) === first?.id ? second : first;
    const delivery = await stage.delivery(keyId, waiting?.id ?? 'evt_');
    if (delivery !== null) await stage.storage.direct.deliveries.save([cancel(delivery)]);
    await stage.resume(keyId);
    stage.transport.answerWith(() => answered(200));
    await hanging.endWith(answered(200));
    await stage.clock.advance(MINUTE_MS);
    await worker.stop();
    expect(stage.sent()).toHaveLength(3);
    expect(await stage.delivery(keyId, waiting?.id ?? 'evt_')).toMatchObject({ state: 'cancelled' });
  });

  it('the late success of an attempt in flight is recorded and resumes nothing', async () => {
    const keyId = await stage.key();
    const [late] = await stage.record(keyId, 2);
    const hanging = hang(stage.transport, (id) => id === late?.id);
    const { post } = stage.transport;
    const worker = stage.worker({
      transport: {
        ...stage.transport,
        post: async (request) => {
          const outcome = await post(request);
          return request.body.includes(late?.id ?? '') ? outcome : answered(410);
        },
      },
    });
    const drained = worker.drain();
    await until(() => stage.sent().length === 2);
    await stage.clock.advance(200);
    await hanging.endWith(answered(200));
    await drained;
    const { state, health } = await stage.endpoint(keyId);
    expect(state).toMatchObject({ kind: 'paused', reason: 'gone' });
    expect(health.consecutiveFailures).toBe(0);
    expect(stage.alerts).toHaveLength(1);
    await stage.clock.advance(MINUTE_MS);
    await worker.drain();
    expect(stage.sent().filter((id) => id === late?.id)).toHaveLength(1);
  });
});

/** The first attempts of so many events that were recorded fail; then they are due again. */
async function failOnce(count: number): Promise<void> {
  stage.transport.answerWith(() => answered(500));
  await stage.worker().drain();
  expect(stage.sent()).toHaveLength(count);
  await stage.clock.advance(2 * MINUTE_MS);
}
