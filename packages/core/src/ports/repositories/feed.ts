import type { EventType, LoggedEvent, PartnerEvent } from '../../domain/event.js';
import type { FeedHead, StampRequest, TakenStamps } from '../../domain/feed.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { EventPage, EventQuery } from '../../domain/page.js';
import type { Environment } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** Stores the head of each key's feed. The head assigns stamps, that is positions in the feed. */
export interface FeedRepository {
  /**
   * Takes stamps. Locks the heads in ascending order of key until the transaction ends. Only the `take`
   * methods move a head.
   */
  take(requests: readonly StampRequest[], now: Instant): Promise<readonly TakenStamps[]>;
  /**
   * Like `take`, but waits for other transactions only about 100 ms. After that, the transaction starts
   * again.
   */
  takeSoon(requests: readonly StampRequest[], now: Instant): Promise<readonly TakenStamps[]>;
  /**
   * Like `take`, but does not wait. If another transaction locks the head, the result is null and no stamp is
   * taken.
   */
  takeFree(requests: readonly StampRequest[], now: Instant): Promise<readonly (TakenStamps | null)[]>;
  /** Lists the heads of the keys of an environment; null for all keys. */
  listHeads(environment: Environment | null): Promise<readonly FeedHead[]>;
  /** Lists keys of partners that are not removed, whose logs record every event, or do not. */
  listRecording(isOn: boolean, limit: number): Promise<readonly KeyId[]>;
  /** Makes the logs of these keys record every event after the feed's head, or stop. Waits for locked feeds. */
  setRecording(keyIds: readonly KeyId[], isOn: boolean): Promise<void>;
  /** Like `setRecording`, but leaves out locked feeds. Returns the number of changed logs. */
  setFreeRecording(keyIds: readonly KeyId[], isOn: boolean): Promise<number>;
}

/** Stores each key's events, in feed order. */
export interface EventRepository {
  /**
   * Adds events with stamps that this transaction took. A worker may skip stamps that were taken with
   * `withoutEvents`.
   */
  append(events: readonly PartnerEvent[]): Promise<void>;
  /** Returns a page of a key's log, from one snapshot. */
  page(query: EventQuery): Promise<EventPage>;
  readLogs(
    asked: readonly { readonly keyId: KeyId; readonly after: Instant; readonly limit: number }[],
  ): Promise<readonly (readonly PartnerEvent[])[]>;
  /** Returns null for events that retention has deleted. */
  find(keyId: KeyId, ids: readonly EventId[]): Promise<readonly (PartnerEvent | null)[]>;
  /** Returns the key that has an event. Null if no key has it. Looks into the log of each key by an index. */
  findKey(id: EventId): Promise<KeyId | null>;
  /** Returns the type of each event. Null for events that retention has deleted. */
  findTypes(
    events: readonly { readonly keyId: KeyId; readonly eventId: EventId }[],
  ): Promise<readonly (EventType | null)[]>;
  /**
   * Lists the events for a key's endpoint at `from` or later and before `before`, newest first. The list is empty if the
   * key has no endpoint. It leaves out events that occurred before the endpoint was set.
   */
  listNewest(filter: {
    readonly keyId: KeyId;
    readonly from: Instant;
    readonly before: Instant;
    readonly limit: number;
  }): Promise<readonly LoggedEvent[]>;
  /** Returns the unsent events of all endpoints, newest first. `from` is inclusive. */
  listUnsent(filter: {
    readonly from: Instant;
    readonly before: { readonly at: Instant; readonly id: EventId | '' };
    readonly limit: number;
  }): Promise<readonly LoggedEvent[]>;
  /**
   * Deletes events that are done and have no delivery row. If the log records every event, an event stays for as long
   * after its delivery. It may skip the events of a locked feed.
   */
  sweep(before: Instant, limit: number): Promise<number>;
}
