import type { CompanyId, JobId } from '../domain/ids.js';
import type { Job, JobState } from '../domain/job.js';
import type { JobDetailsInput } from './jobs/job-details.js';

/** A job to publish. */
export interface NewJob extends JobDetailsInput {
  /** The host's own id: `job_`, then 1 to 120 of `A-Z a-z 0-9 _ -`; one is made if it is left out. */
  readonly id?: JobId;
  readonly companyId: CompanyId;
  /** `open` if it is left out. Keys with access then see the job at once. */
  readonly state?: JobState;
  /** Sourced by the company itself only; false if it is left out. */
  readonly internalOnly?: boolean;
}

/** New details of a job. What is left out stays; what is given is replaced as a whole. */
export interface JobUpdate {
  readonly id: JobId;
  readonly changes: Partial<JobDetailsInput>;
}

/** A job after a command, and whether the command changed it. */
export interface JobOutcome {
  readonly job: Job;
  readonly changed: boolean;
}

/** Names the job that a command is about. */
export interface JobTarget {
  readonly id: JobId;
}

/**
 * What jobs there are, and where they stand. Every command tells each key what changed for it, in the same
 * commit: its feed, and `job.opened` and `job.closed`. A command that asks for what already is changes nothing.
 *
 * All throw OperatorError `JOB_NOT_FOUND` for an unknown job.
 */
export interface JobCommands {
  /** @throws OperatorError `INVALID_INPUT`, `COMPANY_NOT_FOUND`, or `JOB_EXISTS` if the id is taken. */
  publish(job: NewJob): Promise<Job>;
  /** Publishes all of them in one commit, or none. Throws as `publish` does. */
  publishMany(jobs: readonly NewJob[]): Promise<readonly Job[]>;
  /** Keys that see the job find it updated; there is no event. @throws OperatorError `INVALID_INPUT`. */
  update(update: JobUpdate): Promise<JobOutcome>;
  /** Ends a job: `closed_by_customer`. @throws OperatorError `ILLEGAL_MOVE` for an archived one. */
  close(job: JobTarget): Promise<JobOutcome>;
  /** Ends all of them in one commit, or none. Throws as `close` does. */
  closeMany(jobs: readonly JobTarget[]): Promise<readonly JobOutcome[]>;
  /** @throws OperatorError `ILLEGAL_MOVE` for an archived job, which is un-archived instead. */
  reopen(job: JobTarget): Promise<JobOutcome>;
  /** Puts a job away, open or closed: `closed_by_customer`. */
  archive(job: JobTarget): Promise<JobOutcome>;
  /** Opens an archived job again. @throws OperatorError `ILLEGAL_MOVE` for a closed one. */
  unarchive(job: JobTarget): Promise<JobOutcome>;
  /** Takes a job from all partners: `internal_sourcing_only`. */
  markInternalOnly(job: JobTarget): Promise<JobOutcome>;
  /** Ends internal sourcing. */
  markPublic(job: JobTarget): Promise<JobOutcome>;
  /** The job, whatever its state, or null. */
  find(job: JobTarget): Promise<Job | null>;
  /**
   * A company's jobs, oldest first; only those in that state if one is given.
   *
   * @throws OperatorError `INVALID_INPUT`.
   */
  list(filter: { readonly companyId: CompanyId; readonly state?: JobState }): Promise<readonly Job[]>;
}
