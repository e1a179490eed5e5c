import type { KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import { isReached } from './is-reached.js';

/** Endpoints that are left alone for a while, by their keys. */
export interface RestingEndpoints {
  /** Leaves one alone from now on, so many milliseconds long. */
  add(keyId: KeyId, now: Instant, restMs: number): void;
  /** Those whose rest is not over. */
  list(now: Instant): readonly KeyId[];
}

/** None yet. */
export function createRestingEndpoints(): RestingEndpoints {
  const rests = new Map<KeyId, { readonly until: Instant; readonly restMs: number }>();
  return {
    add: (keyId, now, restMs) => void rests.set(keyId, { until: now + restMs, restMs }),
    list(now) {
      for (const [keyId, { until, restMs }] of rests) {
        if (isReached(now, until, restMs)) rests.delete(keyId);
      }
      return [...rests.keys()];
    },
  };
}
