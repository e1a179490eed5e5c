import { SECOND_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Settle, Settled, Settlement } from './settle.js';

/** What trying again needs. */
export interface Patience {
  readonly clock: Clock;
  /** Ends the patience: the lease is gone, or the worker is. */
  readonly givenUp: AbortSignal;
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
 * report each time, so a commit whose outcome was unknown is not counted twice.
 */
export async function settlePatiently(
  settle: Settle,
  settlement: Settlement,
  { clock, givenUp, onFailure, onBusy }: Patience,
): Promise<Exclude<Settled, { kind: 'busy' }> | null> {
  let pauseMs = SECOND_MS;
  while (!givenUp.aborted) {
    try {
      const settled = await settle(settlement);
      if (settled.kind !== 'busy') return settled;
      onBusy();
      await clock.sleep(BUSY_PAUSE_MS, givenUp);
    } catch (err) {
      onFailure(err);
      await clock.sleep(pauseMs, givenUp);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }
  return null;
}
