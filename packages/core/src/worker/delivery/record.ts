import { SECOND_MS } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import type { Runtime } from '../../ports/runtime.js';
import type { Settle, Settled, Settlement } from '../settle.js';
import { isLost, lostSignal, type Sender } from './sender-state.js';

export interface RetryLimit {
  readonly runtime: Pick<Runtime, 'clock' | 'random'>;
  /** The sender whose lease limits the tries. */
  readonly sender: Sender;
  onFailure(err: unknown): void;
  onBusy(): void;
}

const MAX_PAUSE_MS = 8 * SECOND_MS;
const BUSY_PAUSE_MS = 100;

/**
 * Records a settlement, with retries. Returns null if the lease is lost. Unless the error is an outage, also returns
 * null if the lease would end before the next try. It is safe to repeat a commit whose result is unknown.
 */
export async function settleWithRetry(
  settle: Settle,
  settlement: Settlement,
  { runtime: { clock, random }, sender, onFailure, onBusy }: RetryLimit,
): Promise<Exclude<Settled, { kind: 'busy' }> | null> {
  let pauseMs = SECOND_MS;
  while (!isLost(sender)) {
    try {
      const settled = await settle(settlement);
      if (settled.kind !== 'busy') return settled;
      onBusy();
      await clock.sleep(BUSY_PAUSE_MS, lostSignal(sender));
    } catch (err) {
      onFailure(err);
      const waitMs = pauseMs * (1 - random.fraction() / 2);
      if (!(err instanceof StorageUnavailable) && clock.now() + waitMs >= sender.leaseUntil) return null;
      await clock.sleep(waitMs, lostSignal(sender));
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }
  return null;
}
