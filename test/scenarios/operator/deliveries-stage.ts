import type { EventId, WebhookRequest } from '@partner-hiring/core/ports';
import { createEmployer, createPartner, type Partner, WAREHOUSE_JOB } from '../../support/partner.js';
import { answered } from '../../support/transport.js';
import { createWorld, type World } from '../../support/world.js';

/** A platform with one partner, whose endpoint gets an event for each job. */
export interface DeliveryStage extends World {
  readonly partner: Partner;
  readonly keyId: Partner['keyId'];
  /** Publishes jobs, which records as many events; their ids, oldest first. */
  record(count: number): Promise<readonly EventId[]>;
  /** Does all that is due. */
  drain(): Promise<void>;
  /** Attempts to these events end with that status from now on; the others go well. */
  fail(ids: readonly EventId[], status?: number): void;
  /** The ids that were posted since the stage was opened, in their order. */
  sent(): readonly string[];
}

/** Opens a stage on which nothing waits. */
export async function openDeliveryStage(options?: Parameters<typeof createWorld>[0]): Promise<DeliveryStage> {
  const world = await createWorld(options);
  const partner = await createPartner(world);
  const { keyId } = partner;
  const { companyId } = await createEmployer(world, partner);
  await world.partnerHiring.worker.drain();
  const before = world.transport.attempts.length;

  return {
    ...world,
    partner,
    keyId,
    record: async (count) => {
      // An instant of its own, so that a story can tell it from what was before.
      await world.clock.advance(1_000);
      await world.operator.jobs.publishMany(
        Array.from({ length: count }, () => ({ ...WAREHOUSE_JOB, companyId })),
      );
      const { deliveries } = await world.operator.deliveries.list({ keyId, limit: count });
      return deliveries.map(({ eventId }) => eventId).toReversed();
    },
    drain: () => world.partnerHiring.worker.drain(),
    fail: (ids, status = 500) => {
      world.transport.answerWith((request) =>
        ids.includes(idOf(request)) ? { ...answered(status), excerpt: 'it is broken' } : answered(200),
      );
    },
    sent: () => world.transport.attempts.slice(before).map(idOf),
  };
}

function idOf({ body }: WebhookRequest): EventId {
  return (JSON.parse(body) as { readonly id: EventId }).id;
}
