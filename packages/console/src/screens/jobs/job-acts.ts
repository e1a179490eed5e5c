import type { Job } from '@partner-hiring/core';
import type { DoneName } from '../../http/notices.js';
import type { ConsoleRight } from '../../rights.js';

/** An act on a job. */
export interface JobAct {
  /** The last part of its address. */
  readonly path: 'close' | 'reopen' | 'archive' | 'unarchive' | 'hide' | 'show';
  readonly command:
    | 'jobs.close'
    | 'jobs.reopen'
    | 'jobs.archive'
    | 'jobs.unarchive'
    | 'jobs.markInternalOnly'
    | 'jobs.markPublic';
  readonly right: ConsoleRight;
  readonly label: string;
  readonly tone: 'secondary' | 'danger';
  /** What will happen. */
  readonly text: string;
  /** What the next page says. */
  readonly done: DoneName;
  readonly isPossible: (job: Job) => boolean;
}

/** Every act on a job. */
export const JOB_ACTS: readonly JobAct[] = [
  {
    path: 'close',
    command: 'jobs.close',
    right: 'jobs:move',
    label: 'Close the job',
    tone: 'secondary',
    text: 'The job takes no more applications. Each key that sees it gets the event job.closed. You can reopen it.',
    done: 'job-close',
    isPossible: ({ state }) => state === 'open',
  },
  {
    path: 'reopen',
    command: 'jobs.reopen',
    right: 'jobs:move',
    label: 'Reopen the job',
    tone: 'secondary',
    text: 'The job takes applications again. Each key with access to the company gets the event job.opened.',
    done: 'job-reopen',
    isPossible: ({ state }) => state === 'closed',
  },
  {
    path: 'archive',
    command: 'jobs.archive',
    right: 'jobs:archive',
    label: 'Archive the job',
    tone: 'danger',
    text: 'The job takes no more applications and leaves the lists. Each key that sees it gets the event job.closed. You can unarchive it.',
    done: 'job-archive',
    isPossible: ({ state }) => state !== 'archived',
  },
  {
    path: 'unarchive',
    command: 'jobs.unarchive',
    right: 'jobs:archive',
    label: 'Unarchive the job',
    tone: 'secondary',
    text: 'The job is open again and takes applications. Each key with access to the company gets the event job.opened.',
    done: 'job-unarchive',
    isPossible: ({ state }) => state === 'archived',
  },
  {
    path: 'hide',
    command: 'jobs.markInternalOnly',
    right: 'jobs:hide',
    label: 'Make it internal only',
    tone: 'secondary',
    text: 'No partner sees the job anymore, and none can submit to it. Each key that sees it gets the event job.closed.',
    done: 'job-hide',
    isPossible: ({ internalOnly }) => !internalOnly,
  },
  {
    path: 'show',
    command: 'jobs.markPublic',
    right: 'jobs:hide',
    label: 'Show it to partners',
    tone: 'secondary',
    text: 'Each key with access to the company sees the job again while it is open, and gets the event job.opened.',
    done: 'job-show',
    isPossible: ({ internalOnly }) => internalOnly,
  },
];

/** Returns the acts that the state of a job allows. */
export function possibleJobActs(job: Job): readonly JobAct[] {
  return JOB_ACTS.filter(({ isPossible }) => isPossible(job));
}
