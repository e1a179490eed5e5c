/** Spec: Events, delivery, retries, pausing: the ten attempts. */

import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { redeliver } from '../../../packages/core/src/domain/delivery.js';
import { FRESH_HEALTH } from '../../../packages/core/src/domain/endpoint.js';
import { createSigner } from '../../../packages/core/src/domain/signature.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { openStage } from './stage.js';

/** Before attempts 2 to 10, without jitter. */
const DELAYS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  DAY_MS,
  DAY_MS,
];

const stage = perTest(openStage, ({ close }) => close());

/** Occasional successes prevent a pause. */
async function keepAlive(keyId: `key_${string}`, failing: string): Promise<void> {
  stage.transport.answerWith(({ body }) => answered(body.includes(failing) ? 503 : 200));
  await stage.record(keyId);
}

describe('a failing delivery', () => {
  it.each([
    ['shortest', 0, 0.75],
    ['longest', 1 - Number.EPSILON, 1.25],
  ])(
    'is tried ten times on schedule with the %s jitter, then dead with one alert',
    async (_, jitter, factor) => {
      stage.setJitter(jitter);
      const worker = stage.worker();
      const keyId = await stage.key();
      const [event] = await stage.record(keyId);
      if (event === undefined) throw new Error('No event was recorded.');
      const attempts = () => stage.sent().filter((id) => id === event.id).length;

      await keepAlive(keyId, event.id);
      await worker.drain();
      expect(attempts()).toBe(1);
      for (const [index, delay] of DELAYS.entries()) {
        await stage.clock.advance(Math.round(delay * factor) - 1);
        await keepAlive(keyId, event.id);
        await worker.drain();
        expect(attempts()).toBe(index + 1);
        await stage.clock.advance(1);
        await worker.drain();
        expect(attempts()).toBe(index + 2);
      }
      expect(await stage.delivery(keyId, event.id)).toMatchObject({
        state: 'dead',
        attempts: 10,
        dueAt: null,
      });
      // The jumps of the clock leave the endpoint failing for hours, which leads to warnings.
      const others = () => stage.alerts.filter(({ kind }) => kind !== 'endpoint_failing');
      expect(others()).toEqual([
        expect.objectContaining({ kind: 'delivery_dead', keyId, eventId: event.id, attempts: 10 }),
      ]);
      await stage.clock.advance(10 * DAY_MS);
      await worker.drain();
      expect(attempts()).toBe(10);
      expect(others()).toHaveLength(1);
    },
  );

  it('has the same id and bytes on every attempt, with a new timestamp and signature', async () => {
    const worker = stage.worker();
    const keyId = await stage.key();
    const [event] = await stage.record(keyId);
    stage.transport.answerWith(() => answered(500));
    await worker.drain();
    await stage.clock.advance(MINUTE_MS);
    await worker.drain();

    const [first, second] = stage.transport.attempts;
    expect(first?.body).toBe(event?.body);
    expect(second?.body).toBe(event?.body);
    expect(second?.headers['X-Partner-Timestamp']).not.toBe(first?.headers['X-Partner-Timestamp']);
  });

  it('is done after a later success', async () => {
    const worker = stage.worker();
    const keyId = await stage.key();
    const [event] = await stage.record(keyId);
    stage.transport.answerWith(() => answered(500));
    await worker.drain();
    stage.transport.answerWith(() => answered(299));
    await stage.clock.advance(MINUTE_MS);
    await worker.drain();
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({
      state: 'delivered',
      attempts: 2,
    });
    expect((await stage.endpoint(keyId)).health).toEqual({
      ...FRESH_HEALTH,
      lastSuccessAt: stage.clock.now(),
    });
    await stage.clock.advance(DAY_MS);
    await worker.drain();
    expect(stage.sent()).toHaveLength(2);
  });

  it('does not delay later events', async () => {
    const worker = stage.worker();
    const keyId = await stage.key();
    const events = await stage.record(keyId, 5);
    stage.transport.answerWith(({ body }) => answered(body.includes(events[0]?.id ?? '') ? 500 : 200));
    await worker.drain();
    expect(stage.sent()).toEqual(events.map(({ id }) => id));
  });

  it('gets ten more attempts when an operator redelivers it', async () => {
    const worker = stage.worker();
    const keyId = await stage.key();
    const [event] = await stage.record(keyId);
    stage.transport.answerWith(() => answered(500));
    await worker.drain();
    const failed = await stage.delivery(keyId, event?.id ?? 'evt_');
    if (failed === null) throw new Error('The delivery has no row.');
    const dead = { ...failed, state: 'dead', attempts: 10, dueAt: null } as const;
    await stage.storage.direct.deliveries.save([redeliver(dead, stage.clock.now())]);
    await worker.drain();
    expect(stage.sent()).toEqual([event?.id, event?.id]);
    expect(await stage.delivery(keyId, event?.id ?? 'evt_')).toMatchObject({ cycle: 2, attempts: 1 });
  });
});

it('sends a backlog of many batches once, in order', async () => {
  const keyId = await stage.key();
  const events = await stage.record(keyId, 300);
  await stage.worker().drain();
  expect(stage.sent()).toEqual(events.map(({ id }) => id));
  await stage.worker().drain();
  expect(stage.sent()).toHaveLength(300);
});

it('signs with both secrets during a rotation, the new one first', async () => {
  const keyId = await stage.key();
  await stage.change(keyId, (endpoint) => ({
    ...endpoint,
    secrets: [
      { sealed: 'sealed:second', expiresAt: null },
      { sealed: 'sealed:first', expiresAt: stage.clock.now() + DAY_MS },
    ],
  }));
  await stage.record(keyId);
  await stage.worker().drain();
  const [attempt] = stage.transport.attempts;
  const t = Number(attempt?.headers['X-Partner-Timestamp']);
  const signatures = ['second', 'first'].map(
    (secret) => `v1=${createSigner(secret)(t, attempt?.body ?? '')}`,
  );
  expect(attempt?.headers['X-Partner-Signature']).toBe([`t=${t}`, ...signatures].join(','));
});
