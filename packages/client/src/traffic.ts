import { type Answer, apiErrorOf, rateReadingOf } from './answer.js';
import type { AttemptResult } from './attempt.js';
import type { ClientClock } from './clock.js';
import { afterReading, afterRefusal, type RateWindow, windowAt } from './rate-window.js';

/** Which bucket a request is counted in. Spec: Limits. */
export type Route =
  | { readonly kind: 'list_jobs' | 'list_applications' | 'read_application' }
  | { readonly kind: 'submit_application'; readonly jobId: string };

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

interface Lane {
  window: RateWindow | null;
  underWay: number;
  readonly queue: Waiting[];
  /** The lane that this one turned out to be; null of one that stands for itself. */
  mergedInto: Lane | null;
}

/** So many jobs of which the company is remembered; a forgotten one is learnt again with its first 429. */
const REMEMBERED_JOBS = 10_000;
/** What a 429 without a `Retry-After`, or with none to wait, is taken for: it is not to be asked in a circle. */
const SHORTEST_WAIT_MS = 1_000;

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
  const lanes = new Map<string, Lane>();
  const companies = new Map<string, string>();
  let underWay = 0;
  /** Until when the whole key is throttled. */
  let closedUntil = 0;
  let alarm: { readonly at: number; readonly off: AbortController } | null = null;

  function nameOf(route: Route): string {
    if (route.kind !== 'submit_application') return route.kind;
    const companyId = companies.get(route.jobId);
    return companyId === undefined ? `job ${route.jobId}` : `company ${companyId}`;
  }

  function laneNamed(name: string): Lane {
    const lane = lanes.get(name) ?? { window: null, underWay: 0, queue: [], mergedInto: null };
    lanes.set(name, lane);
    return lane;
  }

  function learn(jobId: string, companyId: string): void {
    const before = `job ${jobId}`;
    companies.delete(jobId);
    companies.set(jobId, companyId);
    const [oldest] = companies.keys();
    if (companies.size > REMEMBERED_JOBS && oldest !== undefined) companies.delete(oldest);
    const lane = lanes.get(before);
    if (lane === undefined) return;
    lanes.delete(before);
    merge(lane, laneNamed(`company ${companyId}`));
  }

  function isBusy({ queue, window, underWay: own }: Lane): boolean {
    if (queue.length === 0 || underWay >= maxConcurrency) return true;
    return window !== null && window.remaining - own <= 0;
  }

  /** Lets out what may leave. A lane that has let one out stands behind the others. */
  function dispatch(): void {
    const now = clock.now();
    for (const lane of lanes.values()) lane.window = windowAt(lane.window, now);
    for (const [name, lane] of now < closedUntil ? [] : lanes) {
      if (isBusy(lane)) continue;
      lanes.delete(name);
      lanes.set(name, lane);
      release(lane);
    }
    forgetIdle();
    setAlarm(now);
  }

  function release(lane: Lane): void {
    const next = lane.queue.shift();
    if (next === undefined) return;
    lane.underWay += 1;
    underWay += 1;
    next.leave({ returned: (result) => onReturn(next.route, lane, result) });
  }

  function onReturn(route: Route, left: Lane, result: AttemptResult | null): void {
    underWay -= 1;
    standing(left).underWay -= 1;
    if (result?.kind === 'answered') read(route, left, result.answer);
    dispatch();
  }

  function read(route: Route, left: Lane, answer: Answer): void {
    const now = clock.now();
    const reading = rateReadingOf(answer, now);
    if (answer.status !== 429) {
      const lane = standing(left);
      if (reading !== null && tellsOfOwnBucket(route, answer)) {
        lane.window = afterReading(lane.window, reading, now);
      }
      return;
    }
    const { scope, companyId, retryAfterSeconds } = apiErrorOf(answer);
    const askedMs = Math.max(SHORTEST_WAIT_MS, (retryAfterSeconds ?? 0) * 1_000);
    const waitMs = Math.min(askedMs, maxRetryAfterMs);
    if (scope !== 'partner_company') {
      closedUntil = Math.max(closedUntil, now + waitMs);
      return;
    }
    if (companyId !== null && route.kind === 'submit_application') learn(route.jobId, companyId);
    const lane = standing(left);
    const window = reading === null ? lane.window : afterReading(lane.window, reading, now);
    lane.window = afterRefusal(window, waitMs, now);
  }

  function forgetIdle(): void {
    for (const [name, { queue, underWay: own, window }] of lanes) {
      const knowsNothing = window === null || window.remaining === window.limit;
      if (queue.length === 0 && own === 0 && knowsNothing) lanes.delete(name);
    }
  }

  /** Wakes when the first of those that wait may leave: at the end of a window, or of the key's 429. */
  function setAlarm(now: number): void {
    const waiting = [...lanes.values()].filter(({ queue }) => queue.length > 0);
    const ends = waiting.map(({ window }) => Math.max(closedUntil, window?.endsAt ?? 0));
    const at = Math.min(...ends.filter((end) => end > now));
    if (at === (alarm?.at ?? Number.POSITIVE_INFINITY)) return;
    alarm?.off.abort();
    alarm = null;
    if (!Number.isFinite(at)) return;
    const off = new AbortController();
    alarm = { at, off };
    void clock.sleep(at - now, off.signal).then(() => {
      if (off.signal.aborted) return;
      alarm = null;
      dispatch();
    });
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
    laneNamed(nameOf(route)).queue.push(waiting);
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
    for (const { queue } of lanes.values()) {
      const index = queue.indexOf(waiting);
      if (index >= 0) queue.splice(index, 1);
    }
    dispatch();
  }

  return { enter, learn };
}

/**
 * Whether the rate headers tell of the bucket that the request waited for. A submission that was refused or
 * replayed may have been counted in another one, or in none, and an unknown key's in that of its address.
 */
function tellsOfOwnBucket(route: Route, { status, headers }: Answer): boolean {
  if (route.kind !== 'submit_application') return status !== 401;
  return status === 201 && headers.get('idempotent-replayed') === null;
}

/** The lane that now counts for what left by this one. */
function standing(lane: Lane): Lane {
  return lane.mergedInto === null ? lane : standing(lane.mergedInto);
}

function merge(from: Lane, into: Lane): void {
  into.queue.push(...from.queue.splice(0));
  into.underWay += from.underWay;
  into.window ??= from.window;
  from.mergedInto = into;
}
