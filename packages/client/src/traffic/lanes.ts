import type { Route } from '../route.js';
import { type RateWindow, windowAt } from './rate-window.js';

/** A bucket, as far as it is known, and the requests that wait for it. */
export interface Lane<Waiting> {
  readonly name: string;
  /** Null until an answer has told of it. */
  window: RateWindow | null;
  /** Requests that left by this lane and have not returned. */
  underWay: number;
  readonly queue: Waiting[];
  /** The company's lane that a job's turned out to be; null of one that stands for itself, as each company's does. */
  mergedInto: Lane<Waiting> | null;
}

/** The lanes of one client. */
export interface Lanes<Waiting> {
  /** The lane that a request waits in. */
  laneOf(route: Route): Lane<Waiting>;
  /** A job's company is known: what waits for the job waits for the company from now on. */
  learn(jobId: string, companyId: string): void;
  /** All lanes, the one whose turn it is first. One that is put to the back meanwhile comes once more. */
  inTurn(): Iterable<Lane<Waiting>>;
  /** Puts a lane behind all others. */
  toBack(lane: Lane<Waiting>): void;
  /** Begins the next window where one has ended. */
  renewWindows(now: number): void;
  /** Forgets each lane that nothing waits for or is under way in, and of which nothing is used up. */
  forgetIdle(): void;
}

/** How many jobs' companies are remembered; a forgotten one is learnt again with its first 429. */
const REMEMBERED_JOBS = 10_000;

/** No lanes yet. */
export function createLanes<Waiting>(): Lanes<Waiting> {
  const lanes = new Map<string, Lane<Waiting>>();
  const companies = new Map<string, string>();

  function nameOf(route: Route): string {
    if (route.kind !== 'submit_application') return route.kind;
    const companyId = companies.get(route.jobId);
    return companyId === undefined ? jobLane(route.jobId) : companyLane(companyId);
  }

  function laneNamed(name: string): Lane<Waiting> {
    const lane = lanes.get(name) ?? { name, window: null, underWay: 0, queue: [], mergedInto: null };
    lanes.set(name, lane);
    return lane;
  }

  function remember(jobId: string, companyId: string): void {
    companies.delete(jobId);
    companies.set(jobId, companyId);
    const [oldest] = companies.keys();
    if (companies.size > REMEMBERED_JOBS && oldest !== undefined) companies.delete(oldest);
  }

  return {
    laneOf: (route) => laneNamed(nameOf(route)),
    learn: (jobId, companyId) => {
      remember(jobId, companyId);
      const lane = lanes.get(jobLane(jobId));
      if (lane === undefined) return;
      lanes.delete(lane.name);
      merge(lane, laneNamed(companyLane(companyId)));
    },
    inTurn: () => lanes.values(),
    toBack: (lane) => {
      lanes.delete(lane.name);
      lanes.set(lane.name, lane);
    },
    renewWindows: (now) => {
      for (const lane of lanes.values()) lane.window = windowAt(lane.window, now);
    },
    forgetIdle: () => {
      for (const { name, queue, underWay, window } of lanes.values()) {
        const knowsNothing = window === null || window.remaining === window.limit;
        if (queue.length === 0 && underWay === 0 && knowsNothing) lanes.delete(name);
      }
    },
  };
}

/** The lane that now counts for what left by this one. */
export function standing<Waiting>(lane: Lane<Waiting>): Lane<Waiting> {
  return lane.mergedInto ?? lane;
}

function merge<Waiting>(from: Lane<Waiting>, into: Lane<Waiting>): void {
  into.queue.push(...from.queue.splice(0));
  into.underWay += from.underWay;
  into.window ??= from.window;
  from.mergedInto = into;
}

function jobLane(jobId: string): string {
  return `job ${jobId}`;
}

function companyLane(companyId: string): string {
  return `company ${companyId}`;
}
