import type { CompanyId, JobId } from '../../domain/ids.js';
import type { Job, JobState } from '../../domain/job.js';
import type { Operation } from '../../domain/operation.js';
import type { Page, PageOptions } from '../page-cursor.js';
import type { JobTimelineTarget } from '../timelines/job-timeline.js';
import type { JobTimeline } from '../timelines/timeline.js';
import type { JobOutcome, JobUpdate } from './change-job.js';
import type { JobVisibility } from './job-details.js';
import type { NewJob } from './publish-jobs.js';
import type { JobPut } from './put-jobs.js';

/** A job by id. */
export interface JobTarget {
  readonly id: JobId;
}

/** Selects jobs. */
export interface JobFilter extends PageOptions {
  /** Only jobs of this company; default: of all. */
  readonly companyId?: CompanyId | undefined;
  /** Only jobs in this state; default: all. */
  readonly state?: JobState | undefined;
}

/** Selects the jobs of a company to count. */
export interface JobCountFilter {
  readonly companyId: CompanyId;
  /** Only jobs in this state, internal ones too; default: all, archived ones too. */
  readonly state?: JobState | undefined;
}

/** A job with the name of its company. */
export interface ListedJob extends Job {
  readonly companyName: string;
}

/**
 * Manages jobs. Each command announces its changes in the same commit. A move to the state that the job
 * already has changes nothing.
 */
