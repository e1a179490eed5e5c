import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/**
 * A request for stamps.
 *
 * The feed of a key is the sequence of all changes that the key sees, in commit order. Each change of an
 * application or a visible job takes a *stamp*: an instant that is unique and strictly increasing within the
 * key. Lists are sorted by it, and `updated_since` compares with it.
 *
 * Taking a stamp locks the key's feed head until the commit. Stamps therefore become visible in order: a
 * reader that has seen one has seen all earlier ones.
 */
export interface StampRequest {
  readonly keyId: KeyId;
  /** At least 1. */
  readonly count: number;
  /**
   * Set it if none of the stamps is for an event, so that polls for events can skip the key. False by
   * default.
   */
  readonly withoutEvents?: boolean;
}

/** The newest stamp of a feed. */
export interface FeedHead {
  readonly keyId: KeyId;
  /** The last committed stamp, or the instant at which the key was issued. */
  readonly at: Instant;
}

/** The taken stamps: `count` consecutive milliseconds, starting at `first`. */
export interface StampRange {
  readonly keyId: KeyId;
  readonly first: Instant;
  readonly count: number;
}

/**
 * Returns the next stamps: from now on, and always after the head. A burst, or a clock that was set back,
 * makes stamps run ahead of the clock by a millisecond each.
 */
export function nextStamps(head: Instant, now: Instant, request: StampRequest): StampRange {
  return { keyId: request.keyId, first: Math.max(head + 1, now), count: request.count };
}

export function headAfter(range: StampRange): Instant {
  return range.first + range.count - 1;
}
