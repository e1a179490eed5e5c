import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/**
 * Asks for stamps: instants that are unique and strictly increasing within a key. The feed head stays locked
 * until the commit, so that stamps become visible in order.
 */
export interface StampRequest {
  readonly keyId: KeyId;
  readonly count: number;
  /** If true, polls for events can skip the key. */
  readonly withoutEvents?: boolean;
}

/** The newest stamp of a feed. */
export interface FeedHead {
  readonly keyId: KeyId;
  readonly at: Instant;
}

/** `count` consecutive milliseconds. */
export interface StampRange {
  readonly keyId: KeyId;
  readonly first: Instant;
  readonly count: number;
}

/** Stamps run ahead of the clock in a burst, or after the clock was set back. */
export function nextStamps(head: Instant, now: Instant, request: StampRequest): StampRange {
  return { keyId: request.keyId, first: Math.max(head + 1, now), count: request.count };
}

/** Returns the last stamp of a range. */
export function headAfter(range: StampRange): Instant {
  return range.first + range.count - 1;
}
