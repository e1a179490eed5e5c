import { cancel, newDelivery, type StoredDelivery } from '../../domain/delivery.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import { lockEndpoint } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import {
  type DeliveryTarget,
  deliveryNotFound,
  findStandings,
  objectsOf,
  type Standing,
} from './find-delivery.js';
import { type Delivery, showDelivery } from './read-deliveries.js';

/** The delivery after `cancel`. */
export interface DeliveryOutcome {
  readonly delivery: Delivery;
  readonly changed: boolean;
}

/**
 * The maximum number of older events that a cancellation may mark as pending. Marking them takes some tenths of a
 * second.
 */
const MAX_ROWS = 10_000;

export async function cancelDelivery(scope: Scope, target: DeliveryTarget): Promise<DeliveryOutcome> {
  await lockEndpoint(scope, target.keyId);
  const [standing] = await findStandings(scope.tx, target.keyId, [target.eventId]);
  if (!standing) throw deliveryNotFound(target);
  const { delivery } = standing;
  const outcomeOf = async (row: StoredDelivery, changed: boolean): Promise<DeliveryOutcome> => ({
    delivery: await showDelivery(scope.tx, { ...row, type: standing.event.type }),
    changed,
  });
  if (delivery.state === 'cancelled') return outcomeOf(delivery, false);
  if (delivery.state === 'delivered')
    throw illegalMove(`Event ${target.eventId} is delivered, so its delivery cannot be cancelled.`);
  const cancelled = cancel(delivery);
  if (standing.unsentSince !== null) await advancePast(scope, standing, standing.unsentSince);
  await scope.tx.deliveries.save([cancelled]);
  const before = { state: delivery.state };
  const after = { state: cancelled.state };
  recordAct(scope, { objects: objectsOf(standing), keyId: target.keyId, before, after });
  return outcomeOf(cancelled, true);
}

/**
 * Moves the watermark past the event, so that no worker sends it. Older unattempted events get pending rows, so that
 * they are still sent.
 */
async function advancePast(scope: Scope, { event }: Standing, from: Instant): Promise<void> {
  const { tx } = scope;
  const { keyId, at, id } = event;
  const older = await tx.events.listNewest({ keyId, from, before: at, limit: MAX_ROWS + 1 });
  if (older.length > MAX_ROWS) {
    throw illegalMove(
      `More than ${MAX_ROWS} events before ${id} were not attempted yet. Cancel this delivery later.`,
    );
  }
  if (!(await tx.endpoints.advanceWatermark(keyId, at))) {
    throw illegalMove(
      `A worker is sending to the endpoint of ${keyId} and may have started ${id}. Pause the endpoint, then cancel again.`,
    );
  }
  // In a burst, stamps run ahead of the clock, so an event may be dated in the future.
  const now = await scope.now();
  await tx.deliveries.save(older.map((each) => newDelivery(each, Math.min(each.at, now))));
}

function illegalMove(message: string): OperatorError {
  return new OperatorError('ILLEGAL_MOVE', message);
}
