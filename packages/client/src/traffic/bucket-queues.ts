import { type RateHeaders, WINDOW_MS } from '../answer.js';

/** The current window of a bucket, as far as the client knows it. */
export interface RateWindow {
  readonly limit: number;
  /** The number of requests left, as the service last reported it. It may omit requests under way. */
  readonly remaining: number;
  /** The window's end in Unix seconds on the service's clock, which identifies it. Null for an assumed window. */
  readonly reset: number | null;
  readonly endsAt: number;
}

/** Responses may arrive out of order, so the lowest count is the latest. */
export function afterRateHeaders(window: RateWindow | null, headers: RateHeaders, now: number): RateWindow {
  const { limit, remaining, reset, resetsInMs } = headers;
  if (window?.reset === reset) {
    return { ...window, limit, remaining: Math.min(window.remaining, remaining) };
  }
  const isOlder = window !== null && window.reset !== null && reset < window.reset;
  return isOlder ? window : { limit, remaining, reset, endsAt: now + resetsInMs };
}

export function afterRefusal(window: RateWindow | null, waitMs: number, now: number): RateWindow {
  const endsAt = Math.max(now + waitMs, window?.remaining === 0 ? window.endsAt : 0);
  return { limit: window?.limit ?? Number.POSITIVE_INFINITY, remaining: 0, reset: null, endsAt };
}

/** Assumes a fresh window when the last has ended. */
export function windowAt(window: RateWindow | null, now: number): RateWindow | null {
  if (window === null || now < window.endsAt) return window;
  return { limit: window.limit, remaining: window.limit, reset: null, endsAt: now + WINDOW_MS };
}

/** Determines the bucket of a request. Contract: 8. */
export type Route =
  | {
      readonly kind:
        | 'list_jobs'
        | 'list_applications'
        | 'list_events'
        | 'read_application'
        | 'webhook_endpoint';
    }
  | { readonly kind: 'submit_application'; readonly jobId: string }
  /** A route that the client has no method for. */
  | { readonly kind: 'other'; readonly path: string };

export interface BucketQueue<Waiting> {
  readonly name: string;
  /** The bucket's current rate-limit window; null until a response describes it. */
  window: RateWindow | null;
  /** The requests that were sent from this queue and have not returned. */
  underWay: number;
  readonly queue: Waiting[];
  /** The company's queue that replaced this job's queue, or null. */
  mergedInto: BucketQueue<Waiting> | null;
}

export interface BucketQueues<Waiting> {
  queueOf(route: Route): BucketQueue<Waiting>;
  /** Merges the job's queue into the company's. */
  learn(jobId: string, companyId: string): void;
  /** Iterates the queues, least recently used first. Visits a queue again if `toBack` moves it meanwhile. */
  all(): Iterable<BucketQueue<Waiting>>;
  toBack(queue: BucketQueue<Waiting>): void;
  renewWindows(now: number): void;
  /** Removes each queue that has no requests waiting, under way or counted in its current window. */
  forgetIdle(): void;
}

/**
 * The number of jobs whose company the client remembers, to limit memory. If it has forgotten a job's company, the
 * next 429 for the job names the company.
 */
const REMEMBERED_JOBS = 10_000;

export function createBucketQueues<Waiting>(): BucketQueues<Waiting> {
  const queues = new Map<string, BucketQueue<Waiting>>();
  const companies = new Map<string, string>();

  function nameOf(route: Route): string {
    if (route.kind === 'other') return route.path;
    if (route.kind !== 'submit_application') return route.kind;
    const companyId = companies.get(route.jobId);
    return companyId === undefined ? jobQueue(route.jobId) : companyQueue(companyId);
  }

  function queueNamed(name: string): BucketQueue<Waiting> {
    const queue = queues.get(name) ?? { name, window: null, underWay: 0, queue: [], mergedInto: null };
    queues.set(name, queue);
    return queue;
  }

  function remember(jobId: string, companyId: string): void {
    companies.delete(jobId);
    companies.set(jobId, companyId);
    const [oldest] = companies.keys();
    if (companies.size > REMEMBERED_JOBS && oldest !== undefined) companies.delete(oldest);
  }

  return {
    queueOf: (route) => queueNamed(nameOf(route)),
    learn: (jobId, companyId) => {
      remember(jobId, companyId);
      const queue = queues.get(jobQueue(jobId));
      if (queue === undefined) return;
      queues.delete(queue.name);
      merge(queue, queueNamed(companyQueue(companyId)));
    },
    all: () => queues.values(),
    toBack: (queue) => {
      queues.delete(queue.name);
      queues.set(queue.name, queue);
    },
    renewWindows: (now) => {
      for (const queue of queues.values()) queue.window = windowAt(queue.window, now);
    },
    forgetIdle: () => {
      for (const { name, queue, underWay, window } of queues.values()) {
        const knowsNothing = window === null || window.remaining === window.limit;
        if (queue.length === 0 && underWay === 0 && knowsNothing) queues.delete(name);
      }
    },
  };
}

/** Returns the queue that counts the requests sent from `queue`: `queue` itself, or the one it was merged into. */
export function currentQueue<Waiting>(queue: BucketQueue<Waiting>): BucketQueue<Waiting> {
  return queue.mergedInto ?? queue;
}

function merge<Waiting>(from: BucketQueue<Waiting>, into: BucketQueue<Waiting>): void {
  into.queue.push(...from.queue.splice(0));
  into.underWay += from.underWay;
  into.window ??= from.window;
  from.mergedInto = into;
}

function jobQueue(jobId: string): string {
  return `job ${jobId}`;
}

function companyQueue(companyId: string): string {
  return `company ${companyId}`;
}
