/** "Was this event delivered, when, and with which status?" The operator's commands answer from the evidence. */
import { passUntil } from '@partner-hiring/test-support/clock';
import { createEmployer, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { EventId } from '../../../packages/core/src/domain/ids.js';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { type DeliveryStage, openDeliveryStage } from '../operator/deliveries-stage.js';
import { hang, until } from '../worker/stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

function find(eventId: EventId | undefined, { operator, keyId }: DeliveryStage = stage) {
  return operator.deliveries.find({ keyId, eventId: eventId ?? 'evt_none' });
}

describe('a delivery', () => {
  it('that succeeds at the first attempt has a time, a status and a latency', async () => {
    const [eventId] = await stage.record(1);
    const hanging = hang(stage.transport);
    const drained = stage.drain();
    await until(() => hanging.count() === 1);
    expect(await find(eventId)).toMatchObject({
      delivery: { state: 'pending', evidence: null },
      successes: [],
    });
    await stage.clock.advance(1_234);
    const deliveredAt = stage.clock.now();
    await hanging.endWith(answered(202));
    await passUntil(stage.clock, drained);

    const success = { deliveredAt, status: 202, latencyMs: 1_234, attempts: 1, cycle: 1 };
    expect(await find(eventId)).toMatchObject({
      delivery: { state: 'delivered', attempts: 1, evidence: success },
      attempts: [],
      successes: [success],
    });
    const { items: deliveries } = await stage.operator.deliveries.list({ keyId: stage.keyId, limit: 1 });
    expect(deliveries).toMatchObject([{ eventId, state: 'delivered', attempts: 1, evidence: success }]);
  });

  it('that succeeds at a retry shows that attempt', async () => {
    const [eventId] = await stage.record(1);
    stage.fail([eventId ?? 'evt_'], 503);
    await stage.drain();
    expect(await find(eventId)).toMatchObject({ delivery: { attempts: 1, evidence: null }, successes: [] });
    stage.fail([]);
    await stage.clock.advance(2 * MINUTE_MS);
    await stage.drain();
    const success = { deliveredAt: stage.clock.now(), status: 200, attempts: 2, cycle: 1 };
    expect(await find(eventId)).toMatchObject({ delivery: { evidence: success }, successes: [success] });
    const page = await stage.operator.deliveries.list({ state: 'delivered' });
    expect(page.items).toMatchObject([{ eventId, evidence: success }]);
  });

  it('that never succeeds has no evidence', async () => {
    const ids = await stage.record(2);
    stage.fail(ids);
    await stage.drain();
    for (const id of ids)
      expect(await find(id)).toMatchObject({ delivery: { evidence: null }, successes: [] });
    expect(await find('evt_none')).toBeNull();
  });

  it('that is resent keeps all earlier successes, even while it fails', async () => {
    const [eventId = 'evt_'] = await stage.record(1);
    const successes: object[] = [];
    const expectSuccesses = async () => {
      const evidence = successes.at(-1) ?? null;
      expect(await find(eventId)).toMatchObject({ successes, delivery: { evidence } });
      expect((await find(eventId))?.successes).toHaveLength(successes.length);
      const { items: deliveries } = await stage.operator.deliveries.list({ keyId: stage.keyId, limit: 1 });
      expect(deliveries).toEqual([(await find(eventId))?.delivery]);
    };
    for (const [index, status] of [200, 201, 202, 203].entries()) {
      stage.fail([eventId], status);
      await stage.drain();
      successes.push({ deliveredAt: stage.clock.now(), status, attempts: 1, cycle: index + 1 });
      await expectSuccesses();
      await stage.clock.advance(HOUR_MS);
      await stage.operator.deliveries.resend({ keyId: stage.keyId, eventIds: [eventId] });
      await expectSuccesses();
    }
    stage.fail([eventId], 500);
    await stage.drain();
    await expectSuccesses();
    expect(await find(eventId)).toMatchObject({ delivery: { state: 'pending', cycle: 5, attempts: 1 } });
  });

  it('that later events overtake has evidence, and so have those', async () => {
    const ids = await stage.record(4);
    const [slow] = ids;
    const hanging = hang(stage.transport, (id) => id === slow);
    const drained = stage.drain();
    await until(() => hanging.count() === 1);
    await stage.clock.advance(5_000);
    const overtaking = await Promise.all(ids.slice(1).map((id) => find(id)));
    const evidence = { status: 200, attempts: 1 };
    for (const found of overtaking) expect(found).toMatchObject({ delivery: { evidence } });
    expect(await find(slow)).toMatchObject({ delivery: { state: 'pending', evidence: null } });
    await hanging.endWith(answered(204));
    await passUntil(stage.clock, drained);
    expect(await find(slow)).toMatchObject({
      delivery: {
        state: 'delivered',
        attempts: 1,
        evidence: { status: 204, latencyMs: 5_000, attempts: 1, cycle: 1 },
      },
    });
    expect(await Promise.all(ids.slice(1).map((id) => find(id)))).toEqual(overtaking);
  });

  it('of a dry run stays as it is', async () => {
    const [eventId = 'evt_'] = await stage.record(1);
    await stage.drain();
    const before = await find(eventId);
    await stage.operator.deliveries.resend({ keyId: stage.keyId, eventIds: [eventId], dryRun: true });
    expect(await find(eventId)).toEqual(before);
  });
});

describe('the deliveries of an application', () => {
  it('are that of its decision', async () => {
    const { operator, partner } = stage;
    const { jobId } = await createEmployer(stage, partner);
    const reply = await partner.submit(submission(jobId));
    const { id } = reply.json as { readonly id: `ej_app_${string}` };
    const list = async () => (await operator.deliveries.list({ applicationId: id })).items;
    await stage.drain();
    expect(await list()).toEqual([]);
    await operator.applications.move({ id });
    expect(await list()).toEqual([]);
    await operator.applications.decide({ id, decision: 'accepted' });
    const [waiting, ...none] = await list();
    expect(none).toEqual([]);
    expect(waiting).toMatchObject({
      type: 'application.status_changed',
      state: 'pending',
      attempts: 0,
      evidence: null,
    });
    const { eventId = 'evt_', keyId } = waiting ?? {};
    expect((await operator.deliveries.find({ keyId, eventId }))?.event.body).toContain(id);
    await stage.drain();
    expect(await list()).toMatchObject([{ eventId, evidence: { status: 200 } }]);
  });
});
