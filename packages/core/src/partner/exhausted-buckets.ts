import { type Bucket, type RateState, rateStateAt } from '../domain/rate-limit.js';
import type { StorageClock } from '../storage-clock.js';
import { createBoundedCache } from './bounded-cache.js';

/** The buckets that this process knows to be used up until their windows end. */
export interface ExhaustedBuckets {
  /** Where the bucket stands now, or null if only the storage knows. */
  find(bucket: Bucket): RateState | null;
  /** Remembers the bucket until its window ends, if nothing is left of it. */
  note(bucket: Bucket, state: RateState): void;
}

/** More keys and client addresses than exhaust a bucket in one minute; a few megabytes at most. */
const MAX_BUCKETS = 10_000;

/**
 * Creates an empty memory of exhausted buckets. A count only grows within its window. What the storage said of an
 * exhausted bucket therefore holds until the window ends, and no further request of a flood needs to be counted.
 */
export function createExhaustedBuckets(storageClock: Pick<StorageClock, 'now'>): ExhaustedBuckets {
  const exhausted = createBoundedCache<RateState>(MAX_BUCKETS);
  return {
    find: ({ id }) => {
      const state = exhausted.find(id);
      if (state === undefined) return null;
      const now = storageClock.now();
      if (now < state.resetAt) return rateStateAt(state, now);
      exhausted.learn(id, null);
      return null;
    },
    note: ({ id }, state) => {
      if (state.remaining === 0) exhausted.learn(id, state);
    },
  };
}
