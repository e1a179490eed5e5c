import { WINDOW_MS } from '../answer.js';
import type { AttemptResult } from '../attempt.js';
import type { ClientClock } from '../clock.js';
import { applyRateLimit } from './apply-rate-limit.js';
import { type BucketQueue, currentQueue, type Route } from './bucket-queues.js';
import {
  createTrafficState,
  type Permit,
  type TrafficLimits,
  type TrafficState,
  type Waiting,
} from './traffic-state.js';

export interface Wish extends Pick<Waiting, 'onWait'> {
  readonly until: number;
  readonly signal?: AbortSignal | undefined;
}

/** Decides when a request may be sent. Each bucket has a queue: a throttled company delays no other. */
export interface Traffic {
  /** Waits for a permit to send. Returns null if there is no permit by `until`. Rejects when the signal aborts. */
  enter(route: Route, wish: Wish): Promise<Permit | null>;
  learn(jobId: string, companyId: string): void;
}

export function createTraffic(clock: ClientClock, limits: TrafficLimits): Traffic {
  const state: TrafficState = createTrafficState(clock, limits, () => dispatch(state));
  return trafficOver(state);
}

export function trafficOver(state: TrafficState): Traffic {
  return {
    enter: async (route, wish) => {
      const { signal } = wish;
      signal?.throwIfAborted();
      const permit = await waitInQueue(state, route, wish);
      if (signal?.aborted === true) permit?.returned(null);
      signal?.throwIfAborted();
      return permit;
    },
    learn: state.queues.learn,
  };
}

async function waitInQueue(
  traffic: TrafficState,
  route: Route,
  { until, signal, onWait }: Wish,
): Promise<Permit | null> {
  const { clock, queues } = traffic;
  const waiting: Waiting = { route, over: new AbortController(), permit: null, onWait };
  const end = () => waiting.over.abort();
  signal?.addEventListener('abort', end);
  queues.queueOf(route).queue.push(waiting);
  dispatch(traffic);
  await clock.sleep(until - clock.now(), waiting.over.signal);
  signal?.removeEventListener('abort', end);
  if (waiting.permit === null) withdraw(traffic, waiting);
  return waiting.permit;
}

function withdraw(traffic: TrafficState, waiting: Waiting): void {
  for (const { queue } of traffic.queues.all()) {
    const index = queue.indexOf(waiting);
    if (index >= 0) queue.splice(index, 1);
  }
  dispatch(traffic);
}

/** Sends the queued requests that the limits allow. A queue that sent a request moves behind the others. */
function dispatch(traffic: TrafficState): void {
  const { clock, queues, alarm } = traffic;
  const now = clock.now();
  queues.renewWindows(now);
  for (const queue of now < traffic.closedUntil ? [] : queues.all()) {
    if (!maySend(traffic, queue)) continue;
    queues.toBack(queue);
    release(traffic, queue);
  }
  reportWaits(traffic, now);
  queues.forgetIdle();
  alarm.setFor(nextOpening(traffic, now));
}

function maySend({ underWay, limits }: TrafficState, queue: BucketQueue<Waiting>): boolean {
  if (queue.queue.length === 0 || underWay >= limits.maxConcurrency) return false;
  return queue.window === null || queue.window.remaining > queue.underWay;
}

function release(traffic: TrafficState, queue: BucketQueue<Waiting>): void {
  const next = queue.queue.shift();
  if (next === undefined) return;
  queue.underWay += 1;
  traffic.underWay += 1;
  next.permit = { returned: (result) => onReturn(traffic, next.route, queue, result) };
  next.over.abort();
}

function onReturn(
  traffic: TrafficState,
  route: Route,
  sentFrom: BucketQueue<Waiting>,
  result: AttemptResult | null,
): void {
  traffic.underWay -= 1;
  currentQueue(sentFrom).underWay -= 1;
  if (result?.kind === 'answered') applyRateLimit(traffic, route, sentFrom, result.answer);
  dispatch(traffic);
}

/** Tells each request once that a rate limit holds it up. */
function reportWaits({ queues, closedUntil }: TrafficState, now: number): void {
  for (const { queue, window, underWay } of queues.all()) {
    const isUsedUp = window !== null && window.remaining <= underWay;
    const waitMs = Math.max(closedUntil, isUsedUp ? window.endsAt : 0) - now;
    if (waitMs <= 0) continue;
    for (const [ahead, waiting] of queue.entries()) {
      // Each full window before its own takes a minute more.
      const windows = Math.floor(ahead / (window?.limit ?? Number.POSITIVE_INFINITY));
      waiting.onWait?.(Math.ceil(waitMs) + windows * WINDOW_MS, ahead);
      waiting.onWait = undefined;
    }
  }
}

/** Returns the next time at which a rate limit of a queued request ends, or `Infinity`. */
function nextOpening({ queues, closedUntil }: TrafficState, now: number): number {
  const waiting = [...queues.all()].filter(({ queue }) => queue.length > 0);
  const ends = waiting.map(({ window }) => Math.max(closedUntil, window?.endsAt ?? 0));
  return Math.min(...ends.filter((end) => end > now));
}
