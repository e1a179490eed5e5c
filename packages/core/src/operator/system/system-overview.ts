import type { BacklogCounts } from '../../domain/backlog.js';
import type { Instant } from '../../domain/time.js';
import type { InboxStatus } from '../inbox.js';
import type { Runner } from '../scope.js';
import { countSystemBacklog, type EndpointSummary } from './count-backlog.js';
import { type AttemptHour, countAttempts, groupByHour, type HourFilter, hoursOf } from './hours.js';

/** How many requests were answered with a status. */
export interface StatusCount {
  readonly status: number;
  readonly count: number;
}

/** What happened in one hour. */
export interface OverviewHour extends AttemptHour {
  /** By status. Empty without the option `requestLog`. */
  readonly requests: readonly StatusCount[];
}

/** What happened in the last hours, and what waits now. */
export interface SystemOverview {
  /** When it was counted. */
  readonly at: Instant;
  /** Oldest first. The last hour is not over. */
  readonly hours: readonly OverviewHour[];
  readonly endpoints: EndpointSummary;
  /** `isExact` is false if counting stopped at 20,000 events of one kind, or at an endpoint's share of them. */
  readonly backlog: BacklogCounts;
  readonly inbox: InboxStatus;
}

export async function findOverview(runner: Runner, filter: HourFilter): Promise<SystemOverview> {
  const { read } = runner;
  const at = await runner.now();
  const hours = hoursOf('system.overview', filter, at);
  const attempts = await countAttempts(runner, null, hours);
  const requests = groupByHour(
    await read.hourCounts.list({ kind: 'request', keyId: null, from: hours[0] ?? 0 }),
  );
  const { endpoints, backlog } = await countSystemBacklog(runner, at);
  return {
    at,
    hours: attempts.map((each) => ({
      ...each,
      requests: (requests.get(each.hour) ?? []).map(({ name, count }) => ({ status: Number(name), count })),
    })),
    endpoints,
    backlog,
    inbox: { isOn: await read.inbox.isOn(), ...(await read.inbox.counts()) },
  };
}
