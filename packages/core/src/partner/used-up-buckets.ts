import type { KeyId } from '../domain/ids.js';
import type { Bucket, RateScope, RateState } from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import { createBoundedCache } from './key-cache.js';

/**
 * Remembers which submission buckets are used up, until their reset. A wrong entry does not cause a refusal: it only
 * makes the batch count before it adds rows.
 */
export interface UsedUpBuckets {
  has(keyId: KeyId, bucket: Pick<Bucket, 'limit' | 'scope'>, now: Instant): boolean;
  /** Call it after the commit, because a rollback would undo the counts. */
  note(keyId: KeyId, state: RateState): void;
}

/** Larger than the number of buckets that are used up in a minute. Takes a few megabytes at most. */
const MAX_BUCKETS = 10_000;

export function createUsedUpBuckets(): UsedUpBuckets {
  const states = createBoundedCache<RateState>(MAX_BUCKETS);
  return {
    has: (keyId, { limit, scope }, now) => {
      const name = nameOf(keyId, scope);
      const state = states.find(name);
      if (state === undefined) return false;
      if (now >= state.resetAt) states.forget(name);
      // The limit may have grown since, which frees the bucket.
      return now < state.resetAt && limit <= state.limit;
    },
    note: (keyId, state) => {
      if (state.remaining > 0 || state.scope.kind !== 'partner_company') return;
      states.learn(nameOf(keyId, state.scope), state);
    },
  };
}

function nameOf(keyId: KeyId, scope: RateScope): string {
  return `${keyId}:${scope.kind === 'partner_company' ? scope.companyId : ''}`;
}
