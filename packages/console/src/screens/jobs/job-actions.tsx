import type { Job, JobId, ResultOf } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { RefusedName } from '../../http/notices.js';
import type { RunAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { ConsoleRight } from '../../rights.js';
import type { RowAct } from '../../view/data-table.js';
import { Id } from '../../view/ids.js';
import { countText } from '../../view/parts.js';
import { type ActDeclaration, change, defineAct, RefusedAct } from '../parts/define-act.js';
import { nameOf } from '../parts/names.js';
import { keptWarning } from './close-all-act.js';

type FoundJob = NonNullable<ResultOf<'jobs.find'>>;

/** An act on a job. */
export interface JobAct {
  /** The last part of its address. */
  readonly path: 'close' | 'reopen' | 'archive' | 'unarchive' | 'hide' | 'show';
  readonly right: ConsoleRight;
  readonly label: string;
  /** The consequence that the confirmation names. */
  readonly text: string;
  /** Calls the command. Returns the notice on the next page. */
  readonly run: ActDeclaration<FoundJob>['run'];
  readonly isPossible: (job: Job) => boolean;
  /** Says why the act is not possible. */
  readonly refused: RefusedName;
}

const idOf = ({ id }: Job) => ({ id });
const UNCHANGED = 'job-unchanged';

/** Every act on a job. */
export const JOB_ACTS: readonly JobAct[] = [
  {
    path: 'close',
    right: 'jobs:move',
    label: 'Close the job',
    text: 'The job takes no more applications. Each partner that sees it is told that it is closed. You can reopen it.',
    run: change('jobs.close', idOf, 'job-close', UNCHANGED),
    isPossible: ({ state }) => state === 'open',
    refused: 'job-not-open',
  },
  {
    path: 'reopen',
    right: 'jobs:move',
    label: 'Reopen the job',
    text: 'The job takes applications again. Each key with access to the company is told that it is open.',
    run: change('jobs.reopen', idOf, 'job-reopen', UNCHANGED),
    isPossible: ({ state }) => state === 'closed',
    refused: 'job-not-closed',
  },
  {
    path: 'archive',
    right: 'jobs:archive',
    label: 'Archive the job',
    text: 'The job takes no more applications and leaves the lists. Each partner that sees it is told that it is closed. You can unarchive it.',
    run: change('jobs.archive', idOf, 'job-archive', UNCHANGED),
    isPossible: ({ state }) => state !== 'archived',
    refused: 'job-archived-before',
  },
  {
    path: 'unarchive',
    right: 'jobs:archive',
    label: 'Unarchive the job',
    text: 'The job is open again and takes applications. Each key with access to the company is told that it is open.',
    run: change('jobs.reopen', ({ id }) => ({ id, from: 'archived' as const }), 'job-unarchive', UNCHANGED),
    isPossible: ({ state }) => state === 'archived',
    refused: 'job-not-archived',
  },
  {
    path: 'hide',
    right: 'jobs:hide',
    label: 'Make it internal only',
    text: 'No partner sees the job anymore, and none can submit to it. Each partner that sees it is told that it is closed.',
    run: change(
      'jobs.setVisibility',
      ({ id }) => ({ id, visibility: 'internal_only' as const }),
      'job-hide',
      UNCHANGED,
    ),
    isPossible: ({ internalOnly }) => !internalOnly,
    refused: 'job-hidden-before',
  },
  {
    path: 'show',
    right: 'jobs:hide',
    label: 'Show it to partners',
    text: 'Each key with access to the company sees the job again while it is open, and is told that it is open.',
    run: change(
      'jobs.setVisibility',
      ({ id }) => ({ id, visibility: 'public' as const }),
      'job-show',
      UNCHANGED,
    ),
    isPossible: ({ internalOnly }) => internalOnly,
    refused: 'job-shown-before',
  },
];

/**
 * Returns the acts that the state of a job allows. A job is shared by all partners with access to its company, so only
 * an actor for all partners may change it.
 */
export function possibleJobActs({ gate, at }: ScreenCall, job: Job): readonly RowAct[] {
  if (!gate.isForAllPartners) return [];
  return JOB_ACTS.filter(({ isPossible, right }) => isPossible(job) && gate.may(right)).map(
    ({ path, label }) => ({ action: at(`/jobs/${job.id}/${path}`), label: `${label}…` }),
  );
}

/** The acts on one job. */
export const jobActions: Readonly<Record<string, RunAction>> = Object.fromEntries(
  JOB_ACTS.map((act) => [`/jobs/:id/${act.path}`, actOn(act)] as const),
);

/** The acts after which partners see a job again. */
const OPENING: readonly JobAct['path'][] = ['reopen', 'unarchive', 'show'];

/** Says which keys see a job that an act opens. */
function seenAfterwards(path: JobAct['path'], { state, internalOnly }: Job): string {
  if (path !== 'show' && internalOnly) return 'none, also afterwards: the job is internal only';
  if (path === 'show' && state !== 'open') return 'none, also afterwards: the job is not open';
  return 'none now; afterwards each key with access to the company';
}

/** The acts that the next run of a job sync undoes. */
const UNDONE_BY_SYNC: readonly JobAct['path'][] = ['close', 'archive'];

/** Finds the job that the path of the page names. @throws NothingHere */
export function jobOfPage({ gate, param }: ScreenCall) {
  return mustFind(gate.call('jobs.find', { id: param('id') as JobId }));
}

function actOn({ path, label, text, run, isPossible, refused }: JobAct): RunAction {
  return defineAct({
    find: jobOfPage,
    ask: async (job, { gate }) => {
      if (!isPossible(job)) throw new RefusedAct(refused);
      const { companyId, title, state, internalOnly, visibility } = job;
      const seenBy = visibility.filter(({ isVisible }) => isVisible).length;
      return {
        title: `${label}?`,
        text,
        warning: UNDONE_BY_SYNC.includes(path) ? keptWarning([job]) : null,
        facts: [
          [LABELS.one.job, title],
          [LABELS.one.company, (await nameOf.company(gate, companyId)) ?? <Id value={companyId} />],
          [LABELS.state, `${state}${internalOnly ? ', internal only' : ''}`],
          OPENING.includes(path)
            ? ['Keys that see it', seenAfterwards(path, job)]
            : ['Keys that see it now', countText(seenBy)],
        ],
        confirm: label,
      };
    },
    run,
  });
}
