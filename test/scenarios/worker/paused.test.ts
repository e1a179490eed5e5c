/** Contract: 12.11, a paused endpoint. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { cancel } from '../../../packages/core/src/domain/delivery.js';
import { DAY_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { hang, openStage, SETTLE_MS, until } from './stage.js';

const POLL_MS = 1_000;

const stage = perTest(openStage, ({ close }) => close());

describe('a paused endpoint', () => {
  it('gets its events in order after it is resumed', async () => {
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
    await until(() => hanging.count() === 1);
    await stage.clock.advance(50);
    expect(hanging.count()).toBe(1);
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

  it('gets due retries after it is resumed, without a lost attempt', async () => {
    const { keyId, first: event } = await stage.keyWithEvents();
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

  it('gets nothing more from a busy sender', async () => {
    const { keyId, first } = await stage.keyWithEvents();
    const hanging = hang(stage.transport);
    const worker = stage.worker();
    const drained = worker.drain();
    await until(() => hanging.count() === 1);
    await stage.pause(keyId);
    await stage.record(keyId, 3);
    worker.wake();
    await stage.clock.advance(5_000);
    expect(stage.sent()).toEqual([first?.id]);
    await hanging.endWith(answered(200));
    await drained;
    expect(stage.sent()).toEqual([first?.id]);
    expect(stage.alerts).toEqual([]);
    expect((await stage.endpoint(keyId)).state).toMatchObject({ kind: 'paused', reason: 'operator' });
  });

  it('gets nothing more from a sender whose attempts hang', async () => {
    const { keyId } = await stage.keyWithEvents(20);
    const hanging = hang(stage.transport);
    const drained = stage.worker().drain();
    await until(() => hanging.count() === 4);
    await stage.pause(keyId);
    await stage.clock.advance(POLL_MS);
    await hanging.endAll();
    await drained;
    expect(stage.sent()).toHaveLength(4);
  });

  it('gets nothing more after the next record', async () => {
    const { keyId } = await stage.keyWithEvents(20);
    const hanging = hang(stage.transport);
    const drained = stage.worker().drain();
    await until(() => hanging.count() === 4);
    await stage.pause(keyId);
    await hanging.endWith(answered(200), 1);
    await until(() => hanging.count() === 4);
    await stage.clock.advance(SETTLE_MS);
    await hanging.endAll();
    await drained;
    expect(stage.sent()).toHaveLength(5);
  });

  it('does not get cancelled events after it is resumed', async () => {
    const { keyId, first, second } = await stage.keyWithEvents(2);
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
    await hanging.endAll();
    await stage.clock.advance(MINUTE_MS);
    await worker.stop();
    expect(stage.sent()).toHaveLength(3);
    expect(await stage.delivery(keyId, waiting?.id ?? 'evt_')).toMatchObject({ state: 'cancelled' });
  });

  it('stays paused after the success of an attempt in flight', async () => {
    const { keyId, first: late } = await stage.keyWithEvents(2);
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

/** Records events whose first attempt fails, and waits until they are due again. */
async function failOnce(count: number): Promise<void> {
  stage.transport.answerWith(() => answered(500));
  await stage.worker().drain();
  expect(stage.sent()).toHaveLength(count);
  await stage.clock.advance(2 * MINUTE_MS);
}
