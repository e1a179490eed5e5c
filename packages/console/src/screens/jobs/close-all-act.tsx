import type { CompanyId, Job } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import { isLibraryId } from '../../http/library-id.js';
import type { ScreenAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { Id } from '../../view/ids.js';
import { countText } from '../../view/parts.js';
import { choiceOf } from '../parts/choices.js';
import { defineAct, goTo, RefusedAct } from '../parts/define-act.js';
import { nameOf } from '../parts/names.js';

/** The address of the act that closes all open jobs of a company. */
export const CLOSE_ALL_PATH = '/jobs/close-all';

/** Returns whether the actor may close all open jobs of a company. */
export function mayCloseAll({ gate }: ScreenCall): boolean {
  return gate.isForAllPartners && gate.may('jobs:move') && gate.may('jobs:read');
}

function companyIn({ form }: ScreenAction): CompanyId | null {
  const id = form.text('company');
  return id !== null && isLibraryId('company', id) ? (id as CompanyId) : null;
}

/** The list of jobs that a form came from, with its filter. */
export function jobListOf(call: ScreenAction): string {
  const state = choiceOf('jobs.list', 'state', call.form.text('state')) ?? null;
  return call.at('/jobs', { company: companyIn(call), state });
}

/** Bounds how many jobs are read to see which of them a job source keeps. */
const MOST_READ = 1_000;

/** Closes all open jobs of a company as an operation, after a count. */
export const closeAllJobs = defineAct<{ readonly companyId: CompanyId; readonly count: number }>({
  back: jobListOf,
  find: async (call) => {
    const { gate } = call;
    gate.require('jobs:move');
    const companyId = companyIn(call);
    if (!gate.isForAllPartners || companyId === null) throw new NothingHere();
    const count = await gate.call('jobs.count', { companyId, state: 'open' });
    if (count === 0) throw new RefusedAct('no-open-job');
    return { companyId, count };
  },
  ask: async ({ companyId, count }, { gate }) => {
    const { items: jobs } = await gate.call('jobs.list', { companyId, state: 'open', limit: MOST_READ });
    return {
      title: `Close ${count === 1 ? '1 open job' : `all ${countText(count)} open jobs`} of this company?`,
      text: 'Each of them takes no more applications. Each partner that sees one of them is told that it is closed. The worker closes 100 at a time. Jobs that are published later stay open. You can choose and reopen closed jobs.',
      warning: keptWarning(jobs),
      facts: [
        [LABELS.one.company, (await nameOf.company(gate, companyId)) ?? <Id value={companyId} />],
        ['Open jobs', countText(count)],
      ],
      confirm: count === 1 ? 'Close 1 job' : `Close ${countText(count)} jobs`,
    };
  },
  run: async ({ companyId, count }, call) => {
    const { id } = await call.gate.call('jobs.closeAll', { companyId });
    return goTo(call.link('operations', `/${id}`) ?? jobListOf(call), ['jobs-closing', count]);
  },
});

/** Warns before open jobs are closed or archived that a job source keeps in step. Null if it keeps none of them. */
export function keptWarning(jobs: readonly Pick<Job, 'state' | 'syncedIn'>[]): string | null {
  const kept = jobs.filter(({ state, syncedIn }) => state === 'open' && syncedIn !== null).length;
  if (kept === 0) return null;
  if (jobs.length === 1) {
    return 'The job source keeps this job in step. If the source still lists it, the next run opens it again. To keep the job closed, remove it from the source.';
  }
  const which = kept === jobs.length ? 'these jobs' : `${countText(kept)} of these jobs`;
  return `The job source keeps ${which} in step. The next run opens each job again that the source still lists. To keep jobs closed, remove them from the source.`;
}
