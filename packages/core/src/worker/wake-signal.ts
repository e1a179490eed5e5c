import type { Clock } from '../ports/runtime.js';

/** Wakes a loop that is waiting for its next turn. */
export interface WakeSignal {
  /** Ends the wait under way, or the next one if none is. */
  ring(): void;
  /** Waits that long, or until the bell rings. */
  wait(ms: number): Promise<void>;
}

/** Without a reason of our own, each abort would build an error with a stack: a tenth of a delivery's cost. */
const RUNG = 'rung';

/** Builds a bell for one waiting loop. Whoever rings has changed what the loop looks at beforehand. */
export function createWakeSignal(clock: Clock): WakeSignal {
  let isRung = false;
  let waiting: AbortController | null = null;
  return {
    ring() {
      isRung = true;
      waiting?.abort(RUNG);
    },
    async wait(ms) {
      if (!isRung) {
        waiting = new AbortController();
        await clock.sleep(ms, waiting.signal);
        waiting = null;
      }
      isRung = false;
    },
  };
}
