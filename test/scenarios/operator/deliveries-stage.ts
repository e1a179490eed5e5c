import type { EventId, WebhookRequest } from '@partner-hiring/core';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { answered } from '@partner-hiring/test-support/transport';
import { expect } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../packages/core/src/domain/time.js';

/** One partner, whose endpoint gets an event per job. */
export type DeliveryStage = Awaited<ReturnType<typeof openDeliveryStage>>;

/** Opens a stage with an empty backlog. */
export async function openDeliveryStage(options?: Parameters<typeof createFixture>[0]) {
  const fixture = await createFixture(options);
  const partner = await createPartner(fixture);
  const { keyId } = partner;
  const { companyId } = await createEmployer(fixture, partner);
  await fixture.partnerHiring.worker.drain();
  const before = fixture.transport.attempts.length;

  const record = async (count: number): Promise<readonly EventId[]> => {
    // A unique instant.
    await fixture.clock.advance(1_000);
    await fixture.operator.jobs.publish(
      Array.from({ length: count }, () => ({ ...WAREHOUSE_JOB, companyId })),
    );
    const { items: deliveries } = await fixture.operator.deliveries.list({ keyId, limit: count });
    return deliveries.map(({ eventId }) => eventId).toReversed();
  };
  const drain = () => fixture.partnerHiring.worker.drain();
  const fail = (ids: readonly EventId[], status = 500) =>
    fixture.transport.answerWith((request) =>
      ids.includes(idOf(request)) ? { ...answered(status), excerpt: 'it is broken' } : answered(200),
    );
  const stateOf = async (eventId: EventId) =>
    (await fixture.operator.deliveries.find({ keyId, eventId }))?.delivery.state;

  return {
    ...fixture,
    partner,
    keyId,
    /** Publishes jobs and returns the ids of their events, oldest first. */
    record,
    /** Drains the worker. */
    drain,
    /** Makes attempts of these events end with a status from now on. */
    fail,
    stateOf,
    /** Gives the partner a contact, who gets messages. */
    setContact: async () => {
      const id = (await fixture.operator.keys.find({ id: keyId }))?.key.partnerId ?? 'ptn_none';
      const contact = { name: 'Robin Field', email: 'robin@ats.example' };
      await fixture.operator.partners.update({ id, contact });
    },
    /** Records an event whose ten attempts fail, while others succeed. */
    deadLetter: async () => {
      const [eventId = 'evt_'] = await record(1);
      fail([eventId]);
      await drain();
      for (let day = 0; (await stateOf(eventId)) !== 'dead'; day += 1) {
        expect(day).toBeLessThan(7);
        await fixture.pass(DAY_MS - HOUR_MS, HOUR_MS);
        await record(1);
        await drain();
      }
      return eventId;
    },
    /** The ids of all sent events, in order. */
    sent: () => fixture.transport.attempts.slice(before).map(idOf),
  };
}

function idOf({ body }: WebhookRequest): EventId {
  return (JSON.parse(body) as { readonly id: EventId }).id;
}
