import type { AttemptRecord, DeliveryState, StoredDelivery } from '../../domain/delivery.js';
import type { EventSuccess, EvidenceBatch } from '../../domain/delivery-evidence.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';

/** A due delivery with its event. */
export interface DueDelivery {
  readonly delivery: StoredDelivery;
  readonly event: PartnerEvent;
}

/** The delivery after which a list continues. Lists begin with the newest event. */
export type DeliveryPosition = Pick<StoredDelivery, 'eventAt' | 'eventId'>;

/** A list of waiting deliveries continues after this one, soonest due first. */
export interface WaitingPosition {
  readonly dueAt: Instant;
  readonly eventAt: Instant;
}

/** The attempt after which a list continues. Lists begin with the newest attempt. */
export type AttemptPosition = Pick<AttemptRecord, 'endedAt' | 'eventId' | 'number'>;

/**
 * Stores deliveries that failed or were resent. Other deliveries have no row: the watermark says that
 * they are done.
 */
export interface DeliveryRepository {
  /**
   * Inserts or replaces deliveries, by key and event. Also keeps their last attempts, by the rule of `attemptToKeep`.
   * Leaves out the response excerpt if the event's application is erased. If an erasure runs at the same time, the
   * later commit of the two removes the excerpt. Never waits for an erasure.
   */
  save(deliveries: readonly StoredDelivery[]): Promise<void>;
  /**
   * Returns each key's pending deliveries that are due by `now`. The longest due come first. Those due at the
   * same instant have the order of the log.
   */
  listDue(
    asked: readonly { readonly keyId: KeyId; readonly limit: number }[],
    now: Instant,
  ): Promise<readonly (readonly DueDelivery[])[]>;
  find(keyId: KeyId, eventIds: readonly EventId[]): Promise<readonly (StoredDelivery | null)[]>;
  findEach(
    pairs: readonly { readonly keyId: KeyId; readonly eventId: EventId }[],
  ): Promise<readonly (StoredDelivery | null)[]>;
  /** Lists deliveries, newest event first. A null `keyId` means all keys. `from` is inclusive. */
  list(filter: {
    readonly keyId: KeyId | null;
    readonly state: DeliveryState;
    readonly from?: Instant | undefined;
    readonly after?: DeliveryPosition | undefined;
    readonly limit: number;
  }): Promise<readonly StoredDelivery[]>;
  /** Returns a key's pending deliveries that are due after a position, soonest due first. */
  listWaiting(filter: {
    readonly keyId: KeyId;
    readonly after: WaitingPosition;
    readonly limit: number;
  }): Promise<readonly StoredDelivery[]>;
  /** Makes pending deliveries due at `dueAt` if they are due later. Keeps their attempts. */
  bringForward(keyId: KeyId, eventIds: readonly EventId[], dueAt: Instant): Promise<void>;
  findAttempts(keyId: KeyId, eventId: EventId): Promise<readonly AttemptRecord[]>;
  /** Lists attempts, newest first. `from` is inclusive. */
  listAttempts(filter: {
    readonly keyId: KeyId;
    readonly from?: Instant | undefined;
    readonly after?: AttemptPosition | undefined;
    readonly limit: number;
  }): Promise<readonly AttemptRecord[]>;
  /** Deletes rows that were delivered before `before`. Dead letters stay. */
  sweep(before: Instant, limit: number): Promise<number>;
}

/** An event by its key and stamp. */
export type EventStamp = Pick<PartnerEvent, 'keyId' | 'at'>;

/** Stores when deliveries succeeded, with which status, and how long it took. */
export interface EvidenceRepository {
  /**
   * Appends one row for each batch. Skips batches without successes, and batches that are already stored. Append the
   * first attempts of a settlement in the transaction that advances the watermark.
   */
  append(batches: readonly EvidenceBatch[]): Promise<void>;
  /** Returns the stored successes of each event: of the first cycle, and of the last ten that were replaced. */
  find(events: readonly EventStamp[]): Promise<readonly (readonly EventSuccess[])[]>;
  /**
   * Deletes evidence of events that are older than `before` and no longer stored. Each call looks at a limited number
   * of rows, and the next call continues there.
   */
  sweep(before: Instant, limit: number): Promise<number>;
}
