/** Redelivering and cancelling. */
import type { EventId } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { countTurns } from '@partner-hiring/test-support/turns';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { hang, until } from '../worker/stage.js';
import { openDeliveryStage } from './deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

const stateOf = async (eventId: EventId) =>
  (await stage.operator.deliveries.find({ keyId: stage.keyId, eventId }))?.delivery.state;

/** Records an event whose ten attempts fail, while others succeed. */
async function deadLetter(): Promise<EventId> {
  const [eventId = 'evt_'] = await stage.record(1);
  stage.fail([eventId]);
  await stage.drain();
  for (let day = 0; (await stateOf(eventId)) !== 'dead'; day += 1) {
    expect(day).toBeLessThan(7);
    await stage.pass(DAY_MS - HOUR_MS, HOUR_MS);
    await stage.record(1);
    await stage.drain();
  }
  return eventId;
}

describe('redelivering', () => {
  it('sends a delivered event without a row again', async () => {
    const { operator, keyId } = stage;
    const [eventId = 'evt_'] = await stage.record(1);
    await stage.drain();
    const outcome = await operator.deliveries.redeliver({ keyId, eventId });
    expect(outcome).toMatchObject({ changed: true, delivery: { state: 'pending', cycle: 2, attempts: 0 } });
    expect((await operator.deliveries.redeliver({ keyId, eventId })).changed).toBe(false);
    await stage.drain();
    expect(stage.sent()).toEqual([eventId, eventId]);
    expect(await stateOf(eventId)).toBe('delivered');
    // It is not sent a third time.
    await stage.pass(DAY_MS, HOUR_MS);
    expect(stage.sent()).toHaveLength(2);
  });

  it('starts a new cycle of ten, after which the delivery is dead again', async () => {
    const { operator, keyId } = stage;
    const eventId = await deadLetter();
    expect((await operator.deliveries.list({ keyId, state: 'dead' })).items).toHaveLength(1);
    await operator.deliveries.redeliver({ keyId, eventId });
    await stage.drain();
    expect(await operator.deliveries.find({ keyId, eventId })).toMatchObject({
      delivery: { state: 'pending', cycle: 2, attempts: 1 },
    });
    expect(stage.sent().filter((id) => id === eventId)).toHaveLength(11);
  });

  it('sends a list again, keeps pending ones, and reports missing ones', async () => {
    const { operator, keyId } = stage;
    const dead = await deadLetter();
    stage.transport.answerWith(() => answered(200));
    const [one = 'evt_', other = 'evt_'] = await stage.record(2);
    await stage.drain();
    const [waiting = 'evt_'] = await stage.record(1);
    const eventIds = [one, dead, other, waiting, one, 'evt_none'] as const;
    const before = stage.sent().length;
    expect(await operator.deliveries.redeliverMany({ keyId, eventIds })).toEqual({
      count: 3,
      redelivered: 3,
      broughtForward: 0,
      pending: 1,
      missing: ['evt_none'],
    });
    await stage.drain();
    expect(stage.sent().slice(before).toSorted()).toEqual([one, dead, other, waiting].toSorted());
    const many = Array.from({ length: 1_000 }, (): EventId => 'evt_none');
    expect(await operator.deliveries.redeliverMany({ keyId, eventIds: many })).toEqual({
      count: 0,
      redelivered: 0,
      broughtForward: 0,
      pending: 0,
      missing: ['evt_none'],
    });
    for (const wrong of [
      [...many, 'evt_none'],
      ['evt_none', 7],
    ] as const) {
      const input = { keyId, eventIds: wrong } as never;
      await expect(operator.deliveries.redeliverMany(input)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('sends delivered, dead and waiting events of a time range again, and nothing else', async () => {
    const { operator, keyId, clock } = stage;
    await stage.record(2);
    await stage.drain();
    const since = clock.now() + 500;
    const dead = await deadLetter();
    stage.transport.answerWith(() => answered(200));
    const [retrying = 'evt_', ...well] = await stage.record(4);
    stage.fail([retrying]);
    await stage.drain();
    const until = clock.now() + 500;
    const outside = await stage.record(1);
    await stage.drain();
    const before = stage.sent().length;
    const listed = await operator.deliveries.list({ keyId, since, until, limit: 1_000 });
    const outcome = await operator.deliveries.redeliverSince({ keyId, since, until });
    expect(outcome).toEqual({
      count: listed.items.length,
      redelivered: listed.items.length - 1,
      broughtForward: 1,
      operation: null,
    });
    await stage.drain();
    const again = stage.sent().slice(before);
    expect(new Set(again)).toEqual(new Set(listed.items.map(({ eventId }) => eventId)));
    expect(again).toHaveLength(outcome.count);
    expect(again).toEqual(expect.arrayContaining([dead, retrying, ...well]));
    expect(again).not.toContain(outside[0]);
  });

  it('sends a range of several batches in the order of the log, without events that were never attempted', async () => {
    const { operator, keyId, clock } = stage;
    const since = clock.now() + 500;
    const sent = [...(await stage.record(800)), ...(await stage.record(800)), ...(await stage.record(800))];
    await stage.drain();
    await operator.endpoints.pause({ keyId });
    const unsent = await stage.record(3);
    // Batches go from the newest to the oldest, but sending keeps the order of the log.
    let now = clock.now();
    const ticking = vi.spyOn(clock, 'now').mockImplementation(() => now++);
    // The event loop turns between batches, even on a synchronous database.
    const turns = countTurns();
    expect(await operator.deliveries.redeliverSince({ keyId, since })).toMatchObject({ redelivered: 2_400 });
    expect(turns.end()).toBeGreaterThanOrEqual(2);
    ticking.mockRestore();
    await clock.advance(SECOND_MS);
    // Pending ones are unchanged.
    expect(await operator.deliveries.redeliverSince({ keyId, since })).toMatchObject({ count: 0 });
    const before = stage.sent().length;
    await operator.endpoints.resume({ keyId });
    await stage.drain();
    const again = stage.sent().slice(before);
    expect(again.filter((id) => !unsent.includes(id as EventId))).toEqual(sent);
    expect(again).toHaveLength(sent.length + unsent.length);
  });

  it('rejects keys without an endpoint, unknown events, and ranges without since', async () => {
    const { deliveries } = stage.operator;
    const { keyId } = stage;
    await expect(deliveries.redeliver({ keyId, eventId: 'evt_none' })).rejects.toMatchObject({
      code: 'DELIVERY_NOT_FOUND',
    });
    await expect(deliveries.redeliverSince({ keyId: 'key_none', since: 0 })).rejects.toMatchObject({
      code: 'KEY_NOT_FOUND',
    });
    const text = { keyId, eventIds: 'evt_none' } as never;
    await expect(deliveries.redeliverMany(text)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const window of [{}, { since: 1.5 }, { since: 0, until: -1 }]) {
      await expect(deliveries.redeliverSince({ keyId, ...window } as never)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    }
  });
});

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
    await operator.deliveries.redeliver({ keyId, eventId });
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
    expect(await stateOf(second)).toBe('cancelled');
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
    const eventId = await deadLetter();
    const outcome = await operator.deliveries.cancel({ keyId, eventId });
    expect(outcome).toMatchObject({ changed: true, delivery: { state: 'cancelled', attempts: 10 } });
    const { items } = await operator.audit.list({ object: { kind: 'delivery', id: eventId }, limit: 1 });
    expect(items).toMatchObject([{ before: { state: 'dead' }, after: { state: 'cancelled' } }]);
    expect((await operator.deliveries.count({ keyId })).overall.dead).toBe(0);
    expect(await operator.deliveries.redeliverAll({ keyId })).toMatchObject({ count: 0 });
    expect(await stateOf(eventId)).toBe('cancelled');
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
