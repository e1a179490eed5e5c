import type { JobId, JobOutcome, Operator } from '@partner-hiring/core';

type Moves = Pick<Operator['jobs'], 'close' | 'reopen' | 'archive' | 'setVisibility'>;

/** Every act on a job that changes who sees it. */
export const JOB_ACTS = {
  close: (jobs, id) => jobs.close({ id }),
  reopen: (jobs, id) => jobs.reopen({ id }),
  archive: (jobs, id) => jobs.archive({ id }),
  unarchive: (jobs, id) => jobs.reopen({ id, from: 'archived' }),
  hide: (jobs, id) => jobs.setVisibility({ id, visibility: 'internal_only' }),
  show: (jobs, id) => jobs.setVisibility({ id, visibility: 'public' }),
} as const satisfies Readonly<Record<string, (jobs: Moves, id: JobId) => Promise<JobOutcome>>>;

/** An act on a job. */
export type JobAct = keyof typeof JOB_ACTS;

/** The names of the acts. */
export const JOB_ACT_NAMES = Object.keys(JOB_ACTS) as readonly JobAct[];
