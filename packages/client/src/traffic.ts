import type { ClientClock } from './clock.js';
import type { Route } from './route.js';
import { dispatch } from './traffic/dispatch.js';
import {
  createTrafficState,
  type Permit,
  type TrafficLimits,
  type TrafficState,
} from './traffic/traffic-state.js';
import { waitForLeave } from './traffic/wait-for-leave.js';

/**
 * Lets requests out: a few at once, none before its bucket's limit allows, and none at all while the whole key is
 * throttled. Each bucket has a queue of its own, and they take turns: a throttled company holds nobody else up.
 */
export interface Traffic {
  /** Resolves when the request may leave, or to null if that would be later than `until`. */
  enter(route: Route, until: number, signal?: AbortSignal): Promise<Permit | null>;
  /** Tells of which company a job is: submissions to both wait together. */
  learn(jobId: string, companyId: string): void;
}

/** Starts with all open. */
export function createTraffic(clock: ClientClock, limits: TrafficLimits): Traffic {
  const state: TrafficState = createTrafficState(clock, limits, () => dispatch(state));
  return {
    enter: (route, until, signal) => waitForLeave(state, route, until, signal),
    learn: state.queues.learn,
  };
}
