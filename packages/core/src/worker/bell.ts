import type { Clock } from '../ports/runtime.js';

/** Wakes a loop that is waiting for its next turn. */
export interface Bell {
  /** Ends the wait under way, or the next one if none is. */
  ring(): void;
  /** Waits that long, or until the bell rings. */
  wait(ms: number): Promise<void>;
}

/** Builds a bell for one waiting loop. Whoever rings has changed what the loop looks at beforehand. */
export function createBell(clock: Clock): Bell {
  let rung = new AbortController();
  return {
    ring: () => rung.abort(),
    async wait(ms) {
      await clock.sleep(ms, rung.signal);
      rung = new AbortController();
    },
  };
}
