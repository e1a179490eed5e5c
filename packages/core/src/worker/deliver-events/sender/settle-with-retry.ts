import { SECOND_MS } from '../../../domain/time.js';
import { StorageUnavailable } from '../../../errors.js';
import type { Clock, Random } from '../../../ports/runtime.js';
import type { Settle, Settled, Settlement } from '../../settle.js';
import type { HeldLease } from './held-lease.js';

/** What trying again needs. */
export interface RetryLimit {
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
  /** Ends the patience: once it is lost, or the worker is gone; where the storage refuses, before it runs out. */
  readonly lease: Pick<HeldLease, 'endsBy' | 'isLost' | 'lost'>;
  /** Told of each failure. */
  onFailure(err: unknown): void;
  /** Told each time that somebody else is changing the endpoint. */
  onBusy(): void;
}

/** The longest pause between two tries: well within a lease. */
const MAX_PAUSE_MS = 8 * SECOND_MS;
/** The pause where another transaction, mostly a short one, is changing the endpoint. */
const BUSY_PAUSE_MS = 100;

/**
 * Records what a lane reports, however often the storage fails; null once the patience ends. It is the same
 * report each time, so a commit whose outcome was unknown is not counted twice. An outage ends by itself and is waited
 * for; what the storage refuses, it may refuse for good, and somebody may wait for the lane.
 *
 * Those that failed together try again at different moments: what looks like an outage may be about one of them, which
 * would take the others with it each time.
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
