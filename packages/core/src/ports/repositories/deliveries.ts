import type { AttemptRecord, Delivery, DeliveryState } from '../../domain/delivery.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';

/** A delivery whose next attempt is due, with what to send. */
export interface DueDelivery {
  readonly delivery: Delivery;
  readonly event: PartnerEvent;
}

/** Where a list of deliveries goes on, newest first: right after this one. */
export interface DeliveryPosition {
  readonly eventAt: Instant;
  readonly eventId: EventId;
}

/** Where a list of attempts goes on, newest first: right after this one. */
export type AttemptPosition = Pick<AttemptRecord, 'endedAt' | 'eventId' | 'number'>;

/** Events on their way that need a row of their own: they failed, or hang. */
export interface DeliveryRepository {
  /**
   * Inserts or replaces by key and event. The attempt that a delivery tells of last is kept with it, by the
   * rule of `attemptToKeep`; it takes the place of one with the same number.
   */
  save(deliveries: readonly Delivery[]): Promise<void>;
  /**
   * The pending deliveries of each key that are due by `now`, the longest due first and those of one instant in the
   * order of the log, with their events. Each key stands in a batch once.
   */
  listDue(
    asked: readonly { readonly keyId: KeyId; readonly limit: number }[],
    now: Instant,
  ): Promise<readonly (readonly DueDelivery[])[]>;
  find(keyId: KeyId, eventIds: readonly EventId[]): Promise<readonly (Delivery | null)[]>;
  /** The rows of many keys' events. */
  findEach(
    pairs: readonly { readonly keyId: KeyId; readonly eventId: EventId }[],
  ): Promise<readonly (Delivery | null)[]>;
  /**
   * Rows in one state, newest event first; of one key, or of all with null. Those from `from` on, and after
   * `after` in the list's order; all of them if both are left out.
   */
  list(filter: {
    readonly keyId: KeyId | null;
    readonly state: DeliveryState;
    readonly from?: Instant;
    readonly after?: DeliveryPosition;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  /** The attempts that are kept of one delivery, in the order of their cycles and numbers. */
  findAttempts(keyId: KeyId, eventId: EventId): Promise<readonly AttemptRecord[]>;
  /** The attempts that are kept of a key's deliveries, newest first, from `from` on and after `after`. */
  listAttempts(filter: {
    readonly keyId: KeyId;
    readonly from?: Instant;
    readonly after?: AttemptPosition;
    readonly limit: number;
  }): Promise<readonly AttemptRecord[]>;
  /** Deletes up to `limit` rows that were delivered before `before`; how many. Dead letters stay. */
  sweep(before: Instant, limit: number): Promise<number>;
}
