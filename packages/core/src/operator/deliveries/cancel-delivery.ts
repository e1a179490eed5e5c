import { cancel, newDelivery } from '../../domain/delivery.js';
import { OperatorError } from '../../errors.js';
import type { DeliveryOutcome, DeliveryTarget } from '../deliveries.js';
import { lockEndpoint } from '../endpoints/find-endpoint.js';
import type { Scope } from '../scope.js';
import { deliveryNotFound, findStandings, type Standing } from './find-delivery.js';

/** Rows that one cancelling command makes at most: some tenths of a second of writing. */
const MAX_ROWS = 10_000;

/** Gives a pending delivery up. Throws what `DeliveryCommands` says. */
export async function cancelOne(scope: Scope, target: DeliveryTarget): Promise<DeliveryOutcome> {
  await lockEndpoint(scope, target.keyId);
  const [standing] = await findStandings(scope.tx, target.keyId, [target.eventId]);
  if (!standing) throw deliveryNotFound(target);
  const { delivery } = standing;
  if (delivery.state === 'cancelled') return { delivery, changed: false };
  if (delivery.state !== 'pending') {
    throw illegal(
      `The delivery of ${target.eventId} is ${delivery.state}. Only a pending one can be cancelled.`,
    );
  }
  const cancelled = cancel(delivery);
  if (standing.unsentSince !== null) await passTheLog(scope, standing, standing.unsentSince);
  await scope.tx.deliveries.save([cancelled]);
  return { delivery: cancelled, changed: true };
}

/**
 * Moves the watermark over an event that was never attempted, and gives a row to those before it, which stay
 * pending: so a worker meets no event in the log that is not to be sent.
 */
async function passTheLog(scope: Scope, { event }: Standing, from: number): Promise<void> {
  const { tx } = scope;
  const { keyId, at, id } = event;
  const older = await tx.events.listNewest({ keyId, from, before: at, limit: MAX_ROWS + 1 });
  if (older.length > MAX_ROWS) {
    throw illegal(
      `More than ${MAX_ROWS} events before ${id} were not attempted yet. Cancel it once they were.`,
    );
  }
  if (!(await tx.endpoints.advanceWatermark(keyId, at))) {
    throw illegal(
      `A worker is sending to ${keyId}'s endpoint, and may have begun with ${id}. Pause the endpoint and cancel again.`,
    );
  }
  // Due since they were recorded, and at once: of many that came together, stamps lie ahead of the clock.
  const now = await scope.now();
  await tx.deliveries.save(older.map((each) => newDelivery(each, Math.min(each.at, now))));
}

function illegal(message: string): OperatorError {
  return new OperatorError('ILLEGAL_MOVE', message);
}
