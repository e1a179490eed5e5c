import type { Instant } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';

/** When what has ended must be recorded. */
export interface RecordPlan {
  /** Something ended: it is recorded with the next beat, or at once. */
  plan(isUrgent: boolean): void;
  /** All is recorded, or on its way. */
  clear(): void;
  /** Whether it is time to record. */
  isDue(): boolean;
  /** Whether something waits to be recorded whose time has not come. */
  isPending(): boolean;
  /** When it is time; never while nothing has ended. */
  at(): Instant;
}

/**
 * A plan with a beat every so many milliseconds: the same instants for all lanes, so that one transaction records
 * what ended in many of them.
 */
export function createRecordPlan(clock: Pick<Clock, 'now'>, everyMs: number): RecordPlan {
  let at = Infinity;
  const isDue = () => at !== Infinity && isReached(clock, at, everyMs);
  return {
    plan(isUrgent) {
      const now = clock.now();
      if (isUrgent) at = now;
      else if (at === Infinity) at = nextBeat(now, everyMs);
    },
    clear() {
      at = Infinity;
    },
    isDue,
    isPending: () => at !== Infinity && !isDue(),
    at: () => at,
  };
}

function nextBeat(now: Instant, everyMs: number): Instant {
  return everyMs <= 0 ? now : (Math.floor(now / everyMs) + 1) * everyMs;
}

/**
 * Whether a planned instant has come. So it has when it lies further ahead than it was ever planned: then the
 * clock was set back.
 */
export function isReached(clock: Pick<Clock, 'now'>, at: Instant, plannedMs: number): boolean {
  const leftMs = at - clock.now();
  return leftMs <= 0 || leftMs > plannedMs;
}
