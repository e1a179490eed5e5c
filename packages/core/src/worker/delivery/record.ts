import { type Instant, SECOND_MS } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import type { Clock, Random } from '../../ports/runtime.js';
import { isReached } from '../is-reached.js';
import type { Settle, Settled, Settlement } from '../settle.js';
import type { HeldLease } from './held-lease.js';

export interface RecordPlan {
  plan(now: Instant, isUrgent: boolean): void;
  clear(): void;
  isDue(now: Instant): boolean;
  isPending(now: Instant): boolean;
  at(): Instant;
  /**
   * Returns the next shared instant if the sender recorded at the previous one. Otherwise returns `Infinity`.
   */
  expectedAt(now: Instant): Instant;
}

/** Plans when a sender records. All senders record at the same instants, in one transaction. */
export function createRecordPlan(everyMs: number): RecordPlan {
  let at = Infinity;
  let lastAt = -Infinity;
  const isDue = (now: Instant) => at !== Infinity && isReached(now, at, everyMs);
  return {
    plan(now, isUrgent) {
      if (isUrgent) at = now;
      else if (at === Infinity) at = nextSharedInstant(now, everyMs);
    },
    clear() {
      if (at !== Infinity) lastAt = at;
      at = Infinity;
    },
    isDue,
    isPending: (now) => at !== Infinity && !isDue(now),
    at: () => at,
    expectedAt(now) {
      const next = nextSharedInstant(now, everyMs);
      return next - lastAt <= everyMs && next > now ? next : Infinity;
    },
  };
}

function nextSharedInstant(now: Instant, everyMs: number): Instant {
  return everyMs <= 0 ? now : (Math.floor(now / everyMs) + 1) * everyMs;
}

export interface RetryLimit {
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  readonly lease: Pick<HeldLease, 'endsBy' | 'isLost' | 'lost'>;
  onFailure(err: unknown): void;
  onBusy(): void;
}

const MAX_PAUSE_MS = 8 * SECOND_MS;
const BUSY_PAUSE_MS = 100;

/**
 * Records with retries. Returns null when the lease is lost, or when it would end before the next try and the
 * error is not an outage. Repeating a commit whose result is unknown is safe.
 */
export async function settleWithRetry(
  settle: Settle,
  settlement: Settlement,
  { clock, random, lease, onFailure, onBusy }: RetryLimit,
): Promise<Exclude<Settled, { kind: 'busy' }> | null> {
  let pauseMs = SECOND_MS;
  while (!lease.isLost()) {
    try {
      const settled = await settle(settlement);
      if (settled.kind !== 'busy') return settled;
      onBusy();
      await clock.sleep(BUSY_PAUSE_MS, lease.lost);
    } catch (err) {
      onFailure(err);
      const waitMs = pauseMs * (1 - random.fraction() / 2);
      if (!(err instanceof StorageUnavailable) && lease.endsBy(clock.now() + waitMs)) return null;
      await clock.sleep(waitMs, lease.lost);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }
  return null;
}
