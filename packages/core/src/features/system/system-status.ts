import { countBacklog, type DeliveryTotals, sumBacklogs } from '../../domain/backlog.js';
import { MOST_COUNTRIES } from '../../domain/countries.js';
import { HOUR_COUNTS_KEPT_MS } from '../../domain/hour-count.js';
import type { UnknownCountry } from '../../domain/job.js';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../domain/time.js';
import { isWorkerAlive, MOST_WORKERS, type WorkerInstance } from '../../domain/worker-instance.js';
import { countHours, type SystemHour } from '../../groups/deliveries/count-hours.js';
import { LIST_LIMIT } from '../../operator/command/fields.js';
import { type DeploymentReport, findDeployment } from '../../operator/find-deployment.js';
import type { Runner } from '../../operator/scope.js';
import type { StorageFacts } from '../../ports/repositories/system.js';
import { type InboxStatus, readInboxStatus } from '../inbox/inbox-switch.js';
import { readSealing, type SealingReport } from './secret-commands.js';

/** How many endpoints there are in each state, and how much waits for all of them. */
export interface EndpointSummary {
  readonly active: number;
  readonly paused: number;
  /** Endpoints whose last attempt failed, even paused ones. Counting stops at 1,000. */
  readonly failing: number;
  /** Endpoints that are sent to slowly, with a gap between attempts. Counting stops at 1,000. */
  readonly slowed: number;
  /** Endpoints to which a worker sends now. */
  readonly leased: number;
}

export interface WaitingTotals {
  readonly endpoints: EndpointSummary;
  /** `isExact` is false if counting stopped at 20,000 events of one kind, or at an endpoint's share of them. */
  readonly deliveries: DeliveryTotals;
}

/**
 * The maximum number of events of each kind to count, over all endpoints. Counting them takes some tens of
 * milliseconds.
 */
const MOST_COUNTED = 20_000;

/** The limit for one endpoint. A larger number would not say more about it. */
const MOST_OF_ENDPOINT = 10_000;

const FAILING_BOUND = 1_000;

/**
 * Counts what waits, in two steps, so that the cost does not grow with the backlog. The first step finds the endpoints
 * that may have a backlog. The second one shares the limit of the count among them.
 */
export async function countWaitingTotals({ read, settings }: Runner, now: Instant): Promise<WaitingTotals> {
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
      slowed: await read.endpoints.countSlowed(FAILING_BOUND),
      leased: all.filter(({ isHeld }) => isHeld).length,
    },
    deliveries: sumBacklogs(
      backlogs.map((backlog) => countBacklog(backlog, rules)),
      now,
    ),
  };
}

/** A worker, and whether it still runs. */
export interface SeenWorker extends WorkerInstance {
  /**
   * Whether the worker was seen in the last 90 seconds, or sleeps until a time that it announced. A killed worker is
   * listed for a day.
   */
  readonly isAlive: boolean;
}

/** The waiting work that no list shows. */
export interface WaitingWork {
  /** When the oldest alert was raised that the host has not accepted; null if none waits. */
  readonly oldestAlertAt: Instant | null;
  /** Since when the oldest download of a résumé is due; null if none is due. */
  readonly oldestDownloadAt: Instant | null;
  /** Résumés of erased candidates that the sink still stores. Counting stops at 10,000. */
  readonly removals: number;
  /** When the first of these candidates was erased; null if no removal waits. */
  readonly oldestRemovalAt: Instant | null;
  /**
   * Since when a worker should have deleted an expired row; null if it has deleted all, of idempotency keys and rate
   * limits.
   */
  readonly oldestExpiredAt: Instant | null;
}

/** A window of the rate limits is deleted when the next one has ended, which takes up to three minutes. */
const WINDOW_KEPT_MS = 3 * MINUTE_MS;

async function findWaiting({ read }: Runner, now: Instant): Promise<WaitingWork> {
  const { alertAt, downloadAt, idempotencyKeyAt, rateWindowAt } = await read.work.findFirstWaiting();
  const { waiting, oldestErasedAt } = await read.resumeRemovals.counts();
  const windowAt = rateWindowAt === null ? null : rateWindowAt + WINDOW_KEPT_MS;
  const past = (at: Instant | null) => (at !== null && at <= now ? at : null);
  const expired = [past(idempotencyKeyAt), past(windowAt)].filter((at) => at !== null);
  return {
    oldestAlertAt: past(alertAt),
    oldestDownloadAt: past(downloadAt),
    removals: waiting,
    oldestRemovalAt: oldestErasedAt,
    oldestExpiredAt: expired.length === 0 ? null : Math.min(...expired),
  };
}

/** The most hours that `status` counts: counts are kept for seven days. */
export const MOST_HOURS = HOUR_COUNTS_KEPT_MS / HOUR_MS;

/** Parts of the status that cost more, and are null unless they are asked for. */
export interface StatusOptions {
  /** How many hours to count, 1 to 168, of which the last one is not over; default: none. */
  readonly hours?: number | undefined;
  /** Whether to count the signing secrets of all endpoints by their sealing key; default: false. */
  readonly sealing?: boolean | undefined;
}

/** The state of the whole installation. */
export interface SystemStatus extends WaitingTotals {
  /** When it was read, by the storage's clock. */
  readonly at: Instant;
  /** The version of `@partner-hiring/core` in this process. */
  readonly release: string;
  readonly storage: StorageFacts;
  readonly deployment: DeploymentReport;
  /** Whether this process has the option `sandbox`. */
  readonly isSandbox: boolean;
  /** The 100 workers that were seen last, the latest one first. Stopped workers are not listed. */
  readonly workers: readonly SeenWorker[];
  /** When a worker last deleted expired rows; null if no listed worker did. */
  readonly lastSweepAt: Instant | null;
  readonly inbox: InboxStatus;
  /** Operations that are not done. Counting stops at 1,000. */
  readonly runningOperations: number;
  readonly waiting: WaitingWork;
  /** The unknown countries of open jobs, at most 20. Phone numbers for these jobs need a country code. */
  readonly unknownCountries: readonly UnknownCountry[];
  /**
   * The counts of the last hours, oldest first. Null without the option `hours`. A process that is killed loses up to
   * one second of counted requests and 30 seconds of counted attempts.
   */
  readonly hours: readonly SystemHour[] | null;
  /** Which keys encrypt the signing secrets; null unless `sealing` is asked for. */
  readonly sealing: SealingReport | null;
}

export async function findStatus(
  runner: Runner,
  { hours, sealing = false }: StatusOptions,
): Promise<SystemStatus> {
  const { read, settings } = runner;
  const at = await runner.now();
  const workers = await read.workers.list(MOST_WORKERS);
  const sweeps = workers.flatMap(({ lastSweepAt }) => lastSweepAt ?? []);
  const running = await read.operations.list({ state: 'running', limit: LIST_LIMIT.max });
  return {
    at,
    release: settings.release,
    storage: await read.facts.find(),
    deployment: await findDeployment(read, settings),
    isSandbox: settings.sandbox,
    workers: workers.map((worker) => ({ ...worker, isAlive: isWorkerAlive(worker, at) })),
    lastSweepAt: sweeps.length === 0 ? null : Math.max(...sweeps),
    ...(await countWaitingTotals(runner, at)),
    inbox: await readInboxStatus(read),
    runningOperations: running.length,
    waiting: await findWaiting(runner, at),
    unknownCountries: await read.jobs.listUnknownCountries(MOST_COUNTRIES),
    hours: hours === undefined ? null : await countHours(runner, hours, at),
    sealing: sealing ? await readSealing(runner, at) : null,
  };
}
