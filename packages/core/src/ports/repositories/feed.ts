import type { FeedHead, StampRange, StampRequest } from '../../domain/feed.js';
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
