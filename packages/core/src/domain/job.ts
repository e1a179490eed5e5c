import type { FormQuestion } from './application-form.js';
import type { CompanyId, JobId, OperationId } from './ids.js';
import type { Instant } from './time.js';

/** The most characters of a name that the host gives, such as a title, a company's name or a question's label. */
export const NAME_MAX_LENGTH = 500;
/** The most characters of a city, a state or a country. */
export const PLACE_MAX_LENGTH = 200;
/** The most characters of a job's schedule. */
export const SCHEDULE_MAX_LENGTH = 100;

/** Only an `open` job takes applications. */
export type JobState = 'open' | 'closed' | 'archived';

/** The parts that the host may change. */
export interface JobDetails {
  readonly title: string;
  readonly location: {
    readonly city: string;
    readonly state: string;
    /** ISO 3166-1 alpha-2 if the library knows the country. Otherwise the text as the host gave it. Decision 247. */
    readonly country: string;
  };
  /** Whether `location.country` is no known country, so that phone numbers need a country code. */
  readonly unknownCountry: boolean;
  readonly compensation: {
    readonly type: 'hourly';
    readonly min: number | null;
    readonly max: number | null;
    readonly currency: string;
  };
  readonly schedule: string | null;
  readonly headcount: {
    readonly total: number | null;
    readonly filled: number;
  };
  readonly applicationFormSchema: readonly FormQuestion[] | null;
}

/** A job of the host. */
export interface Job extends JobDetails {
  readonly id: JobId;
  readonly companyId: CompanyId;
  readonly state: JobState;
  readonly internalOnly: boolean;
  readonly createdAt: Instant;
  /** When a command or a sync last changed the job. */
  readonly updatedAt: Instant;
  /** The run of `jobs.syncs.run` that changed the job last, or first read it. Null if no sync keeps the job in step. */
  readonly syncedIn: OperationId | null;
  /** The source's version that the last sync read. Null without a version, and after a change by another command. */
  readonly sourceVersion: string | null;
}

/** A text that some open jobs have as their country, but that names no known country. */
export interface UnknownCountry {
  readonly country: string;
  /** The number of open jobs. */
  readonly jobs: number;
}

/** The details that partners read. */
type VisibleDetail =
  | 'title'
  | 'location'
  | 'compensation'
  | 'schedule'
  | 'headcount'
  | 'applicationFormSchema';

/** A job as a key sees it. `changedAt` is the stamp of the last change in this key's feed. */
export interface VisibleJob {
  readonly job: Pick<Job, VisibleDetail | 'id' | 'companyId' | 'createdAt'>;
  readonly companyName: string;
  readonly changedAt: Instant;
}

/** Returns a job that a command has changed. The next sync compares it with its source. */
export function touchJob(job: Job, updatedAt: Instant): Job {
  return { ...job, updatedAt, sourceVersion: null };
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

/** A job without its details. */
export type JobOutline = Pick<
  Job,
  'id' | 'companyId' | 'state' | 'createdAt' | 'updatedAt' | 'syncedIn' | 'sourceVersion'
>;
