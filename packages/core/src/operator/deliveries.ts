import type { BacklogCounts } from '../domain/backlog.js';
import type { AttemptRecord, Delivery, DeliveryState } from '../domain/delivery.js';
import type { PartnerEvent } from '../domain/event.js';
import type { EventId, KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';

/** Names one delivery. */
export interface DeliveryTarget {
  readonly keyId: KeyId;
  readonly eventId: EventId;
}

/** Narrows a list to a time and a page of it. */
export interface PageFilter {
  /** From this instant on. */
  readonly since?: Instant;
  /** Before this instant. */
  readonly until?: Instant;
  /** Goes on where the page ended that gave it; the rest of the filter must be the same but for `limit`. */
  readonly cursor?: string;
  /** 1 to 1000, 100 if it is left out. */
  readonly limit?: number;
}

/** Narrows a list of deliveries, by the time of their events. Either `keyId` or `state` is needed. */
export interface DeliveryFilter extends PageFilter {
  readonly keyId?: KeyId;
  readonly state?: DeliveryState;
}

/** Some deliveries, newest event first. */
export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Null on the last page. A page may hold fewer than were asked for, or none, and not be the last. */
  readonly nextCursor: string | null;
}

/** Some attempts, newest first. */
export interface AttemptPage {
  readonly attempts: readonly AttemptRecord[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A delivery, what it carries, and how its attempts went. */
export interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly event: PartnerEvent;
  /** The last ten, oldest first. Empty for an event that was delivered at once, and so left no row. */
  readonly attempts: readonly AttemptRecord[];
}

/** A delivery after a command, and whether the command changed it. */
export interface DeliveryOutcome {
  readonly delivery: Delivery;
  readonly changed: boolean;
}

/** What became of a list of events that were to be sent again. */
export interface RedeliveryOutcome {
  /** On their way again. */
  readonly redelivered: number;
  /** Left as they were: they are on their way. */
  readonly pending: number;
  /** Events that the key does not have, or that retention has removed. */
  readonly missing: readonly EventId[];
}

/** What waits, for each endpoint and for all together. */
export interface DeliveryCounts {
  readonly overall: BacklogCounts;
  readonly endpoints: readonly (BacklogCounts & { readonly keyId: KeyId })[];
}

/**
 * What became of events. One that was delivered at once left no row: it is listed as delivered, without the time
 * and the answer of its attempt.
 */
export interface DeliveryCommands {
  /** The newest dead letters; `list` pages through all. @throws OperatorError `INVALID_INPUT`. */
  listDead(filter?: Pick<DeliveryFilter, 'keyId' | 'limit'>): Promise<readonly Delivery[]>;
  /**
   * A page of deliveries, newest event first. With `keyId`, all deliveries of that key, or those in one state.
   * Without it, those of all keys in one state, but only those that have a row because they were not delivered
   * at once. A page costs no more than its rows, except for `delivered` of a key: that reads about 1000 events of
   * the log.
   *
   * @throws OperatorError `INVALID_INPUT`.
   */
  list(filter: DeliveryFilter): Promise<DeliveryPage>;
  /** The attempts of a key that did not go well at once, newest first. @throws OperatorError `INVALID_INPUT`. */
  listAttempts(filter: PageFilter & { readonly keyId: KeyId }): Promise<AttemptPage>;
  /** A delivery with its event and attempts, or null if the key has no such event, or no endpoint. */
  find(target: DeliveryTarget): Promise<DeliveryDetails | null>;
  /**
   * What waits for an endpoint, or for each: due, in flight, scheduled, paused, dead, and since when. Counts
   * are read off indexes and end at 10,000 for each kind and endpoint; `isExact` says if one did.
   */
  counts(target?: { readonly keyId?: KeyId }): Promise<DeliveryCounts>;
  /**
   * Sends an event on its way again, whether it is a dead letter, was cancelled, or was delivered: ten more
   * attempts, the same event id. One that is pending is left as it is.
   *
   * @throws OperatorError `KEY_NOT_FOUND`, `ENDPOINT_NOT_FOUND` or `DELIVERY_NOT_FOUND`.
   */
  redeliver(target: DeliveryTarget): Promise<DeliveryOutcome>;
  /**
   * The same for up to 1000 events.
   *
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
   */
  redeliverMany(target: {
    readonly keyId: KeyId;
    readonly eventIds: readonly EventId[];
  }): Promise<RedeliveryOutcome>;
  /**
   * The same for all events recorded from `since` on and before `until`, also those that went well: for a
   * partner that lost what it was sent. Up to 1000 events at a time, each time in a commit of its own, unless
   * the host brought its transaction. After an outage call it again: what is on its way by then is left alone.
   *
   * @throws OperatorError `INVALID_INPUT`, `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
   */
  redeliverSince(window: {
    readonly keyId: KeyId;
    readonly since: Instant;
    readonly until?: Instant;
  }): Promise<{ readonly redelivered: number }>;
  /**
   * The same for all dead letters of a key, in such commits too.
   *
   * @throws OperatorError `KEY_NOT_FOUND` or `ENDPOINT_NOT_FOUND`.
   */
  redeliverAll(target: { readonly keyId: KeyId }): Promise<{ readonly redelivered: number }>;
  /**
   * Gives a pending delivery up. An attempt that a worker has taken on by then is still made, and settles as
   * what it is: delivered if it goes well, else counted, and the delivery stays cancelled. To be sure that
   * nothing more is sent, pause the endpoint first, and cancel after the worker's next poll.
   *
   * An event that was never attempted can be cancelled while no worker is sending to the endpoint, and while
   * at most 10,000 such events are older.
   *
   * @throws OperatorError `KEY_NOT_FOUND`, `ENDPOINT_NOT_FOUND`, `DELIVERY_NOT_FOUND`, or `ILLEGAL_MOVE`.
   */
  cancel(target: DeliveryTarget): Promise<DeliveryOutcome>;
}
