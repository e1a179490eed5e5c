import type { LoggedEvent, PartnerEvent } from '../../domain/event.js';
import type { FeedHead, StampRange, StampRequest } from '../../domain/feed.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { Environment } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';

/** Stores the head of each key's feed, which assigns its stamps. */
export interface FeedRepository {
  /** Locks heads in ascending key order until the transaction ends. Only the `take` methods move a head. */
  take(requests: readonly StampRequest[], now: Instant): Promise<readonly StampRange[]>;
  /** Like `take`, but waits only about 100 ms for others. Then the transaction starts again. */
  takeSoon(requests: readonly StampRequest[], now: Instant): Promise<readonly StampRange[]>;
  /** Like `take`, but returns null and takes no stamp if another transaction holds the head. */
  takeFree(requests: readonly StampRequest[], now: Instant): Promise<readonly (StampRange | null)[]>;
  listHeads(environment: Environment): Promise<readonly FeedHead[]>;
}

/** Stores each key's events, in feed order. */
export interface EventRepository {
  /** Stamps are of this transaction. A worker may skip stamps taken `withoutEvents`. */
  append(events: readonly PartnerEvent[]): Promise<void>;
  readLogs(
    asked: readonly { readonly keyId: KeyId; readonly after: Instant; readonly limit: number }[],
  ): Promise<readonly (readonly PartnerEvent[])[]>;
  /** Returns null for events that retention has deleted. */
  find(keyId: KeyId, ids: readonly EventId[]): Promise<readonly (PartnerEvent | null)[]>;
  /** Newest first, from `from` and before `before`. Empty without an endpoint. */
  listNewest(filter: {
    readonly keyId: KeyId;
    readonly from: Instant;
    readonly before: Instant;
    readonly limit: number;
  }): Promise<readonly LoggedEvent[]>;
  /** Deletes events that are done and have no delivery row. May skip a locked log. */
  sweep(before: Instant, limit: number): Promise<number>;
}
