import type { KeyId } from './ids.js';
import type { Instant } from './time.js';

/**
 * The feed of a key: the commit-ordered sequence of everything that changes for it. Each change of an
 * application or of a visible job takes one *stamp*, an instant that is unique and strictly increasing
 * within the key. Lists order by it, `updated_since` compares with it, and an event's place in the key's
 * log is the stamp of its change.
 *
 * A stamp is taken under the lock of the key's feed head, which lasts until the commit. So stamps become
 * visible in their order, and a reader that has seen one has seen all before it.
 */
export interface StampRequest {
  readonly keyId: KeyId;
  /** How many stamps to take; at least 1. */
  readonly count: number;
  /**
   * That none of them will be an event's; false unless given. A look for what is to be sent may pass over a key whose
   * stamps since were all without.
   */
  readonly withoutEvents?: boolean;
}

/** How far a key's feed has come. */
export interface FeedHead {
  readonly keyId: KeyId;
  /** The last stamp that was taken and committed, or the key's issue if none was. */
  readonly at: Instant;
}

/** The stamps that were taken: `count` whole milliseconds from `first` on. */
export interface StampRange {
  readonly keyId: KeyId;
  readonly first: Instant;
  readonly count: number;
}

/**
 * The next stamps of a head: from now on, but always after the last one. A burst, or a clock that was set
 * back, runs ahead of the clock by a millisecond a stamp rather than repeat one.
 */
export function nextStamps(head: Instant, now: Instant, request: StampRequest): StampRange {
  return { keyId: request.keyId, first: Math.max(head + 1, now), count: request.count };
}

/** The head after stamps were taken from it. */
export function headAfter(range: StampRange): Instant {
  return range.first + range.count - 1;
}
