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
}

/** The longest pause between two tries: well within a lease. */
const MAX_PAUSE_MS = 8 * SECOND_MS;

/**
 * Records what a lane reports, however often the storage fails; null once the patience ends. It is the same
 * report each time, so a commit whose outcome was unknown is not counted twice.
 */
export async function settlePatiently(
  settle: Settle,
  settlement: Settlement,
  { clock, givenUp, onFailure }: Patience,
): Promise<Settled | null> {
  for (let pauseMs = SECOND_MS; !givenUp.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await settle(settlement);
    } catch (err) {
      onFailure(err);
      await clock.sleep(pauseMs, givenUp);
    }
  }
  return null;
}
