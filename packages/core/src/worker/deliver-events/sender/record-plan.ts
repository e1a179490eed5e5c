import type { Instant } from '../../../domain/time.js';
import { isReached } from '../../is-reached.js';

/** When what has ended must be recorded. */
export interface RecordPlan {
  /** Something ended: it is recorded with the next beat, or at once. */
  plan(now: Instant, isUrgent: boolean): void;
  /** All is recorded, or on its way. */
  clear(): void;
  /** Whether it is time to record. */
  isDue(now: Instant): boolean;
  /** Whether something waits to be recorded whose time has not come. */
  isPending(now: Instant): boolean;
  /** When it is time; never while nothing has ended. */
  at(): Instant;
  /** When it will be time again if things go on as they did up to the last beat; never if nothing ended then. */
  expectedAt(now: Instant): Instant;
}

/**
 * A plan with a beat every so many milliseconds: the same instants for all lanes, so that one transaction records
 * what ended in many of them.
 */
export function createRecordPlan(everyMs: number): RecordPlan {
  let at = Infinity;
  let lastAt = -Infinity;
  const isDue = (now: Instant) => at !== Infinity && isReached(now, at, everyMs);
  return {
    plan(now, isUrgent) {
      if (isUrgent) at = now;
      else if (at === Infinity) at = nextBeat(now, everyMs);
    },
    clear() {
      if (at !== Infinity) lastAt = at;
      at = Infinity;
    },
    isDue,
    isPending: (now) => at !== Infinity && !isDue(now),
    at: () => at,
    expectedAt(now) {
      const next = nextBeat(now, everyMs);
      return next - lastAt <= everyMs && next > now ? next : Infinity;
    },
  };
}

function nextBeat(now: Instant, everyMs: number): Instant {
  return everyMs <= 0 ? now : (Math.floor(now / everyMs) + 1) * everyMs;
}
