import type { KeyId } from '../domain/ids.js';
import { type Bucket, type RateState, submissionBucketId } from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import { createBoundedCache } from './key-cache.js';

/**
 * Remembers the submission buckets that are used up, until their reset. A wrong entry refuses nothing: the batch
 * only counts before it adds rows.
 */
export interface UsedUpBuckets {
  has(bucket: Bucket, now: Instant): boolean;
  /** Call it after the commit, because a rollback takes the counts back. */
  note(keyId: KeyId, state: RateState): void;
}

/** More than the buckets that are used up in a minute. Takes a few megabytes at most. */
const MAX_BUCKETS = 10_000;

export function createUsedUpBuckets(): UsedUpBuckets {
  const states = createBoundedCache<RateState>(MAX_BUCKETS);
  return {
    has: ({ id, limit }, now) => {
      const state = states.find(id);
      if (state === undefined) return false;
      if (now >= state.resetAt) states.forget(id);
      // The limit may have grown since.
      return now < state.resetAt && limit <= state.limit;
    },
    note: (keyId, state) => {
      if (state.remaining > 0 || state.scope.kind !== 'partner_company') return;
      states.learn(submissionBucketId(keyId, state.scope.companyId), state);
    },
  };
}
