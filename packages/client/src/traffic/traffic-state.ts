import type { AttemptResult } from '../attempt.js';
import type { ClientClock } from '../clock.js';
import { type BucketQueues, createBucketQueues, type Route } from './bucket-queues.js';

export interface Permit {
  /** Call it once, when the request has ended. Pass null if the request was not sent or was aborted. */
  returned(result: AttemptResult | null): void;
}

export interface Waiting {
  readonly route: Route;
  /** Aborted to end the wait: when the request gets its permit, or when the caller's signal aborts. */
  readonly over: AbortController;
  permit: Permit | null;
  /** Called once, if a rate limit holds the request up. */
  onWait: ((waitMs: number, ahead: number) => void) | undefined;
}

export interface TrafficLimits {
  readonly maxConcurrency: number;
  readonly maxRetryAfterMs: number;
}

export interface TrafficState {
  readonly clock: ClientClock;
  readonly limits: TrafficLimits;
  readonly queues: BucketQueues<Waiting>;
  readonly alarm: Alarm;
  readonly backoff: ThrottleBackoff;
  underWay: number;
  /** The time in milliseconds until which the service throttles the whole key. */
  closedUntil: number;
}

export function createTrafficState(
  clock: ClientClock,
  limits: TrafficLimits,
  onAlarm: () => void,
): TrafficState {
  return {
    clock,
    limits,
    queues: createBucketQueues(),
    alarm: createAlarm(clock, onAlarm),
    backoff: createThrottleBackoff(),
    underWay: 0,
    closedUntil: 0,
  };
}

export interface Alarm {
  /** Replaces the previous time. `Infinity` switches the alarm off. */
  setFor(at: number): void;
}

export function createAlarm(clock: ClientClock, wake: () => void): Alarm {
  let current: { readonly at: number; readonly off: AbortController } | null = null;
  return {
    setFor: (at) => {
      if (at === (current?.at ?? Number.POSITIVE_INFINITY)) return;
      current?.off.abort();
      current = null;
      if (!Number.isFinite(at)) return;
      const off = new AbortController();
      current = { at, off };
      void clock.sleep(at - clock.now(), off.signal).then(() => {
        if (off.signal.aborted) return;
        current = null;
        wake();
      });
    },
  };
}

const FIRST_BACKOFF_MS = 1_000;
/** The longest wait: most APIs count requests per minute, so a new window starts within it. Contract: 8.5. */
const LONGEST_BACKOFF_MS = 60_000;

/** Determines the wait after a 429 without `Retry-After`. Some gateways send such a 429. */
export interface ThrottleBackoff {
  /**
   * Returns the wait in milliseconds, twice the previous wait. If the previous wait is not over, returns the rest of
   * it, because the requests were sent together.
   */
  next(now: number): number;
  reset(): void;
}

function createThrottleBackoff(): ThrottleBackoff {
  let nextMs = FIRST_BACKOFF_MS;
  let until = Number.NEGATIVE_INFINITY;
  return {
    next: (now) => {
      if (now >= until) {
        until = now + nextMs;
        nextMs = Math.min(LONGEST_BACKOFF_MS, 2 * nextMs);
      }
      return until - now;
    },
    reset: () => {
      nextMs = FIRST_BACKOFF_MS;
    },
  };
}
