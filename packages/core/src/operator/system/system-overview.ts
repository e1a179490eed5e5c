import type { Runner } from '../scope.js';
import { type AttemptHour, countAttempts, groupByHour, type HourFilter, hoursOf } from './hours.js';
import { findStatus, type SystemStatus } from './system-status.js';

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

/** The state of the whole installation, and what happened in the last hours. */
export interface SystemOverview extends SystemStatus {
  /** Oldest first. The last hour is not over. */
  readonly hours: readonly OverviewHour[];
}

export async function findOverview(runner: Runner, filter: HourFilter): Promise<SystemOverview> {
  const { read } = runner;
  const hours = hoursOf(filter, await runner.now());
  const attempts = await countAttempts(runner, null, hours);
  const requests = groupByHour(
    await read.hourCounts.list({ kind: 'request', keyId: null, from: hours[0] ?? 0 }),
  );
  return {
    ...(await findStatus(runner)),
    hours: attempts.map((each) => ({
      ...each,
      requests: (requests.get(each.hour) ?? []).map(({ name, count }) => ({ status: Number(name), count })),
    })),
  };
}
