import type { Delivery, DeliveryState } from '../domain/delivery.js';
import type { PartnerEvent } from '../domain/event.js';
import type { EventId, KeyId } from '../domain/ids.js';

/** Names one delivery. */
export interface DeliveryTarget {
  readonly keyId: KeyId;
  readonly eventId: EventId;
}

/** Narrows a list of deliveries to one key. `limit` is 1 to 1000, 100 if it is left out. */
export interface DeliveryFilter {
  readonly keyId?: KeyId;
  readonly limit?: number;
}

/** A delivery after a command, and whether the command changed it. */
export interface DeliveryOutcome {
  readonly delivery: Delivery;
  readonly changed: boolean;
}

/**
 * Deliveries that did not go well at once. Those that did leave no row, they are behind the watermark of
 * their endpoint.
 */
export interface DeliveryCommands {
  /** The dead letters, newest event first. @throws OperatorError `INVALID_INPUT`. */
  listDead(filter?: DeliveryFilter): Promise<readonly Delivery[]>;
  /** Deliveries in one state, newest event first. @throws OperatorError `INVALID_INPUT`. */
  list(filter: DeliveryFilter & { readonly state: DeliveryState }): Promise<readonly Delivery[]>;
  /** A delivery and the event it carries, or null. */
  find(target: DeliveryTarget): Promise<{ readonly delivery: Delivery; readonly event: PartnerEvent } | null>;
  /**
   * Sends a dead letter on its way again: ten more attempts, the same event id. One that is pending is left
   * as it is.
   *
   * @throws OperatorError `KEY_NOT_FOUND`, `ENDPOINT_NOT_FOUND`, `DELIVERY_NOT_FOUND`, or `ILLEGAL_MOVE` if
   *   it was delivered or cancelled.
   */
  redeliver(target: DeliveryTarget): Promise<DeliveryOutcome>;
  /** The same for all dead letters of a key. @throws OperatorError `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`. */
  redeliverAll(target: { readonly keyId: KeyId }): Promise<{ readonly redelivered: number }>;
}
