import type { KeyId } from '../../domain/ids.js';
import { type Instant, MINUTE_MS } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import { isReached } from '../is-reached.js';
import type { SenderEnd } from './endpoint-sender.js';

/** Endpoints that are left alone for a while after their lane has ended. */
export interface Cooldowns {
  /** Notes how a lane ended: its endpoint rests as long as it says, or longer while nothing can be recorded. */
  ended(keyId: KeyId, end: Pick<SenderEnd, 'isUnrecorded' | 'cooldownMs'>): void;
  /** The endpoints that rest. */
  resting(now: Instant): readonly KeyId[];
}

/** The longest rest of an endpoint whose attempts cannot be recorded: few are made in vain, and a mend shows soon. */
const MAX_UNRECORDED_REST_MS = 15 * MINUTE_MS;

/** Builds it, with none at rest. */
export function createCooldowns(clock: Pick<Clock, 'now'>, leaseMs: number): Cooldowns {
  const resting = new Map<KeyId, { readonly until: Instant; readonly cooldownMs: number }>();
  /** How many lanes of an endpoint in a row could not record what they had sent. */
  const unrecorded = new Map<KeyId, number>();

  /** None after the first, which may have been a moment's: all that it was sent is sent again with each further lane. */
  function restAfter(senders: number): number {
    return senders > 1 ? Math.min(leaseMs * 2 ** (senders - 1), MAX_UNRECORDED_REST_MS) : 0;
  }

  function countUnrecorded(keyId: KeyId): number {
    const senders = (unrecorded.get(keyId) ?? 0) + 1;
    unrecorded.set(keyId, senders);
    return senders;
  }

  return {
    ended(keyId, end) {
      if (!end.isUnrecorded) unrecorded.delete(keyId);
      const unrecordedMs = end.isUnrecorded ? restAfter(countUnrecorded(keyId)) : 0;
      const cooldownMs = Math.max(end.cooldownMs, unrecordedMs);
      if (cooldownMs > 0) resting.set(keyId, { until: clock.now() + cooldownMs, cooldownMs });
    },
    resting(now) {
      for (const [keyId, { until, cooldownMs }] of resting) {
        if (isReached(now, until, cooldownMs)) resting.delete(keyId);
      }
      return [...resting.keys()];
    },
  };
}
