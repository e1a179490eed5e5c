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

/** Spec: Resources, Job, `compensation`. */
export interface JobCompensation {
  readonly type: 'hourly';
  readonly min: number | null;
  readonly max: number | null;
  readonly currency: string;
}

/** Spec: Resources, Job, `headcount`. */
export interface JobHeadcount {
  readonly total: number | null;
  readonly filled: number;
}

/** The parts that the host may change. */
export interface JobDetails {
  readonly title: string;
  readonly location: JobLocation;
  readonly compensation: JobCompensation;
  readonly schedule: string | null;
  readonly headcount: JobHeadcount;
  readonly applicationFormSchema: readonly FormQuestion[] | null;
}

/** A job of the host. */
export interface Job extends JobDetails {
  readonly id: JobId;
  readonly companyId: CompanyId;
  readonly state: JobState;
  readonly internalOnly: boolean;
  readonly createdAt: Instant;
}

/** A job as a key sees it. `changedAt` is the stamp of the last change in this key's feed. */
export interface VisibleJob {
  readonly job: Job;
  readonly companyName: string;
  readonly changedAt: Instant;
}

/** A change of state. */
export type JobMove = 'close' | 'reopen' | 'archive' | 'unarchive';

/** A move to the current state is legal and changes nothing. */
export const JOB_MOVES: Readonly<
  Record<JobMove, { readonly from: readonly JobState[]; readonly to: JobState }>
> = {
  close: { from: ['open', 'closed'], to: 'closed' },
  reopen: { from: ['closed', 'open'], to: 'open' },
  archive: { from: ['open', 'closed', 'archived'], to: 'archived' },
  unarchive: { from: ['archived', 'open'], to: 'open' },
};

/** The result of a move. */
export type JobMoveDecision =
  | { readonly kind: 'moved'; readonly job: Job }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'illegal'; readonly from: JobState };

/** Decides a move by the table. */
export function decideJobMove(job: Job, move: JobMove): JobMoveDecision {
  const { from, to } = JOB_MOVES[move];
  if (!from.includes(job.state)) return { kind: 'illegal', from: job.state };
  return job.state === to ? { kind: 'unchanged' } : { kind: 'moved', job: { ...job, state: to } };
}
