import type { JobId } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import type { RunAction } from '../../http/screen.js';
import { countText } from '../../view/parts.js';
import { defineAct } from '../parts/define-act.js';
import { JOB_ACTS, type JobAct } from './job-acts.js';

/** The acts on one job. */
export const jobActions: Readonly<Record<string, RunAction>> = Object.fromEntries(
  JOB_ACTS.map((act) => [`/jobs/:id/${act.path}`, actOn(act)] as const),
);

function actOn({ label, text, command, done }: JobAct): RunAction {
  return defineAct({
    back: (call) => call.at(`/jobs/${encodeURIComponent(call.param('id'))}`),
    find: async ({ gate, param }) => {
      const job = await gate.call('jobs.find', { id: param('id') as JobId });
      if (job === null) throw new NothingHere();
      return job;
    },
    ask: async ({ id, title, state, internalOnly }, { gate }) => {
      const seenBy = (await gate.call('jobs.visibility', { id })).filter(({ isVisible }) => isVisible).length;
      return {
        title: `${label}?`,
        text,
        facts: [
          ['Job', title],
          ['State', `${state}${internalOnly ? ', internal only' : ''}`],
          ['Keys that see it now', countText(seenBy)],
        ],
        confirm: label,
      };
    },
    run: async ({ id }, { gate }) => ((await gate.call(command, { id })).changed ? done : 'job-unchanged'),
  });
}
