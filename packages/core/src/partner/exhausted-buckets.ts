import { type Bucket, type RateState, rateStateLater } from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import { createRemembered } from './remembered.js';

/** The buckets that this process knows to be used up until their windows end. */
export interface ExhaustedBuckets {
  /** Where the bucket stands now, or null if only the storage knows. */
  find(bucket: Bucket): RateState | null;
  /** Remembers the bucket until its window ends, if nothing is left of it. */
  note(bucket: Bucket, state: RateState): void;
}

/** More keys and client addresses than exhaust a bucket in one minute; a few megabytes at most. */
const MAX_BUCKETS = 10_000;

/**
 * Creates an empty memory of exhausted buckets. A count only grows within its window. What the storage said of an
 * exhausted bucket therefore holds until the window ends, and no further request of a flood needs to be counted.
 *
 * @param clock - measures how long a window still lasts. It is never compared with the storage's clock.
 */
export function createExhaustedBuckets(clock: Pick<Clock, 'now'>): ExhaustedBuckets {
  const exhausted = createRemembered<{ readonly state: RateState; readonly notedAt: Instant }>(MAX_BUCKETS);
  return {
    find: ({ id }) => {
      const known = exhausted.find(id);
      if (known === undefined) return null;
      const { state, notedAt } = known;
      const passedMs = clock.now() - notedAt;
      // After the clock was set back, the storage is asked again.
      if (passedMs >= 0 && passedMs < state.resetAt - state.countedAt) return rateStateLater(state, passedMs);
      exhausted.learn(id, null);
      return null;
    },
    note: ({ id }, state) => {
      if (state.remaining === 0) exhausted.learn(id, { state, notedAt: clock.now() });
    },
  };
}
