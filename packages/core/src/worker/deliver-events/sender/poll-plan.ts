import type { Instant } from '../../../domain/time.js';
import { isReached } from '../../is-reached.js';

/** When a lane reads its endpoint's log again, and with it the deliveries that are due. */
export interface PollPlan {
  /** When the next look is due. */
  at(): Instant;
  /** Whether it is time to look. */
  isDue(now: Instant): boolean;
  /** Whether something was committed since the last look. */
  isWoken(): boolean;
  /** Something was committed, perhaps nothing but events: look soon. */
  wake(now: Instant, isOnlyEvents: boolean): void;
  /** A look begins. Says whether it must ask for due deliveries too. */
  begin(now: Instant): boolean;
  /**
   * The look ended. If it found as much as it asked for, the rest is looked for at once; else the next poll counts from
   * now: where a look takes longer than a poll, the next one would be due with its end, and so on for ever.
   */
  ended(now: Instant, isFull: boolean): void;
}

/** How long after a look a nudge brings the next: a storm of commits is one. */
const NUDGED_LOOK_MS = 5;

/** A plan that looks at once, then with every poll, and sooner where it is told of something. */
export function createPollPlan(startedAt: Instant, pollEveryMs: number): PollPlan {
  /** Until when nothing new can be expected but by a nudge. */
  let at = startedAt;
  /** Until when the same holds for due deliveries, which a nudge for events alone says nothing of. */
  let dueAt = startedAt;
  let lookedAt = -Infinity;
  let isWoken = false;
  let isForDue = false;
  return {
    at: () => at,
    isDue: (now) => isReached(now, at, pollEveryMs),
    isWoken: () => isWoken,
    wake(now, isOnlyEvents) {
      isWoken = true;
      at = Math.min(at, Math.max(now, lookedAt + NUDGED_LOOK_MS));
      if (!isOnlyEvents) dueAt = Math.min(dueAt, now);
    },
    begin(now) {
      isWoken = false;
      lookedAt = now;
      isForDue = isReached(now, dueAt, pollEveryMs);
      if (isForDue) dueAt = now + pollEveryMs;
      at = dueAt;
      return isForDue;
    },
    ended(now, isFull) {
      if (isFull) dueAt = now;
      else if (isForDue && !isWoken) dueAt = now + pollEveryMs;
      else return;
      at = dueAt;
    },
  };
}
