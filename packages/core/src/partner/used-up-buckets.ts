import type { Bucket, RateState } from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import { createBoundedCache } from './key-cache.js';

/**
 * Remembers which submission buckets are used up, until their reset. A wrong entry does not cause a refusal: it only
 * makes the batch count before it adds rows.
 */
export interface UsedUpBuckets {
  has(bucket: Bucket, now: Instant): boolean;
  /** Call it after the commit, because a rollback would undo the counts. */
  note(state: RateState): void;
}

/** Larger than the number of buckets that are used up in a minute. Takes a few megabytes at most. */
const MAX_BUCKETS = 10_000;

export function createUsedUpBuckets(): UsedUpBuckets {
  const states = createBoundedCache<RateState>(MAX_BUCKETS);
  return {
    has: ({ id, limit }, now) => {
      const state = states.find(id);
      if (state === undefined) return false;
      if (now >= state.resetAt) states.forget(id);
      // The limit may have grown since, which frees the bucket.
      return now < state.resetAt && limit <= state.limit;
    },
    note: (state) => {
      if (state.remaining > 0 || state.scope.kind !== 'partner_company') return;
      states.learn(state.bucketId, state);
    },
  };
}
