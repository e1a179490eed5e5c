import type { KeyId } from './ids.js';
import type { Environment } from './partner-key.js';
import type { Instant } from './time.js';

/**
 * Asks for stamps, that is positions in a key's feed. A stamp is a time that is unique in the feed and later
 * than all earlier stamps. The feed stays locked until the commit, so that stamps become visible in order.
 */
export interface StampRequest {
  readonly keyId: KeyId;
  readonly count: number;
  /** If true, no event belongs to these stamps, so workers that poll for events can skip the key. */
  readonly withoutEvents?: boolean;
  /** With `withoutEvents`: if true, there are events for the stamps in case the key's log records them. */
  readonly unlessRecorded?: boolean;
}

/** The newest stamp of a feed. */
export interface FeedHead {
  readonly keyId: KeyId;
  /** That of the key. */
  readonly environment: Environment;
  readonly at: Instant;
}

/** Stamps that a transaction has taken: `count` consecutive milliseconds. */
export interface TakenStamps {
  readonly keyId: KeyId;
  readonly first: Instant;
  readonly count: number;
  /** Whether the key's log records every event, even without an endpoint. The feed's lock keeps this until the commit. */
  readonly isRecorded: boolean;
}
