import { type AttemptRecord, type Delivery, deliveryWithoutRow, lastAttempt } from '../../domain/delivery.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import { MAX_ATTEMPTS } from '../../domain/retry-schedule.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import type { Repositories } from '../../ports/storage.js';
import type { DeliveryDetails, DeliveryTarget } from '../deliveries.js';

/** Where a key's event stands: its row, or what the log says if it needed none. */
export interface Standing {
  readonly event: PartnerEvent;
  readonly delivery: Delivery;
  /** The oldest event of the log that was never attempted, if this is one of those; else null. */
  readonly unsentSince: Instant | null;
}

/** Where each of a key's events stands; null for one that it does not have, and without an endpoint. */
export async function findStandings(
  { events, deliveries, endpoints }: Repositories,
  keyId: KeyId,
  eventIds: readonly EventId[],
): Promise<readonly (Standing | null)[]> {
  const found = await events.find(keyId, eventIds);
  const [backlog] = await endpoints.backlogs(keyId, 0, 1);
  // Read last: a row, if there is one by now, is what counts.
  const rows = await deliveries.find(keyId, eventIds);
  if (backlog === undefined) return eventIds.map(() => null);
  const { oldestUnsentAt } = backlog;
  return found.map((event, index) => {
    if (event === null) return null;
    const isUnsent = oldestUnsentAt !== null && event.at >= oldestUnsentAt;
    const row = rows[index] ?? null;
    return row === null
      ? {
          event,
          delivery: deliveryWithoutRow(event, !isUnsent),
          unsentSince: isUnsent ? oldestUnsentAt : null,
        }
      : { event, delivery: row, unsentSince: null };
  });
}

/** A delivery with its event and attempts. Throws what `DeliveryCommands` says. */
export async function findDelivery(
  read: Repositories,
  { keyId, eventId }: DeliveryTarget,
): Promise<DeliveryDetails | null> {
  const [standing] = await findStandings(read, keyId, [eventId]);
  if (!standing) return null;
  const { event, delivery } = standing;
  const kept = await read.deliveries.findAttempts(keyId, eventId);
  return { delivery, event, attempts: withLast(kept, delivery) };
}

/** The delivery tells of its last attempt also if that went well at once and was not kept. */
function withLast(kept: readonly AttemptRecord[], delivery: Delivery): readonly AttemptRecord[] {
  const last = lastAttempt(delivery);
  if (last === null) return kept;
  const others = kept.filter(({ number, cycle }) => number !== last.number || cycle !== last.cycle);
  return [...others, last].slice(-MAX_ATTEMPTS);
}

/** That a key has no such event. */
export function deliveryNotFound({ keyId, eventId }: DeliveryTarget): OperatorError {
  const message = `${keyId} has no event ${eventId}, or not any more. deliveries.list names those it has.`;
  return new OperatorError('DELIVERY_NOT_FOUND', message);
}
