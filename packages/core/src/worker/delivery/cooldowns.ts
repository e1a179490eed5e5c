import type { KeyId } from '../../domain/ids.js';
import { type Instant, isReached, MINUTE_MS } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import type { SenderEnd } from './sender.js';

export interface Cooldowns {
  /** Reports a sender's end. Unrecorded attempts lengthen the cooldown. */
  ended(keyId: KeyId, end: Pick<SenderEnd, 'isUnrecorded' | 'cooldownMs'>): void;
  coolingDown(now: Instant): readonly KeyId[];
}

/**
 * The longest cooldown of an endpoint whose attempts cannot be recorded. It is long, because each new sender repeats
 * these attempts, but short enough to notice a repair soon.
 */
const MAX_UNRECORDED_COOLDOWN_MS = 15 * MINUTE_MS;

export function createCooldowns(clock: Pick<Clock, 'now'>, leaseMs: number): Cooldowns {
  const cooldowns = new Map<KeyId, { readonly until: Instant; readonly cooldownMs: number }>();
  const failures = new Map<KeyId, number>();

  /**
   * Returns the cooldown, in milliseconds. The first failure has none, because its cause may be brief. Later failures
   * have one, because each new sender repeats all unrecorded attempts.
   */
  function backoffMs(failed: number): number {
    return failed > 1 ? Math.min(leaseMs * 2 ** (failed - 1), MAX_UNRECORDED_COOLDOWN_MS) : 0;
  }

  function countFailure(keyId: KeyId): number {
    const failed = (failures.get(keyId) ?? 0) + 1;
    failures.set(keyId, failed);
    return failed;
  }

  return {
    ended(keyId, end) {
      if (!end.isUnrecorded) failures.delete(keyId);
      const unrecordedMs = end.isUnrecorded ? backoffMs(countFailure(keyId)) : 0;
      const cooldownMs = Math.max(end.cooldownMs, unrecordedMs);
      if (cooldownMs > 0) cooldowns.set(keyId, { until: clock.now() + cooldownMs, cooldownMs });
    },
    coolingDown(now) {
      for (const [keyId, { until, cooldownMs }] of cooldowns) {
        if (isReached(now, until, cooldownMs)) cooldowns.delete(keyId);
      }
      return [...cooldowns.keys()];
    },
  };
}
