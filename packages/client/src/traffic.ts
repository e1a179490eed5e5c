import { createAlarm } from './alarm.js';
import { type Answer, apiErrorOf, rateReadingOf } from './answer.js';
import type { AttemptResult } from './attempt.js';
import type { ClientClock } from './clock.js';
import { createGuessedWaits } from './guessed-waits.js';
import { createLanes, type Lane, standing } from './lanes.js';
import { afterReading, afterRefusal } from './rate-window.js';
import { type Route, tellsOfOwnBucket } from './route.js';

/** Leave to send one request. */
export interface Permit {
  /** To be called once, with what came of it; null if it was not sent or broken off. */
  returned(result: AttemptResult | null): void;
}

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

interface Waiting {
  readonly route: Route;
  readonly leave: (permit: Permit) => void;
}

/** What traffic is held to. */
export interface TrafficLimits {
  readonly maxConcurrency: number;
  /** The longest that a 429 closes anything for. */
  readonly maxRetryAfterMs: number;
}

/** Starts with all open. */
export function createTraffic(
  clock: ClientClock,
  { maxConcurrency, maxRetryAfterMs }: TrafficLimits,
): Traffic {
  const lanes = createLanes<Waiting>();
  const alarm = createAlarm(clock, dispatch);
  const guessedWaits = createGuessedWaits();
  let underWay = 0;
  /** Until when the whole key is throttled. */
  let closedUntil = 0;

  function isBusy({ queue, window, underWay: own }: Lane<Waiting>): boolean {
    if (queue.length === 0 || underWay >= maxConcurrency) return true;
    return window !== null && window.remaining - own <= 0;
  }

  /** Lets out what may leave. A lane that has let one out stands behind the others. */
  function dispatch(): void {
    const now = clock.now();
    lanes.renewWindows(now);
    for (const lane of now < closedUntil ? [] : lanes.inTurn()) {
      if (isBusy(lane)) continue;
      lanes.toBack(lane);
      release(lane);
    }
    lanes.forgetIdle();
    alarm.setFor(nextOpening(now));
  }

  function release(lane: Lane<Waiting>): void {
    const next = lane.queue.shift();
    if (next === undefined) return;
    lane.underWay += 1;
    underWay += 1;
    next.leave({ returned: (result) => onReturn(next.route, lane, result) });
  }

  function onReturn(route: Route, left: Lane<Waiting>, result: AttemptResult | null): void {
    underWay -= 1;
    standing(left).underWay -= 1;
    if (result?.kind === 'answered') {
      if (result.answer.status === 429) throttle(route, left, result.answer);
      else note(route, left, result.answer);
    }
    dispatch();
  }

  /** Notes what an answer tells of its bucket. */
  function note(route: Route, left: Lane<Waiting>, answer: Answer): void {
    guessedWaits.forget();
    const now = clock.now();
    const reading = rateReadingOf(answer, now);
    if (reading === null || !tellsOfOwnBucket(route, answer)) return;
    const lane = standing(left);
    lane.window = afterReading(lane.window, reading, now);
  }

  /** Closes what a 429 throttles: the lane of one company, or all of them. */
  function throttle(route: Route, left: Lane<Waiting>, answer: Answer): void {
    const now = clock.now();
    const { scope, companyId, retryAfterSeconds } = apiErrorOf(answer);
    // One of 0 says nothing either.
    const askedMs = retryAfterSeconds ? retryAfterSeconds * 1_000 : guessedWaits.next(now);
    const waitMs = Math.min(askedMs, maxRetryAfterMs);
    if (scope !== 'partner_company') {
      closedUntil = Math.max(closedUntil, now + waitMs);
      return;
    }
    if (companyId !== null && route.kind === 'submit_application') lanes.learn(route.jobId, companyId);
    const lane = standing(left);
    const reading = rateReadingOf(answer, now);
    const window = reading === null ? lane.window : afterReading(lane.window, reading, now);
    lane.window = afterRefusal(window, waitMs, now);
  }

  /** When the first of those that wait may leave, at the end of a window or of the key's 429; else never. */
  function nextOpening(now: number): number {
    const waiting = [...lanes.inTurn()].filter(({ queue }) => queue.length > 0);
    const ends = waiting.map(({ window }) => Math.max(closedUntil, window?.endsAt ?? 0));
    return Math.min(...ends.filter((end) => end > now));
  }

  async function enter(route: Route, until: number, signal?: AbortSignal): Promise<Permit | null> {
    signal?.throwIfAborted();
    const over = new AbortController();
    const end = () => over.abort();
    signal?.addEventListener('abort', end);
    const given: Permit[] = [];
    const leave = (permit: Permit) => {
      given.push(permit);
      end();
    };
    const waiting = { route, leave };
    lanes.laneOf(route).queue.push(waiting);
    dispatch();
    await clock.sleep(until - clock.now(), over.signal);
    signal?.removeEventListener('abort', end);
    const [permit] = given;
    if (permit === undefined) withdraw(waiting);
    if (signal?.aborted === true) permit?.returned(null);
    signal?.throwIfAborted();
    return permit ?? null;
  }

  function withdraw(waiting: Waiting): void {
    for (const { queue } of lanes.inTurn()) {
      const index = queue.indexOf(waiting);
      if (index >= 0) queue.splice(index, 1);
    }
    dispatch();
  }

  return { enter, learn: lanes.learn };
}
