import type { ClientClock } from '../clock.js';
import type { AttemptResult } from '../execute/attempt.js';
import type { Route } from '../route.js';
import { type Alarm, createAlarm } from './alarm.js';
import { type BucketQueues, createBucketQueues } from './bucket-queues.js';
import { createGuessedWaits, type GuessedWaits } from './guessed-waits.js';

/** Leave to send one request. */
export interface Permit {
  /** To be called once, with what came of it; null if it was not sent or broken off. */
  returned(result: AttemptResult | null): void;
}

/** A request that waits for its leave. */
export interface Waiting {
  readonly route: Route;
  /** Ends its wait: it may leave, or is no longer wanted. */
  readonly over: AbortController;
  /** Null until it may leave. */
  permit: Permit | null;
}

/** What traffic is held to. */
export interface TrafficLimits {
  readonly maxConcurrency: number;
  /** The longest that a 429 closes anything for. */
  readonly maxRetryAfterMs: number;
}

/** Who waits and who is under way, and what is closed. The steps of traffic are functions over it. */
export interface TrafficState {
  readonly clock: ClientClock;
  readonly limits: TrafficLimits;
  readonly queues: BucketQueues<Waiting>;
  /** Set for when the first of those that wait may leave. */
  readonly alarm: Alarm;
  readonly guessedWaits: GuessedWaits;
  /** Requests that have left and have not returned. */
  underWay: number;
  /** Until when the whole key is throttled. */
  closedUntil: number;
}

/** Nobody waits, and all is open. */
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
    guessedWaits: createGuessedWaits(),
    underWay: 0,
    closedUntil: 0,
  };
}
