/** The first wait: to ask again at once would go in circles. */
const FIRST_WAIT_MS = 1_000;
/** The limits of an API that counts by the minute, as most do, are fresh by then. Spec: Limits. */
const LONGEST_WAIT_MS = 60_000;

/** How long to stay away after 429s that do not say so, such as a gateway's. */
export interface GuessedWaits {
  /** The wait after such a 429: twice the one before, or what is left of it for those that were under way with it. */
  next(now: number): number;
  /** Something was answered: the next wait is the first again. */
  forget(): void;
}

/** Nobody was sent away yet. */
export function createGuessedWaits(): GuessedWaits {
  let nextMs = FIRST_WAIT_MS;
  let until = Number.NEGATIVE_INFINITY;
  return {
    next: (now) => {
      if (now >= until) {
        until = now + nextMs;
        nextMs = Math.min(LONGEST_WAIT_MS, 2 * nextMs);
      }
      return until - now;
    },
    forget: () => {
      nextMs = FIRST_WAIT_MS;
    },
  };
}
