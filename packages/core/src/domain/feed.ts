import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/**
 * The feed of a key is the sequence of all changes that it sees, in commit order. Each change takes a
 * *stamp*, an instant that is unique and strictly increasing within the key.
 *
 * Taking a stamp locks the feed head until the commit, so stamps become visible in order: a reader that has
 * seen one has seen all earlier ones.
 */
export interface StampRequest {
  readonly keyId: KeyId;
  /** At least 1. */
  readonly count: number;
  /** None of the stamps is for an event, so that polls for events can skip the key. */
  readonly withoutEvents?: boolean;
}

/** The newest stamp of a feed. */
export interface FeedHead {
  readonly keyId: KeyId;
  /** The instant of issue before the first stamp. */
  readonly at: Instant;
}

/** `count` consecutive milliseconds. */
export interface StampRange {
  readonly keyId: KeyId;
  readonly first: Instant;
  readonly count: number;
}

/** Stamps of a burst, or after a clock was set back, run ahead of the clock by a millisecond each. */
export function nextStamps(head: Instant, now: Instant, request: StampRequest): StampRange {
  return { keyId: request.keyId, first: Math.max(head + 1, now), count: request.count };
}

/** Returns the last stamp of a range. */
export function headAfter(range: StampRange): Instant {
  return range.first + range.count - 1;
}
