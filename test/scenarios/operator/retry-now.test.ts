/** Retrying now: deliveries that wait for their next attempt are sent at once. */
import { passUntil } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { openDeliveryStage } from './deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

/** Records events whose first attempt fails, and returns their ids. */
async function failing(count: number) {
  const ids = await stage.record(count);
  stage.fail(ids);
  await stage.drain();
  return ids;
}

const deliveryOf = async (eventId: `evt_${string}`) =>
  (await stage.operator.deliveries.find({ keyId: stage.keyId, eventId }))?.delivery;

describe('a delivery that waits for its next attempt', () => {
  it('is due now, and keeps its attempts and its cycle', async () => {
    const { operator, keyId, clock } = stage;
    const [eventId = 'evt_'] = await failing(1);
    const before = await deliveryOf(eventId);
    const target = { keyId, eventIds: [eventId] };
    const preview = await operator.deliveries.resend({ ...target, dryRun: true });
    expect(preview).toMatchObject({ count: 1, broughtForward: 1 });
    expect(await deliveryOf(eventId)).toEqual(before);
    expect(await operator.deliveries.resend(target)).toEqual(preview);
    expect(await deliveryOf(eventId)).toEqual({ ...before, dueAt: clock.now() });
    expect(await operator.deliveries.resend(target)).toMatchObject({ count: 0, skipped: 1 });
    await stage.drain();
    // It failed again: the second attempt of the first cycle, with the usual delay after it.
    expect(await deliveryOf(eventId)).toMatchObject({ state: 'pending', attempts: 2, cycle: 1 });
    const waitMs = ((await deliveryOf(eventId))?.dueAt ?? 0) - clock.now();
    expect(waitMs).toBeGreaterThan(3 * MINUTE_MS);
    stage.transport.answerWith(() => answered(200));
    await operator.deliveries.resend(target);
    await stage.drain();
    expect(await deliveryOf(eventId)).toMatchObject({ state: 'delivered', attempts: 3, cycle: 1 });
  });

  it('is due now after each form of resend', async () => {
    const { operator, keyId, clock } = stage;
    const since = clock.now() + 500;
    const eventIds = await failing(1);
    const sent = () => stage.sent().length;
    for (const send of [
      (dryRun: boolean) => operator.deliveries.resend({ keyId, eventIds, dryRun }),
      (dryRun: boolean) => operator.deliveries.resend({ keyId, since, dryRun }),
      (dryRun: boolean) => operator.deliveries.resend({ keyId, only: 'undelivered', dryRun }),
      (dryRun: boolean) => operator.endpoints.resume({ keyId, retryNow: true, dryRun }),
    ]) {
      const counts = { count: 1, restarted: 0, broughtForward: 1 };
      const before = sent();
      expect(await send(true)).toMatchObject(counts);
      await stage.drain();
      expect(sent()).toBe(before);
      expect(await send(false)).toMatchObject(counts);
      await stage.drain();
      expect(sent()).toBe(before + 1);
      await clock.advance(SECOND_MS);
    }
  });

  it('stays if the endpoint is only resumed', async () => {
    const { operator, keyId } = stage;
    const ids = await failing(2);
    await operator.endpoints.pause({ keyId });
    const plain = await operator.endpoints.resume({ keyId });
    expect(plain).toMatchObject({ changed: true, pausedReason: 'operator', count: 0, operation: null });
    await stage.drain();
    expect(stage.sent()).toHaveLength(ids.length);
  });
});

describe('resuming with retryNow', () => {
  it('is previewed by dryRun, which leaves the endpoint paused', async () => {
    const { operator, keyId } = stage;
    await failing(3);
    await operator.endpoints.pause({ keyId });
    const preview = await operator.endpoints.resume({ keyId, retryNow: true, dryRun: true });
    expect(preview).toMatchObject({ changed: false, pausedReason: 'operator', count: 3, operation: null });
    expect((await operator.endpoints.find({ keyId }))?.state.kind).toBe('paused');
    expect((await operator.endpoints.resume({ keyId, dryRun: true })).count).toBe(0);
    const resumed = await operator.endpoints.resume({ keyId, retryNow: true });
    expect(resumed).toMatchObject({ changed: true, pausedReason: 'operator', count: 3 });
    expect((await operator.deliveries.count({ keyId })).overall).toMatchObject({ due: 3, scheduled: 0 });
  });

  it('rejects options that are not true or false, and keys without an endpoint', async () => {
    const { operator, keyId } = stage;
    for (const input of [{ retryNow: 'yes' }, { dryRun: 1 }]) {
      const [field = ''] = Object.keys(input);
      await expect(operator.endpoints.resume({ keyId, ...input } as never)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(field),
      });
    }
    await expect(operator.endpoints.resume({ keyId: 'key_none', retryNow: true })).rejects.toMatchObject({
      code: 'KEY_NOT_FOUND',
    });
  });

  it.each([
    [true, 'all'],
    [false, 'none'],
  ] as const)(
    '%s after an outage of a day sends %s of 100 waiting events within a minute',
    async (retryNow, _) => {
      const { operator, keyId, clock, transport, partnerHiring } = stage;
      // Of two attempts in a row, one succeeds, so that nothing waits behind a gap.
      const mixed = await stage.record(200);
      stage.fail(mixed.filter((_, index) => index % 2 === 0));
      for (let hour = 0; hour < 24; hour += 1) {
        await passUntil(clock, stage.drain());
        await clock.advance(HOUR_MS);
        await stage.record(400);
      }
      await passUntil(clock, stage.drain());
      await operator.endpoints.pause({ keyId });
      expect((await operator.deliveries.count({ keyId })).overall.paused).toBe(100);

      // The receiver is repaired, and takes 100 ms for each event.
      const received = new Set<string>();
      let inFlight = 0;
      let most = 0;
      transport.answerWith(async ({ body }) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await clock.sleep(100);
        inFlight -= 1;
        received.add((JSON.parse(body) as { readonly id: string }).id);
        return answered(200);
      });
      partnerHiring.worker.start();
      const resumed = await operator.endpoints.resume({ keyId, retryNow });
      expect(resumed.count).toBe(retryNow ? 100 : 0);
      await clock.advance(MINUTE_MS);
      // Without it, the jitter makes a few due in this minute.
      if (retryNow) expect(received.size).toBe(100);
      else expect(received.size).toBeLessThan(10);
      // The endpoint's cap paces them.
      expect(most).toBeLessThanOrEqual(4);
      transport.answerWith(() => answered(200));
      await clock.advance(SECOND_MS);
    },
  );
});
