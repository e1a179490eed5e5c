import type { LoggedEvent, PartnerEvent } from '../../domain/event.js';
import type { FeedHead, StampRange, StampRequest } from '../../domain/feed.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** The head of each key's feed, where stamps come from. */
export interface FeedRepository {
  /**
   * Takes stamps from the heads of several keys, each named once, and locks the heads, in ascending order of
   * key, until the transaction ends. Nothing else moves a head but the next two.
   */
  take(requests: readonly StampRequest[], now: Instant): Promise<readonly StampRange[]>;
  /**
   * The same, but waits for some commits of others at most, a tenth of a second or so. Then the transaction is
   * begun again, as at any contention.
   */
  takeSoon(requests: readonly StampRequest[], now: Instant): Promise<readonly StampRange[]>;
  /** The same, but waits for nobody: null, and nothing is taken, where another transaction holds the head. */
  takeFree(requests: readonly StampRequest[], now: Instant): Promise<readonly (StampRange | null)[]>;
  /** Where the feed of each key of one world stands, so that one look tells in which of them something happened. */
  listHeads(environment: Environment): Promise<readonly FeedHead[]>;
}

/** The log of each key's events, in the order of its feed. */
export interface EventRepository {
  /**
   * Appends events to the logs of their keys. Their instants are stamps of the same transaction, none that was taken
   * `withoutEvents`: such a one a worker may overlook.
   */
  append(events: readonly PartnerEvent[]): Promise<void>;
  /** The next events of each log, in its order. Each key stands in a batch once. */
  readLogs(
    asked: readonly { readonly keyId: KeyId; readonly after: Instant; readonly limit: number }[],
  ): Promise<readonly (readonly PartnerEvent[])[]>;
  /** Events by id, or null where retention has removed them. */
  find(keyId: KeyId, ids: readonly EventId[]): Promise<readonly (PartnerEvent | null)[]>;
  /**
   * The newest events of a key's log from `from` on and before `before`, newest first, without their bodies,
   * and whether the watermark has passed each. Empty for a key without an endpoint.
   */
  listNewest(filter: {
    readonly keyId: KeyId;
    readonly from: Instant;
    readonly before: Instant;
    readonly limit: number;
  }): Promise<readonly LoggedEvent[]>;
  /**
   * Deletes up to `limit` events before `before` that are done and have no delivery row; how many. A log whose
   * endpoint is locked, as by somebody who sends events on their way again, may be left for the next time, and so may
   * what lies behind many events that must stay.
   */
  sweep(before: Instant, limit: number): Promise<number>;
}
