import type { JobId } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import type { PageContent, Redirection, RunAction, ScreenAction } from '../../http/screen.js';
import { confirmationPage } from '../../view/forms.js';
import { countText } from '../../view/parts.js';
import { explainRefusal, toDone } from '../parts/after-act.js';
import { JOB_ACTS, type JobAct } from './job-acts.js';

/** The acts on one job. */
export const jobActions: Readonly<Record<string, RunAction>> = Object.fromEntries(
  JOB_ACTS.map((act) => [`/jobs/:id/${act.path}`, (call: ScreenAction) => runJobAct(call, act)] as const),
);

async function runJobAct(call: ScreenAction, act: JobAct): Promise<PageContent | Redirection> {
  const { gate } = call;
  const id = call.param('id') as JobId;
  const back = call.at(`/jobs/${encodeURIComponent(id)}`);
  const job = await gate.call('jobs.find', { id });
  if (job === null) throw new NothingHere();
  if (!call.isConfirmed) {
    const seenBy = (await gate.call('jobs.visibility', { id })).filter(({ isVisible }) => isVisible).length;
    return confirmationPage(call, {
      title: `${act.label}?`,
      text: act.text,
      facts: [
        ['Job', job.title],
        ['State', `${job.state}${job.internalOnly ? ', internal only' : ''}`],
        ['Keys that see it now', countText(seenBy)],
      ],
      confirm: act.label,
      back,
    });
  }
  return explainRefusal(back, async () => {
    const { changed } = await gate.call(act.command, { id });
    return toDone(back, changed ? act.done : 'job-unchanged');
  });
}
