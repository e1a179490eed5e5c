import type { KeyId } from '../../domain/ids.js';
import { type Instant, MINUTE_MS } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import { isReached } from '../is-reached.js';
import type { LaneEnd } from './lane.js';

/** Endpoints that are left alone for a while after their lane has ended. */
export interface Rests {
  /** Notes how a lane ended: its endpoint rests as long as it says, or longer while nothing can be recorded. */
  ended(keyId: KeyId, end: Pick<LaneEnd, 'isUnrecorded' | 'restMs'>): void;
  /** The endpoints that rest. */
  resting(now: Instant): readonly KeyId[];
}

/** The longest rest of an endpoint whose attempts cannot be recorded: few are made in vain, and a mend shows soon. */
const MAX_UNRECORDED_REST_MS = 15 * MINUTE_MS;

/** Builds it, with none at rest. */
export function createRests(clock: Pick<Clock, 'now'>, leaseMs: number): Rests {
  const resting = new Map<KeyId, { readonly until: Instant; readonly restMs: number }>();
  /** How many lanes of an endpoint in a row could not record what they had sent. */
  const unrecorded = new Map<KeyId, number>();

  /** None after the first, which may have been a moment's: all that it was sent is sent again with each further lane. */
  function restAfter(lanes: number): number {
    return lanes > 1 ? Math.min(leaseMs * 2 ** (lanes - 1), MAX_UNRECORDED_REST_MS) : 0;
  }

  function countUnrecorded(keyId: KeyId): number {
    const lanes = (unrecorded.get(keyId) ?? 0) + 1;
    unrecorded.set(keyId, lanes);
    return lanes;
  }

  return {
    ended(keyId, end) {
      if (!end.isUnrecorded) unrecorded.delete(keyId);
      const unrecordedMs = end.isUnrecorded ? restAfter(countUnrecorded(keyId)) : 0;
      const restMs = Math.max(end.restMs, unrecordedMs);
      if (restMs > 0) resting.set(keyId, { until: clock.now() + restMs, restMs });
    },
    resting(now) {
      for (const [keyId, { until, restMs }] of resting) {
        if (isReached(now, until, restMs)) resting.delete(keyId);
      }
      return [...resting.keys()];
    },
  };
}
