import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { hang, until } from '../worker/stage.js';
import { openDeliveryStage } from './deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

describe('cancelling', () => {
  it('cancels a delivery that waits for its next attempt', async () => {
    const { operator, keyId } = stage;
    const [eventId = 'evt_'] = await stage.record(1);
    stage.fail([eventId]);
    await stage.drain();
    const outcome = await operator.deliveries.cancel({ keyId, eventId });
    expect(outcome).toMatchObject({
      changed: true,
      delivery: { state: 'cancelled', dueAt: null, attempts: 1 },
    });
    expect((await operator.deliveries.cancel({ keyId, eventId })).changed).toBe(false);
    await stage.pass(5 * DAY_MS, HOUR_MS);
    expect(stage.sent()).toEqual([eventId]);
    await operator.deliveries.resend({ keyId, eventIds: [eventId] });
    await stage.drain();
    expect(stage.sent()).toEqual([eventId, eventId]);
  });

  it('cancels an event recorded during a pause, and the others are sent after it', async () => {
    const { operator, keyId } = stage;
    await operator.endpoints.pause({ keyId });
    const [first, second = 'evt_', third] = await stage.record(3);
    const { delivery } = await operator.deliveries.cancel({ keyId, eventId: second });
    expect(delivery).toMatchObject({ state: 'cancelled', attempts: 0 });
    expect((await operator.deliveries.count({ keyId })).overall.paused).toBe(2);
    await operator.endpoints.resume({ keyId });
    await stage.drain();
    expect(stage.sent().toSorted()).toEqual([first, third].toSorted());
    expect(await stage.stateOf(second)).toBe('cancelled');
    // No work is left for the worker.
    expect((await operator.deliveries.count({ keyId })).overall).toMatchObject({ due: 0, scheduled: 0 });
  });

  it('cancels the last event of a log, and later ones are sent', async () => {
    const { operator, keyId } = stage;
    await operator.endpoints.pause({ keyId });
    const ids = await stage.record(3);
    for (const eventId of ids) await operator.deliveries.cancel({ keyId, eventId });
    await operator.endpoints.resume({ keyId });
    await stage.drain();
    const [next] = await stage.record(1);
    await stage.drain();
    expect(stage.sent()).toEqual([next]);
  });

  it('does not delay earlier events, even if their stamps lie ahead of the clock', async () => {
    const { operator, keyId, clock } = stage;
    await operator.endpoints.pause({ keyId });
    const [first, second, last = 'evt_'] = await stage.record(3);
    clock.setBack(HOUR_MS);
    await operator.deliveries.cancel({ keyId, eventId: last });
    await operator.endpoints.resume({ keyId });
    await stage.drain();
    expect(stage.sent()).toEqual([first, second]);
  });

  it.each([
    [200, 'delivered', 0],
    [500, 'cancelled', 1],
  ] as const)(
    'during an attempt that ends with %i makes it %s, and the attempt counts',
    async (status, state, failures) => {
      const { operator, keyId } = stage;
      const [eventId = 'evt_'] = await stage.record(1);
      stage.fail([eventId]);
      await stage.drain();
      const hanging = hang(stage.transport);
      await stage.clock.advance(2 * MINUTE_MS);
      const drained = stage.drain();
      await until(() => hanging.count() === 1);
      expect((await operator.deliveries.cancel({ keyId, eventId })).delivery.state).toBe('cancelled');
      await hanging.endWith(answered(status));
      await drained;
      const details = await operator.deliveries.find({ keyId, eventId });
      expect(details?.delivery).toMatchObject({ state, attempts: 2, dueAt: null });
      expect(details?.attempts.at(-1)?.outcome).toMatchObject({ status });
      const endpoint = await operator.endpoints.find({ keyId });
      expect(endpoint?.health.consecutiveFailures).toBe(failures * 2);
      stage.transport.answerWith(() => answered(200));
      await stage.pass(5 * DAY_MS, HOUR_MS);
      expect(stage.sent().filter((id) => id === eventId)).toHaveLength(2);
    },
  );

  it('of an event that may be in flight requires a pause', async () => {
    const { operator, keyId } = stage;
    const [eventId = 'evt_'] = await stage.record(1);
    const hanging = hang(stage.transport);
    const drained = stage.drain();
    await until(() => hanging.count() === 1);
    await expect(operator.deliveries.cancel({ keyId, eventId })).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
      message: expect.stringContaining('Pause the endpoint'),
    });
    await operator.endpoints.pause({ keyId });
    await hanging.endWith(answered(500));
    await drained;
    expect((await operator.deliveries.cancel({ keyId, eventId })).delivery).toMatchObject({
      state: 'cancelled',
      attempts: 1,
    });
  });

  it('cancels a dead letter, which is then no longer one', async () => {
    const { operator, keyId } = stage;
    const eventId = await stage.deadLetter();
    const outcome = await operator.deliveries.cancel({ keyId, eventId });
    expect(outcome).toMatchObject({ changed: true, delivery: { state: 'cancelled', attempts: 10 } });
    const { items } = await operator.audit.list({ object: { kind: 'delivery', id: eventId }, limit: 1 });
    expect(items).toMatchObject([{ before: { state: 'dead' }, after: { state: 'cancelled' } }]);
    expect((await operator.deliveries.count({ keyId })).overall.dead).toBe(0);
    expect(await operator.deliveries.resend({ keyId, only: 'undelivered' })).toMatchObject({ count: 0 });
    expect(await stage.stateOf(eventId)).toBe('cancelled');
  });

  it('rejects delivered and unknown events', async () => {
    const { operator, keyId } = stage;
    const [eventId = 'evt_'] = await stage.record(1);
    await stage.drain();
    await expect(operator.deliveries.cancel({ keyId, eventId })).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
    });
    await expect(operator.deliveries.cancel({ keyId, eventId: 'evt_none' })).rejects.toMatchObject({
      code: 'DELIVERY_NOT_FOUND',
    });
  });
});
