import type { Job, JobId, ListedJob } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Gate } from '../../gate/gate.js';
import { NothingHere } from '../../gate/refusals.js';
import { isLibraryId } from '../../http/library-id.js';
import type { DoneName, RefusedName } from '../../http/notices.js';
import type { RunAction, ScreenAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { HiddenFields, SubmitButton } from '../../view/forms.js';
import { shortId } from '../../view/ids.js';
import { countText, someOf } from '../../view/parts.js';
import { ChooseForm, chooseColumn } from '../parts/choose-rows.js';
import { type Done, defineAct, RefusedAct } from '../parts/define-act.js';
import { nameOf } from '../parts/names.js';
import { CLOSE_ALL_PATH, jobListOf, keptWarning, mayCloseAll } from './close-all-act.js';

/** An act on several jobs of a list. */
interface ManyAct {
  readonly path: 'close-chosen' | 'reopen-chosen' | 'archive-chosen';
  readonly command: 'jobs.close' | 'jobs.reopen' | 'jobs.archive';
  readonly right: 'jobs:move' | 'jobs:archive';
  readonly verb: 'Close' | 'Reopen' | 'Archive';
  /** The consequence for one job, and for several, that the confirmation names. */
  readonly text: readonly [one: string, many: string];
  /** Why a job is left out. */
  readonly leftOut: string;
  readonly done: DoneName;
  /** If the act is possible on none of the chosen jobs. */
  readonly none: RefusedName;
  readonly isPossible: (job: Job) => boolean;
}

const MANY_ACTS: readonly ManyAct[] = [
  {
    path: 'close-chosen',
    command: 'jobs.close',
    right: 'jobs:move',
    verb: 'Close',
    text: [
      'The job takes no more applications. Each partner that sees it is told that it is closed. You can reopen it.',
      'The jobs take no more applications. Each partner that sees one of them is told that they are closed. You can choose and reopen them.',
    ],
    leftOut: 'closed or archived already',
    done: 'jobs-closed',
    none: 'no-job-to-close',
    isPossible: ({ state }) => state === 'open',
  },
  {
    path: 'reopen-chosen',
    command: 'jobs.reopen',
    right: 'jobs:move',
    verb: 'Reopen',
    text: [
      'The job takes applications again. Each key with access to the company is told that it is open.',
      'The jobs take applications again. Each key with access to the company is told that they are open.',
    ],
    leftOut: 'open or archived',
    done: 'jobs-reopened',
    none: 'no-job-to-reopen',
    isPossible: ({ state }) => state === 'closed',
  },
  {
    path: 'archive-chosen',
    command: 'jobs.archive',
    right: 'jobs:archive',
    verb: 'Archive',
    text: [
      'The job takes no more applications and leaves the lists. Each partner that sees it is told that it is closed. You can unarchive it on its page.',
      'The jobs take no more applications and leave the lists. Each partner that sees one of them is told that they are closed. You can unarchive each on its page.',
    ],
    leftOut: 'archived already',
    done: 'jobs-archived',
    none: 'no-job-to-archive',
    isPossible: ({ state }) => state !== 'archived',
  },
];

/** Returns the acts that the actor may do on several jobs. */
function manyActsOf({ gate }: ScreenCall): readonly ManyAct[] {
  return gate.isForAllPartners ? MANY_ACTS.filter(({ right }) => gate.may(right)) : [];
}

/** Returns whether the actor may choose jobs of a list. */
export function mayChooseJobs(call: ScreenCall): boolean {
  return manyActsOf(call).length > 0;
}

export const CHOSEN_JOBS = chooseColumn<ListedJob>(({ id, title }) => [id, title]);

interface ChooseJobsFormProps {
  readonly call: ScreenCall;
  readonly companyId: string;
  /** The state that the list is filtered by. The acts come back to the same list. */
  readonly state: string | undefined;
  readonly children?: Child;
}

/** A form around a list of a company's jobs. */
export function ChooseJobsForm({ call, companyId, state, children }: ChooseJobsFormProps) {
  const buttons = (
    <>
      {manyActsOf(call).map(({ path, verb }) => (
        <SubmitButton label={`${verb} chosen…`} to={call.at(`/jobs/${path}`)} />
      ))}
      {mayCloseAll(call) ? (
        <SubmitButton label={LABELS.button.closeAllJobs} to={call.at(CLOSE_ALL_PATH)} />
      ) : null}
    </>
  );
  return (
    <ChooseForm buttons={buttons}>
      <HiddenFields
        fields={[
          ['company', companyId],
          ['state', state ?? ''],
        ]}
      />
      {children}
    </ChooseForm>
  );
}

interface ChosenJobs {
  readonly jobs: readonly Job[];
  /** How many jobs are left out, because they are closed or archived already. */
  readonly leftOut: number;
}

async function findChosen(
  { gate, form }: ScreenAction,
  { right, none, isPossible }: ManyAct,
): Promise<ChosenJobs> {
  gate.require(right);
  if (!gate.isForAllPartners) throw new NothingHere();
  const ids = [...new Set(form.all('chosen'))].filter((id): id is JobId => isLibraryId('job', id));
  if (ids.length === 0) throw new RefusedAct('choose-jobs');
  const found: Job[] = [];
  for (const id of ids) {
    const job = await gate.call('jobs.find', { id });
    if (job !== null) found.push(job);
  }
  const jobs = found.filter(isPossible);
  if (jobs.length === 0) throw new RefusedAct(none);
  return { jobs, leftOut: found.length - jobs.length };
}

async function companiesOf(gate: Gate, jobs: readonly Job[]): Promise<string> {
  const ids = [...new Set(jobs.map(({ companyId }) => companyId))];
  return someOf(await Promise.all(ids.map(async (id) => (await nameOf.company(gate, id)) ?? shortId(id))));
}

function jobsText(count: number): string {
  return count === 1 ? '1 job' : `${countText(count)} jobs`;
}

function actOnMany(act: ManyAct): RunAction {
  const {
    command,
    verb,
    text: [one, many],
    leftOut: why,
    done,
  } = act;
  return defineAct<ChosenJobs>({
    back: jobListOf,
    find: (call) => findChosen(call, act),
    ask: async ({ jobs, leftOut }, { gate }) => ({
      title: `${verb} ${jobsText(jobs.length)}?`,
      text: jobs.length === 1 ? one : many,
      warning: verb === 'Reopen' ? null : keptWarning(jobs),
      facts: [
        [LABELS.one.company, await companiesOf(gate, jobs)],
        [LABELS.all.jobs, someOf(jobs.map(({ title }) => title))],
        [`Jobs to ${verb.toLowerCase()}`, countText(jobs.length)],
        [LABELS.leftOut, leftOut === 0 ? 'none' : `${jobsText(leftOut)}, ${why}`],
      ],
      confirm: `${verb} ${jobsText(jobs.length)}`,
    }),
    run: async ({ jobs }, { gate }): Promise<Done> => {
      const outcomes = await gate.call(
        command,
        jobs.map(({ id }) => ({ id })),
      );
      return [done, outcomes.filter(({ changed }) => changed).length];
    },
  });
}

/** The acts on several jobs. */
export const chosenJobActions: Readonly<Record<string, RunAction>> = Object.fromEntries(
  MANY_ACTS.map((act) => [`/jobs/${act.path}`, actOnMany(act)] as const),
);
