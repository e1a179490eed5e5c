import type { AttemptRecord, Delivery, DeliveryState } from '../../domain/delivery.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';

/** A due delivery with its event. */
export interface DueDelivery {
  readonly delivery: Delivery;
  readonly event: PartnerEvent;
}

/** A list continues after this delivery, newest first. */
export interface DeliveryPosition {
  readonly eventAt: Instant;
  readonly eventId: EventId;
}

/** A list continues after this attempt, newest first. */
export type AttemptPosition = Pick<AttemptRecord, 'endedAt' | 'eventId' | 'number'>;

/** Stores deliveries that failed or were redelivered. The watermark covers the others. */
export interface DeliveryRepository {
  /** Upserts by key and event. Keeps last attempts by the rule of `attemptToKeep`. */
  save(deliveries: readonly Delivery[]): Promise<void>;
  /** Returns each key's pending deliveries due by `now`, longest due first, then in log order. */
  listDue(
    asked: readonly { readonly keyId: KeyId; readonly limit: number }[],
    now: Instant,
  ): Promise<readonly (readonly DueDelivery[])[]>;
  find(keyId: KeyId, eventIds: readonly EventId[]): Promise<readonly (Delivery | null)[]>;
  findEach(
    pairs: readonly { readonly keyId: KeyId; readonly eventId: EventId }[],
  ): Promise<readonly (Delivery | null)[]>;
  /** Newest event first. A null `keyId` means all keys; `from` is inclusive. */
  list(filter: {
    readonly keyId: KeyId | null;
    readonly state: DeliveryState;
    readonly from?: Instant;
    readonly after?: DeliveryPosition;
    readonly limit: number;
  }): Promise<readonly Delivery[]>;
  findAttempts(keyId: KeyId, eventId: EventId): Promise<readonly AttemptRecord[]>;
  /** Newest first. `from` is inclusive. */
  listAttempts(filter: {
    readonly keyId: KeyId;
    readonly from?: Instant;
    readonly after?: AttemptPosition;
    readonly limit: number;
  }): Promise<readonly AttemptRecord[]>;
  /** Deletes rows delivered before `before`. Keeps dead letters. */
  sweep(before: Instant, limit: number): Promise<number>;
}
