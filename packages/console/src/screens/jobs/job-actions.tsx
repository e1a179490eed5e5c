import type { JobId } from '@partner-hiring/core';
import type { RunAction } from '../../http/screen.js';
import { countText } from '../../view/parts.js';
import { change, defineAct } from '../parts/define-act.js';
import { mustFind } from '../parts/must-find.js';
import { JOB_ACTS, type JobAct } from './job-acts.js';

/** The acts on one job. */
export const jobActions: Readonly<Record<string, RunAction>> = Object.fromEntries(
  JOB_ACTS.map((act) => [`/jobs/:id/${act.path}`, actOn(act)] as const),
);

function actOn({ label, text, command, done }: JobAct): RunAction {
  return defineAct({
    back: (call) => call.at(`/jobs/${encodeURIComponent(call.param('id'))}`),
    find: ({ gate, param }) => mustFind(gate.call('jobs.find', { id: param('id') as JobId })),
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
    run: change(command, ({ id }) => ({ id }), done, 'job-unchanged'),
  });
}
