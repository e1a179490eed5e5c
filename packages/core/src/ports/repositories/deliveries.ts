import type { AttemptRecord, Delivery, DeliveryState } from '../../domain/delivery.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';

/** A delivery whose next attempt is due, with its event. */
export interface DueDelivery {
  readonly delivery: Delivery;
  readonly event: PartnerEvent;
}

/** A cursor into a list of deliveries, newest first. The list continues after it. */
export interface DeliveryPosition {
  readonly eventAt: Instant;
  readonly eventId: EventId;
}

/** A cursor into a list of attempts, newest first. The list continues after it. */
export type AttemptPosition = Pick<AttemptRecord, 'endedAt' | 'eventId' | 'number'>;

/**
 * Stores the deliveries that need a row: failed, retried or redelivered ones. Others are covered by the endpoint's
 * watermark.
 */
export interface DeliveryRepository {
  /**
   * Upserts by key and event. Also keeps the last attempt of each delivery, as `attemptToKeep` decides. It replaces
   * an attempt with the same number.
   */
  save(deliveries: readonly Delivery[]): Promise<void>;
  /**
   * Returns each key's pending deliveries that are due by `now`, with their events: longest due first, then in log
   * order. A batch must not name a key twice.
   */
  listDue(
    asked: readonly { readonly keyId: KeyId; readonly limit: number }[],
    now: Instant,
  ): Promise<readonly (readonly DueDelivery[])[]>;
  find(keyId: KeyId, eventIds: readonly EventId[]): Promise<readonly (Delivery | null)[]>;
  findEach(
    pairs: readonly { readonly keyId: KeyId; readonly eventId: EventId }[],
  ): Promise<readonly (Delivery | null)[]>;
  /**
   * Lists deliveries in one state, newest event first. A null `keyId` means all keys. `from` is inclusive; `after`
   * continues a list.
   */
  list(filter: {
    readonly keyId: KeyId | null;
    readonly state: DeliveryState;
    readonly from?: Instant;
    readonly after?: DeliveryPosition;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  /** Returns the kept attempts of one delivery, by cycle and number. */
  findAttempts(keyId: KeyId, eventId: EventId): Promise<readonly AttemptRecord[]>;
  /** Lists the kept attempts of a key, newest first. `from` is inclusive; `after` continues a list. */
  listAttempts(filter: {
    readonly keyId: KeyId;
    readonly from?: Instant;
    readonly after?: AttemptPosition;
    readonly limit: number;
  }): Promise<readonly AttemptRecord[]>;
  /** Deletes up to `limit` rows delivered before `before` and returns their number. Keeps dead letters. */
  sweep(before: Instant, limit: number): Promise<number>;
}
