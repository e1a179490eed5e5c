import { type Instant, SECOND_MS } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import type { Clock, Random } from '../../ports/runtime.js';
import { isReached } from '../is-reached.js';
import type { Settle, Settled, Settlement } from '../settle.js';
import type { HeldLease } from './held-lease.js';

/** When a sender records its ended attempts. */
export interface RecordPlan {
  /** Plans a record after an attempt: at the next shared instant, or at once. */
  plan(now: Instant, isUrgent: boolean): void;
  /** Removes the plan when a record starts. */
  clear(): void;
  isDue(now: Instant): boolean;
  /** Whether a record is planned for later. */
  isPending(now: Instant): boolean;
  /** Returns when the record is due; `Infinity` if none is planned. */
  at(): Instant;
  /** Returns the next shared instant if the last one had a record; otherwise `Infinity`. */
  expectedAt(now: Instant): Instant;
}

/** Creates a plan with instants that all senders share, so that one transaction records the attempts of many. */
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

/** The ports of {@link settleWithRetry}, and its limits. */
export interface RetryLimit {
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  /** Retries end when it is lost. After an error that is not an outage, they end before it expires. */
  readonly lease: Pick<HeldLease, 'endsBy' | 'isLost' | 'lost'>;
  /** Called on each failure. */
  onFailure(err: unknown): void;
  /** Called each time that another transaction holds the endpoint. */
  onBusy(): void;
}

/** The longest pause between two tries, well within a lease. */
const MAX_PAUSE_MS = 8 * SECOND_MS;
/** The pause while another transaction, usually a short one, holds the endpoint. */
const BUSY_PAUSE_MS = 100;

/**
 * Records a settlement, with retries; resolves with null when the retries end. Repeating the same settlement is safe
 * after a commit of unknown outcome. Retries outlast an outage. Any other error may be permanent, so they end before
 * the lease expires. Jitter separates senders that failed in one batch, because one of them may fail the batch.
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
