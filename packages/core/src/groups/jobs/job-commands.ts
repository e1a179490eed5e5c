import type { CompanyId } from '../../domain/ids.js';
import type { Job, JobState } from '../../domain/job.js';
import type { Operation } from '../../domain/operation.js';
import type { ForEach, OneOrMany } from '../../operator/command/one-or-many.js';
import type { Page, PageOptions } from '../../operator/page-cursor.js';
import type { JobOutcome, JobReopening, JobTarget, JobUpdate, JobVisibilityChange } from './change-job.js';
import type { FoundJob } from './find-job.js';
import type { NewJob } from './publish-jobs.js';
import type { JobPut } from './put-jobs.js';

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
   * Publishes a job, or a list of any length all or none, in one transaction; returns one job for each, in the same
   * order. Keys with access to the company see it immediately. For thousands of jobs, use `publishInSteps`.
   * @throws OperatorError `COMPANY_NOT_FOUND`; `JOB_EXISTS` if an id is taken.
   * @example
   * const location = { city: 'Austin', state: 'TX', country: 'US' };
   * const compensation = { min: 18, max: 22.5, currency: 'USD' };
   * const job = await operator.jobs.publish({ companyId, title: 'Forklift driver', location, compensation });
   * const titles = ['Picker', 'Packer'];
   * await operator.jobs.publish(titles.map((title) => ({ companyId, title, location, compensation })));
   */
  publish<Given extends OneOrMany<NewJob>>(jobs: Given): Promise<ForEach<Given, Job>>;
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
   * Creates a job, or updates it if its id exists; of a list of any length, all or none, in one transaction, with one
   * outcome for each, in the same order. An update sets every detail, also the company and, if given, the state. A job
   * may be a row of a sync: `company` is created if it does not exist, and renamed. Call it in the transaction that
   * changes your own row. `changed` is false if the job is already the same.
   * @throws OperatorError `COMPANY_NOT_FOUND` if `companyId` does not exist; `JOB_EXISTS` if an id belongs to a job of
   *   the other environment; `INVALID_INPUT` names each invalid field with its place in the list, from 0, such as
   *   `jobs[3].title`, and then no job is put.
   * @example
   * const { job, changed } = await operator.jobs.put({
   *   id: 'job_4711',
   *   companyId,
   *   title: 'Forklift driver',
   *   location: { city: 'Austin', state: 'TX', country: 'US' },
   *   compensation: { min: 18, max: 22.5, currency: 'USD' },
   * });
   */
  put<Given extends OneOrMany<JobPut>>(jobs: Given): Promise<ForEach<Given, JobOutcome>>;
  /**
   * Changes details of a job. A `companyId` moves the job to another company: keys that saw it only before the move get
   * `job.closed`, and keys that see it only after the move get `job.opened`. Other changes send no event.
   * @throws OperatorError `JOB_NOT_FOUND`; `COMPANY_NOT_FOUND`; `ENVIRONMENT_MISMATCH` if the company belongs to the
   *   other environment.
   * @example
   * const { changed } = await operator.jobs.update({ id: jobId, changes: { title: 'Night-shift picker' } });
   */
  update(update: JobUpdate): Promise<JobOutcome>;
  /**
   * Closes a job, or a list of any length all or none, in one transaction; returns one outcome for each, in the same
   * order. Keys that saw it get `job.closed` with `closed_by_customer`.
   * @throws OperatorError `JOB_NOT_FOUND`; `ILLEGAL_MOVE` for an archived job.
   * @example
   * const { changed } = await operator.jobs.close({ id: jobId });
   * const { items: jobs } = await operator.jobs.list({ companyId, state: 'open' });
   * await operator.jobs.close(jobs.map(({ id }) => ({ id })));
   */
  close<Given extends OneOrMany<JobTarget>>(jobs: Given): Promise<ForEach<Given, JobOutcome>>;
  /**
   * Closes all open jobs of a company as an operation: the worker closes 100 at a time. Jobs that are published or
   * reopened after this command stay open. `operations.wait` returns when all are closed, and `counts.done` says how many.
   * @throws OperatorError `COMPANY_NOT_FOUND`.
   * @example
   * const { id, counts } = await operator.jobs.closeAll({ companyId });
   */
  closeAll(target: { readonly companyId: CompanyId }): Promise<Operation>;
  /**
   * Reopens a closed job, or with `from: 'archived'` an archived one, or a list of any length all or none, in one
   * transaction; returns one outcome for each, in the same order.
   * @throws OperatorError `JOB_NOT_FOUND`; `ILLEGAL_MOVE` if the job is neither open nor in the state `from`, by
   *   default `closed`.
   * @example
   * const { job } = await operator.jobs.reopen({ id: jobId });
   * await operator.jobs.reopen({ id: jobId, from: 'archived' });
   */
  reopen<Given extends OneOrMany<JobReopening>>(jobs: Given): Promise<ForEach<Given, JobOutcome>>;
  /**
   * Archives an open or closed job, or a list of any length all or none, in one transaction; returns one outcome for
   * each, in the same order. Keys that saw it get `job.closed` with `closed_by_customer`.
   * @throws OperatorError `JOB_NOT_FOUND`.
   * @example
   * await operator.jobs.archive({ id: jobId });
   */
  archive<Given extends OneOrMany<JobTarget>>(jobs: Given): Promise<ForEach<Given, JobOutcome>>;
  /**
   * Hides a job from all partners, or shows it to them again, and keeps its state; of a list of any length, all or
   * none, in one transaction, with one outcome for each, in the same order. Keys that saw a job get `job.closed` with
   * `internal_sourcing_only`. Keys that see it again, because it is open, get `job.opened`.
   * @throws OperatorError `JOB_NOT_FOUND`.
   * @example
   * await operator.jobs.setVisibility({ id: jobId, visibility: 'internal_only' });
   */
  setVisibility<Given extends OneOrMany<JobVisibilityChange>>(
    jobs: Given,
  ): Promise<ForEach<Given, JobOutcome>>;
  /**
   * Returns a job in any state with the keys that see it or saw it, or null.
   * @example
   * const job = await operator.jobs.find({ id: jobId });
   * const seenBy = job?.visibility.filter(({ isVisible }) => isVisible).map(({ keyLabel }) => keyLabel);
   */
  find(job: JobTarget): Promise<FoundJob | null>;
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
}
