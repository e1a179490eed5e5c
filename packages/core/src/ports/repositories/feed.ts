import type { LoggedEvent, PartnerEvent } from '../../domain/event.js';
import type { FeedHead, StampRange, StampRequest } from '../../domain/feed.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** Stores the head of each key's feed, which assigns its stamps. */
export interface FeedRepository {
  /**
   * Takes stamps from the heads of several keys, and locks the heads in ascending order of key until the transaction
   * ends. A batch must not name a key twice. Only this method and the next two move a head.
   */
  take(requests: readonly StampRequest[], now: Instant): Promise<readonly StampRange[]>;
  /**
   * Like `take`, but waits only about a tenth of a second for other transactions. After that, the transaction starts
   * again, as after any contention.
   */
  takeSoon(requests: readonly StampRequest[], now: Instant): Promise<readonly StampRange[]>;
  /** Like `take`, but does not wait: if another transaction holds a head, returns null for it and takes no stamp. */
  takeFree(requests: readonly StampRequest[], now: Instant): Promise<readonly (StampRange | null)[]>;
  /** Returns the feed head of each key in one environment, so that one query shows which feeds changed. */
  listHeads(environment: Environment): Promise<readonly FeedHead[]>;
}

/** Stores the log of each key's events, in feed order. */
export interface EventRepository {
  /**
   * Appends events. Their instants must be stamps of the same transaction. A stamp taken `withoutEvents` is not
   * allowed, because a worker may skip it.
   */
  append(events: readonly PartnerEvent[]): Promise<void>;
  /** Returns the next events of each log. A batch must not name a key twice. */
  readLogs(
    asked: readonly { readonly keyId: KeyId; readonly after: Instant; readonly limit: number }[],
  ): Promise<readonly (readonly PartnerEvent[])[]>;
  /** Returns each event, or null if retention has deleted it. */
  find(keyId: KeyId, ids: readonly EventId[]): Promise<readonly (PartnerEvent | null)[]>;
  /**
   * Lists a key's events from `from` and before `before`, newest first, without bodies. Says whether the watermark
   * has passed each one. Empty for a key without an endpoint.
   */
  listNewest(filter: {
    readonly keyId: KeyId;
    readonly from: Instant;
    readonly before: Instant;
    readonly limit: number;
  }): Promise<readonly LoggedEvent[]>;
  /**
   * Deletes up to `limit` events before `before` that are done and have no delivery row, and returns their number.
   * May skip a log whose endpoint is locked, and events behind many that must stay.
   */
  sweep(before: Instant, limit: number): Promise<number>;
}
