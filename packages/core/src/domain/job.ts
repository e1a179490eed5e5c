import type { FormQuestion } from './application-form.js';
import type { CompanyId, JobId } from './ids.js';
import type { Instant } from './time.js';

/** Where a job's life stands for the host. Only `open` jobs take applications. */
export type JobState = 'open' | 'closed' | 'archived';

/** Spec: Resources, Job, `location`. */
export interface JobLocation {
  readonly city: string;
  readonly state: string;
  readonly country: string;
}

/** Spec: Resources, Job, `compensation`; `type` is always `hourly` in v1. */
export interface JobCompensation {
  readonly type: 'hourly';
  readonly min: number | null;
  readonly max: number | null;
  readonly currency: string;
}

/** Spec: Resources, Job, `headcount`: the host's own numbers. */
export interface JobHeadcount {
  /** Target hires; null if unset. */
  readonly total: number | null;
  readonly filled: number;
}

/** What an employer says about a job, and may change. */
export interface JobDetails {
  readonly title: string;
  readonly location: JobLocation;
  readonly compensation: JobCompensation;
  /** Employment type, e.g. `full_time`; null if not said. */
  readonly schedule: string | null;
  readonly headcount: JobHeadcount;
  /** The job's own questions; null if it has none. */
  readonly applicationFormSchema: readonly FormQuestion[] | null;
}

/** A job as the host knows it. */
export interface Job extends JobDetails {
  readonly id: JobId;
  readonly companyId: CompanyId;
  readonly state: JobState;
  /** Sourced by the company itself only: no partner sees it. */
  readonly internalOnly: boolean;
  readonly createdAt: Instant;
}

/** A job as one key sees it: with its company's name and the instant it last changed for that key. */
export interface VisibleJob {
  readonly job: Job;
  readonly companyName: string;
  readonly changedAt: Instant;
}

/** What the host may do to a job's state. */
export type JobMove = 'close' | 'reopen' | 'archive' | 'unarchive';

/**
 * The moves of a job's life. A move to the state that the job already has is legal and changes nothing;
 * a pair that is not in the table is illegal.
 */
export const JOB_MOVES: Readonly<
  Record<JobMove, { readonly from: readonly JobState[]; readonly to: JobState }>
> = {
  close: { from: ['open', 'closed'], to: 'closed' },
  reopen: { from: ['closed', 'open'], to: 'open' },
  archive: { from: ['open', 'closed', 'archived'], to: 'archived' },
  unarchive: { from: ['archived', 'open'], to: 'open' },
};

/** The outcome of asking for a move. */
export type JobMoveDecision =
  | { readonly kind: 'moved'; readonly job: Job }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'illegal'; readonly from: JobState };

/** Moves a job along its life, or says why not. */
export function decideJobMove(job: Job, move: JobMove): JobMoveDecision {
  const { from, to } = JOB_MOVES[move];
  if (!from.includes(job.state)) return { kind: 'illegal', from: job.state };
  return job.state === to ? { kind: 'unchanged' } : { kind: 'moved', job: { ...job, state: to } };
}
