import type { LastJobSync, Operation } from '@partner-hiring/core';
import { defineNotices } from '../../http/notices.js';
import type { RunAction, ScreenAction, ScreenCall } from '../../http/screen.js';
import { change, defineAct, type Question, RefusedAct } from '../../screens/parts/define-act.js';
import { HiddenFields } from '../../view/forms.js';
import { countText } from '../../view/parts.js';
import { heldByCompany } from './held-by-company.js';
import { heldRun, missingRule, SYNC_PATH, shareText } from './texts.js';

/** The sentences that follow acts on the job sync. */
export const jobSyncNotices = defineNotices({
  done: {
    'sync-applied': 'The next run may close the missing jobs, once.',
    'sync-applied-before': 'The next run may close the missing jobs already.',
    'sync-soon': 'A worker begins the next run now.',
    'sync-soon-before': 'The next run is due already. A worker begins it.',
  },
  refused: {
    'no-job-source': 'No worker has a source of jobs. Ask those who run the server to set one.',
    'sync-more-missing':
      'Nothing was changed: a new run misses more jobs than you have confirmed. Look at it, then apply it.',
    'sync-not-held': 'Nothing was changed: the last run is not held anymore.',
    'sync-running': 'Nothing was changed: a run reads the source now. Wait for its end.',
  },
});

const { done, refused } = jobSyncNotices;

function readState({ gate }: ScreenCall): Promise<LastJobSync> {
  return gate.call('jobs.syncs.last', { refusedLimit: 0 });
}

const runSoon = defineAct<null>({
  find: async (call) => {
    call.gate.require('jobs:sync');
    if ((await readState(call)).dueAt === null) throw new RefusedAct(refused('no-job-source'));
    return null;
  },
  run: change('jobs.syncs.request', () => undefined, done('sync-soon'), done('sync-soon-before')),
});

/** Finds the held run. A later run replaces it, so the page may show an older one. */
async function findHeld(call: ScreenAction): Promise<Operation> {
  call.gate.require('jobs:sync');
  const last = await readState(call);
  if (last.operation?.state === 'running') throw new RefusedAct(refused('sync-running'));
  const held = heldRun(last);
  if (held === null) throw new RefusedAct(refused('sync-not-held'));
  // The person has confirmed the count of an earlier run.
  if (call.isConfirmed && missingOf(held) > Number(call.form.text('missing') ?? 0))
    throw new RefusedAct(refused('sync-more-missing'));
  return held;
}

function missingOf({ sync }: Operation): number {
  return sync?.missing ?? 0;
}

async function askToApply(held: Operation, { gate }: ScreenCall): Promise<Question> {
  const missing = missingOf(held);
  const open = held.sync?.open ?? 0;
  const isArchive = missingRule(held) === 'archive';
  const jobs = missing === 1 ? '1 job' : `${countText(missing)} jobs`;
  const close = isArchive ? 'Archive' : 'Close';
  return {
    title: `${close} ${jobs} in the next run?`,
    text: `The next run ${isArchive ? 'archives' : 'closes'} up to ${jobs} that the source no longer lists. Each partner that sees one of them is told that they are closed. If the source lists a job again, a later run opens it again. If the source is broken, repair it instead. The page of the job sync links to the list of these jobs.`,
    facts: [
      [isArchive ? 'Jobs that would be archived' : 'Jobs that would close', countText(missing)],
      ['Open jobs from the source', countText(open)],
      ['Share that would go', shareText(missing, open)],
      ['By company', await heldByCompany(gate)],
      ['Why the run was held', held.lastError],
    ],
    confirm: `${close} ${jobs} once`,
    isFinal: true,
    more: <HiddenFields fields={[['missing', String(missing)]]} />,
  };
}

const applyHeld = defineAct<Operation>({
  find: findHeld,
  ask: askToApply,
  run: change(
    'jobs.syncs.request',
    ({ id }) => ({ applyHeld: id }),
    done('sync-applied'),
    done('sync-applied-before'),
  ),
});

/** The acts on the job sync. */
export const syncActions: Readonly<Record<string, RunAction>> = {
  [`${SYNC_PATH}/run`]: runSoon,
  [`${SYNC_PATH}/apply`]: applyHeld,
};
