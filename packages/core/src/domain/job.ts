import type { FormQuestion } from './application-form.js';
import type { CompanyId, JobId } from './ids.js';
import type { Instant } from './time.js';

/** Only an `open` job takes applications. */
export type JobState = 'open' | 'closed' | 'archived';

/** Spec: Resources, Job, `location`. */
export interface JobLocation {
  readonly city: string;
  readonly state: string;
  readonly country: string;
}

/** Spec: Resources, Job, `compensation`. `type` is always `hourly` in v1. */
export interface JobCompensation {
  readonly type: 'hourly';
  readonly min: number | null;
  readonly max: number | null;
  readonly currency: string;
}

/** Spec: Resources, Job, `headcount`. */
export interface JobHeadcount {
  /** Wanted hires, or null. */
  readonly total: number | null;
  readonly filled: number;
}

/** The parts of a job that the host may change. */
export interface JobDetails {
  readonly title: string;
  readonly location: JobLocation;
  readonly compensation: JobCompensation;
  /** Employment type, e.g. `full_time`, or null. */
  readonly schedule: string | null;
  readonly headcount: JobHeadcount;
  /** The job's own questions, or null. */
  readonly applicationFormSchema: readonly FormQuestion[] | null;
}

export interface Job extends JobDetails {
  readonly id: JobId;
  readonly companyId: CompanyId;
  readonly state: JobState;
  /** Sourced only by the company itself, and hidden from partners. */
  readonly internalOnly: boolean;
  readonly createdAt: Instant;
}

/** A job as a key sees it. `changedAt` is the key's own stamp. */
export interface VisibleJob {
  readonly job: Job;
  readonly companyName: string;
  readonly changedAt: Instant;
}

export type JobMove = 'close' | 'reopen' | 'archive' | 'unarchive';

/** The legal moves. A move to the current state is legal and changes nothing. */
export const JOB_MOVES: Readonly<
  Record<JobMove, { readonly from: readonly JobState[]; readonly to: JobState }>
> = {
  close: { from: ['open', 'closed'], to: 'closed' },
  reopen: { from: ['closed', 'open'], to: 'open' },
  archive: { from: ['open', 'closed', 'archived'], to: 'archived' },
  unarchive: { from: ['archived', 'open'], to: 'open' },
};

export type JobMoveDecision =
  | { readonly kind: 'moved'; readonly job: Job }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'illegal'; readonly from: JobState };

export function decideJobMove(job: Job, move: JobMove): JobMoveDecision {
  const { from, to } = JOB_MOVES[move];
  if (!from.includes(job.state)) return { kind: 'illegal', from: job.state };
  return job.state === to ? { kind: 'unchanged' } : { kind: 'moved', job: { ...job, state: to } };
}
