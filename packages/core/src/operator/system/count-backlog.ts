import { type BacklogCounts, countBacklog, sumBacklogs } from '../../domain/backlog.js';
import type { Instant } from '../../domain/time.js';
import type { Runner } from '../scope.js';

/** How many endpoints there are in each state, and how much waits for all of them. */
export interface EndpointSummary {
  readonly active: number;
  readonly paused: number;
  /** The last attempt failed. Also paused ones. Counting stops at 1,000. */
  readonly failing: number;
  /** A worker sends to them now. */
  readonly leased: number;
}

export interface SystemBacklog {
  readonly endpoints: EndpointSummary;
  readonly backlog: BacklogCounts;
}

/** The most events of each kind to count, over all endpoints. Counting them takes some tens of milliseconds. */
const MOST_COUNTED = 20_000;

/** No endpoint needs a larger number to be understood. */
const MOST_OF_ENDPOINT = 10_000;

const FAILING_BOUND = 1_000;

/**
 * Counts what waits, in two steps: the first finds the endpoints that may have a backlog, the second shares the bound
 * among them. So the cost does not grow with the backlog.
 */
export async function countSystemBacklog({ read, settings }: Runner, now: Instant): Promise<SystemBacklog> {
  const all = await read.endpoints.states();
  const keyIds = all.filter(({ mayWait }) => mayWait).map(({ keyId }) => keyId);
  const share = Math.floor(MOST_COUNTED / Math.max(1, keyIds.length));
  const bound = Math.max(1, Math.min(MOST_OF_ENDPOINT, share));
  const rules = { now, bound, maxInFlight: settings.maxInFlightPerEndpoint };
  const backlogs = await read.endpoints.backlogsOf(keyIds, now, bound);
  const paused = all.filter(({ state }) => state === 'paused').length;
  return {
    endpoints: {
      active: all.length - paused,
      paused,
      failing: await read.endpoints.countFailing(FAILING_BOUND),
      leased: all.filter(({ isHeld }) => isHeld).length,
    },
    backlog: sumBacklogs(
      backlogs.map((backlog) => countBacklog(backlog, rules)),
      now,
    ),
  };
}
