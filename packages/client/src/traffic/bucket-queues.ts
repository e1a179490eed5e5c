import type { Route } from '../route.js';
import { type RateWindow, windowAt } from './rate-window.js';

/** A bucket, as far as it is known, and the requests that wait for it. */
export interface BucketQueue<Waiting> {
  readonly name: string;
  /** Null until an answer has told of it. */
  window: RateWindow | null;
  /** Requests that left by this lane and have not returned. */
  underWay: number;
  readonly queue: Waiting[];
  /** The company's lane that a job's turned out to be; null of one that stands for itself, as each company's does. */
  mergedInto: BucketQueue<Waiting> | null;
}

/** The lanes of one client. */
export interface BucketQueues<Waiting> {
  /** The lane that a request waits in. */
  queueOf(route: Route): BucketQueue<Waiting>;
  /** A job's company is known: what waits for the job waits for the company from now on. */
  learn(jobId: string, companyId: string): void;
  /** All lanes, the one whose turn it is first. One that is put to the back meanwhile comes once more. */
  inTurn(): Iterable<BucketQueue<Waiting>>;
  /** Puts a lane behind all others. */
  toBack(queue: BucketQueue<Waiting>): void;
  /** Begins the next window where one has ended. */
  renewWindows(now: number): void;
  /** Forgets each lane that nothing waits for or is under way in, and of which nothing is used up. */
  forgetIdle(): void;
}

/** How many jobs' companies are remembered; a forgotten one is learnt again with its first 429. */
const REMEMBERED_JOBS = 10_000;

/** No lanes yet. */
export function createBucketQueues<Waiting>(): BucketQueues<Waiting> {
  const queues = new Map<string, BucketQueue<Waiting>>();
  const companies = new Map<string, string>();

  function nameOf(route: Route): string {
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
    inTurn: () => queues.values(),
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

/** The lane that now counts for what left by this one. */
export function standing<Waiting>(queue: BucketQueue<Waiting>): BucketQueue<Waiting> {
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
