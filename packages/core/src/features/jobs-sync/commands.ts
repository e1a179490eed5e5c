import type { CompanyId, JobId, OperationId } from '../../domain/ids.js';
import type { JobState, UnknownCountry } from '../../domain/job.js';
import type { Operation } from '../../domain/operation.js';
import type { RefusedRow } from '../../domain/source-row.js';
import type { MissingJobs, SyncCounts } from '../../domain/sync-counts.js';
import type { JobSource } from '../../groups/jobs/source-job.js';
import type { Page, PageOptions } from '../../operator/page-cursor.js';
import type { JobSyncState } from './rules.js';

/** How a sync treats what it reads. */
export interface JobSyncOptions {
  /** How to treat jobs that the source no longer has; default: `close`. */
  readonly missing?: MissingJobs | undefined;
  /**
   * The largest share of the open jobs that one run may close or archive because they are missing, from 0 to 1;
   * default: 0.2. Up to 20 jobs are always allowed, unless the source has no usable row, or a row without an id.
   */
  readonly missingShareAtMost?: number | undefined;
  /**
   * Whether to take over the other open jobs of the companies in the source; default: false. Those that the source
   * lacks then count as missing.
   */
  readonly adopt?: boolean | undefined;
  /** Whether to only count, and write nothing; default: false. */
  readonly dryRun?: boolean | undefined;
  /** Stops the run, and `run` throws the signal's reason; default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a run. */
export interface JobSyncResult extends Omit<SyncCounts, 'refused'> {
  /** The run, as an operation; null with `dryRun`. */
  readonly operationId: OperationId | null;
  /**
   * `held`: too many jobs were missing, so none of them was closed. See `JobSyncRequest`. `stopped` or `failed`: another
   * caller or process ended the run.
   */
  readonly state: Operation['state'];
  /** Why the run was held; null if it was not. */
  readonly heldReason: string | null;
  /** How many rows were refused. */
  readonly refusedCount: number;
  /** The first 1,000 refused rows. */
  readonly refused: readonly RefusedRow[];
  /** The unknown countries of open jobs after the run, at most 20. */
  readonly unknownCountries: readonly UnknownCountry[];
}

/** The last run of a sync, and when a worker begins the next one. */
export interface LastJobSync extends Omit<JobSyncState, 'operationId'> {
  /** The last run; null before the first one. */
  readonly operation: Operation | null;
  /** The first refused rows of the last run, 1,000 unless `refusedLimit` says fewer. */
  readonly refused: readonly RefusedRow[];
}

/** Selects a part of the last run. */
export interface LastJobSyncOptions {
  /** How many refused rows to return, from 0 to 1,000; default: 1,000. */
  readonly refusedLimit?: number | undefined;
}

/** Options of a request for a run. */
export interface JobSyncRequest {
  /** The last run, which was held: the next run may close as many missing jobs; default: it may not. */
  readonly applyHeld?: OperationId | undefined;
}

/** The state of the syncs after a command. */
export interface JobSyncOutcome {
  /** False if nothing had to change. */
  readonly changed: boolean;
}

/** Keeps jobs in step with the platform's own table. */
export interface JobSyncCommands {
  /**
   * Returns the last run of a sync with its counts and at most 1,000 refused rows, and when a worker begins the next
   * one. The `lastError` of a held run says why it was held.
   * @example
   * const { operation, refused } = await operator.jobs.syncs.last();
   * console.log(operation?.state, operation?.sync?.closed, refused.length);
   */
  last(options?: LastJobSyncOptions): Promise<LastJobSync>;
  /**
   * Asks the worker to begin its next run of the option `jobs` now. `changed` is false if it is already due. With
   * `applyHeld`, also allows that run to close as many missing jobs as the held run has kept open, even if it is the host
   * that calls `run`; `changed` is false if it may already. The permission ends with the next run that reads its source
   * to the end.
   * @throws OperatorError `SYNC_NOT_FOUND` without `applyHeld`, if no worker has that option; with it,
   *   `OPERATION_NOT_FOUND`, or `ILLEGAL_MOVE` if the operation is not the last run, or was not held.
   * @example
   * const { changed } = await operator.jobs.syncs.request();
   * const { operation } = await operator.jobs.syncs.last();
   * if (operation?.state === 'held') await operator.jobs.syncs.request({ applyHeld: operation.id });
   */
  request(options?: JobSyncRequest): Promise<JobSyncOutcome>;
}

/** Selects jobs that a held sync has kept open. */
export interface HeldJobFilter extends PageOptions {
  /** Only jobs that this company had when they were held; default: of all companies. */
  readonly companyId?: CompanyId | undefined;
}

/** A job that the last held sync has kept open, as it is now. */
export interface ListedHeldJob {
  readonly jobId: JobId;
  readonly jobTitle: string;
  /** The company that it had when it was held. */
  readonly companyId: CompanyId;
  readonly companyName: string;
  /** Not `open` if somebody has closed or archived it since; null if its row is gone. */
  readonly state: JobState | null;
}

/** Lists what a held sync would close. */
export interface HeldJobCommands {
  /**
   * Returns a page of the jobs that a held sync has kept open, in the order of their companies, 100 by default. They are
   * those of the last such run. The next sync closes or archives them if `jobs.syncs.request` allows it, unless its source has them again.
   * @example
   * const { items: held } = await operator.jobs.listHeld({ limit: 20 });
   * const would = held.map(({ companyName, jobTitle }) => `${companyName}: ${jobTitle}`);
   */
  listHeld(filter?: HeldJobFilter): Promise<Page<ListedHeldJob>>;
  /**
   * Iterates over the rows of `listHeld` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { jobId, companyName } of operator.jobs.eachHeld()) console.log(companyName, jobId);
   */
  eachHeld(filter?: HeldJobFilter): AsyncIterable<ListedHeldJob>;
}

/** Reads a source. `operator.within` does not offer this, because a run has many commits. */
export interface JobSyncer {
  /**
   * Brings the production jobs in step with a source: creates, updates and reopens its jobs, and by default closes
   * those that it no longer has, if they are at most 20% of the open ones or 20 jobs. Also creates and renames
   * companies that rows name. Only jobs that an earlier run has read can be missing, unless `adopt` is true. The run is
   * an operation that can be stopped. It runs in this process, and commits after each chunk. Over all processes, only
   * one run is possible at a time. A refused row does not stop the others. Jobs that another command changes meanwhile
   * are left to the next run.
   * @throws OperatorError `SYNC_RUNNING` if another run is going on, in any process; the error of the source if it
   *   fails, after which no missing job is closed; the reason of `signal`.
   * @example
   * const rows = [{ id: 'job_4711', title: 'Forklift driver' }] as const;
   * const location = { city: 'Austin', state: 'TX', country: 'US' };
   * const compensation = { min: 18, max: 22.5, currency: 'USD' };
   * const company = { id: 'co_7', name: 'Depot' } as const;
   * const source = rows.map(({ id, title }) => ({ id, title, company, location, compensation }));
   * const { added, closed, refused } = await operator.jobs.syncs.run(source, { missing: 'close' });
   */
  run(source: JobSource, options?: JobSyncOptions): Promise<JobSyncResult>;
}