export interface JobCommands {
  /**
   * Publishes a job. Keys with access to the company see it immediately.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `JOB_EXISTS` if the id is taken.
   * @example
   * const job = await operator.jobs.publish({
   *   companyId,
   *   title: 'Forklift driver',
   *   location: { city: 'Austin', state: 'TX', country: 'US' },
   *   compensation: { min: 18, max: 22.5, currency: 'USD' },
   * });
   */
  publish(job: NewJob): Promise<Job>;
  /**
   * Publishes several jobs, all or none.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `JOB_EXISTS`.
   * @example
   * const location = { city: 'Austin', state: 'TX', country: 'US' };
   * const compensation = { min: 18, max: 22.5, currency: 'USD' };
   * const titles = ['Forklift driver', 'Picker'];
   * await operator.jobs.publishMany(titles.map((title) => ({ companyId, title, location, compensation })));
   */
  publishMany(jobs: readonly NewJob[]): Promise<readonly Job[]>;
  /**
   * Publishes up to 100,000 jobs as an operation: the worker publishes 100 at a time. It skips jobs whose id
   * exists already. Give each job an id if you want to find it later.
   * @throws OperatorError `COMPANY_NOT_FOUND`.
   * @example
   * const location = { city: 'Austin', state: 'TX', country: 'US' };
   * const compensation = { min: 18, max: 22.5, currency: 'USD' };
   * const titles = ['Forklift driver', 'Picker'];
   * const jobs = titles.map((title) => ({ companyId, title, location, compensation }));
   * const { id } = await operator.jobs.publishInSteps(jobs);
   */
  publishInSteps(jobs: readonly NewJob[]): Promise<Operation>;
  /**
   * Creates a job. If its id exists, updates the job, including its company and, if given, its state. Call it in the
   * transaction that changes your own row. `changed` is false if the job is already the same.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `JOB_EXISTS` if the id belongs to a job of the other environment.
   * @example
   * const { job, changed } = await operator.jobs.put({
   *   id: 'job_4711',
   *   companyId,
   *   title: 'Forklift driver',
   *   location: { city: 'Austin', state: 'TX', country: 'US' },
   *   compensation: { min: 18, max: 22.5, currency: 'USD' },
   * });
   */
  put(job: JobPut): Promise<JobOutcome>;
  /**
   * Creates or updates several jobs, all or none. Returns outcomes in the order of the input.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `JOB_EXISTS` if an id belongs to a job of the other environment.
   * @example
   * const location = { city: 'Austin', state: 'TX', country: 'US' };
   * const compensation = { min: 18, max: 22.5, currency: 'USD' };
   * const rows = [{ id: 'job_1', title: 'Picker' }, { id: 'job_2', title: 'Packer' }] as const;
   * await operator.jobs.putMany(rows.map(({ id, title }) => ({ id, title, companyId, location, compensation })));
   */
  putMany(jobs: readonly JobPut[]): Promise<readonly JobOutcome[]>;
  /**
   * Changes details of a job. A `companyId` moves the job to another company: keys that saw it only before the move get
   * `job.closed`, and keys that see it only after the move get `job.opened`. Other changes send no event.
   * @throws OperatorError `JOB_NOT_FOUND`; `COMPANY_NOT_FOUND`; `WORLD_MISMATCH` if the company belongs to the other
   *   environment.
   * @example
   * const { changed } = await operator.jobs.update({ id: jobId, changes: { title: 'Night-shift picker' } });
   */
  update(update: JobUpdate): Promise<JobOutcome>;
  /**
   * Closes a job. Keys that saw it get `job.closed` with `closed_by_customer`.
   * @throws OperatorError `JOB_NOT_FOUND`; `ILLEGAL_MOVE` for an archived job.
   * @example
   * const { changed } = await operator.jobs.close({ id: jobId });
   */
  close(job: JobTarget): Promise<JobOutcome>;
  /**
   * Closes several jobs, all or none. Returns outcomes in the order of the input.
   * @throws OperatorError `JOB_NOT_FOUND`; `ILLEGAL_MOVE`.
   * @example
   * const { items: jobs } = await operator.jobs.list({ companyId, state: 'open' });
   * await operator.jobs.closeMany(jobs.map(({ id }) => ({ id })));
   */
  closeMany(jobs: readonly JobTarget[]): Promise<readonly JobOutcome[]>;
  /**
   * Reopens several closed jobs, all or none. Returns outcomes in the order of the input.
   * @throws OperatorError `JOB_NOT_FOUND`; `ILLEGAL_MOVE`.
   * @example
   * const { items: jobs } = await operator.jobs.list({ companyId, state: 'closed' });
   * await operator.jobs.reopenMany(jobs.map(({ id }) => ({ id })));
   */
  reopenMany(jobs: readonly JobTarget[]): Promise<readonly JobOutcome[]>;
  /**
   * Archives several jobs, all or none. Returns outcomes in the order of the input.
   * @throws OperatorError `JOB_NOT_FOUND`.
   * @example
   * const { items: jobs } = await operator.jobs.list({ companyId, state: 'closed' });
   * await operator.jobs.archiveMany(jobs.map(({ id }) => ({ id })));
   */
  archiveMany(jobs: readonly JobTarget[]): Promise<readonly JobOutcome[]>;
  /**
   * Closes all open jobs of a company as an operation: the worker closes 100 at a time. Jobs that are published or
   * reopened after this command stay open. `operations.wait` returns when all are closed, and `counts.done` says how many.
   * @throws OperatorError `COMPANY_NOT_FOUND`.
   * @example
   * const { id, counts } = await operator.jobs.closeAll({ companyId });
   */
  closeAll(target: { readonly companyId: CompanyId }): Promise<Operation>;
  /**
   * Reopens a closed job.
   * @throws OperatorError `JOB_NOT_FOUND`; `ILLEGAL_MOVE` for an archived job: use `unarchive`.
   * @example
   * const { job } = await operator.jobs.reopen({ id: jobId });
   */
  reopen(job: JobTarget): Promise<JobOutcome>;
  /**
   * Archives an open or closed job. Keys that saw it get `job.closed` with `closed_by_customer`.
   * @throws OperatorError `JOB_NOT_FOUND`.
   * @example
   * await operator.jobs.archive({ id: jobId });
   */
  archive(job: JobTarget): Promise<JobOutcome>;
  /**
   * Reopens an archived job.
   * @throws OperatorError `JOB_NOT_FOUND`; `ILLEGAL_MOVE` for a closed job: use `reopen`.
   * @example
   * await operator.jobs.unarchive({ id: jobId });
   */
  unarchive(job: JobTarget): Promise<JobOutcome>;
  /**
   * Hides a job from all partners. Keys that saw it get `job.closed` with `internal_sourcing_only`.
   * @throws OperatorError `JOB_NOT_FOUND`.
   * @example
   * await operator.jobs.markInternalOnly({ id: jobId });
   */
  markInternalOnly(job: JobTarget): Promise<JobOutcome>;
  /**
   * Shows a job to partners again, if it is open.
   * @throws OperatorError `JOB_NOT_FOUND`.
   * @example
   * await operator.jobs.markPublic({ id: jobId });
   */
  markPublic(job: JobTarget): Promise<JobOutcome>;
  /**
   * Returns a job in any state, or null.
   * @example
   * const job = await operator.jobs.find({ id: jobId });
   */
  find(job: JobTarget): Promise<Job | null>;
  /**
   * Returns a page of the jobs of one company or of all, oldest first, 100 by default, in all states or in one `state`.
   * @example
   * const { items: jobs, nextCursor } = await operator.jobs.list({ companyId, state: 'open' });
   */
  list(filter?: JobFilter): Promise<Page<ListedJob>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { title } of operator.jobs.each({ companyId, state: 'open' })) console.log(title);
   */
  each(filter?: JobFilter): AsyncIterable<ListedJob>;
  /**
   * Counts the jobs of one company, in all states or in one.
   * @example
   * const open = await operator.jobs.count({ companyId, state: 'open' });
   */
  count(filter: JobCountFilter): Promise<number>;
  /**
   * Returns each key that sees the job or saw it, at most one for each partner. Keys that see it come before those that
   * saw it, and within each group, the latest change comes first. `since` is the time of the change in the partner's
   * list and of its event. The list is empty if no key ever saw the job.
   * @throws OperatorError `JOB_NOT_FOUND`.
   * @example
   * const keys = await operator.jobs.visibility({ id: jobId });
   * const seenBy = keys.filter(({ isVisible }) => isVisible).map(({ keyLabel }) => keyLabel);
   */
  visibility(job: JobTarget): Promise<readonly JobVisibility[]>;
  /**
   * Returns what happened to a job, oldest first: the acts of the host, and the submissions. With `keyId`, the
   * submissions are only those of that key. The timeline then also has the last event that told the key of the job, and
   * `news`: whether the partner knows if the job is open. See docs/timelines.md.
   * @throws OperatorError `JOB_NOT_FOUND`; `KEY_NOT_FOUND`.
   * @example
   * const { entries, news } = await operator.jobs.timeline({ id: jobId, keyId });
   * for (const { at, text } of entries) console.log(new Date(at).toISOString(), text);
   * console.log(news?.text);
   */
  timeline(target: JobTimelineTarget): Promise<JobTimeline>;
}
