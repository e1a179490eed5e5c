import type { ApplicationDetails } from '@partner-hiring/core';
import { type DoneName, defineNotices } from '../../http/notices.js';
import type { RunAction } from '../../http/screen.js';
import { findApplicationOfPath } from '../../screens/application/application-actions.js';
import { change, defineAct } from '../../screens/parts/define-act.js';
import type { ShowSection } from '../../screens/sections.js';
import { ActionButton } from '../../view/forms.js';

/** The sentences that follow acts on a résumé. */
export const resumeNotices = defineNotices({
  done: {
    'resume-fetched': 'The worker fetches the résumé again.',
    'resume-fetched-before': 'The résumé is being fetched already.',
    'resume-stopped': 'The résumé is not fetched any more.',
    'resume-stopped-before': 'No download of the résumé waits.',
  },
});

/** The act that a résumé allows: to fetch it again if it failed, to stop if it fails. */
export const resumeOfApplication: ShowSection<'application'> = ({ call, application }) => {
  const { id, resume, resumeUrl } = application;
  const buttonOf = (act: string, label: string) => ({
    buttons: <ActionButton action={call.at(`/applications/${id}/${act}`)} label={label} />,
  });
  if (!call.gate.may('applications:fetch-resume')) return {};
  if (resume.kind === 'failed' && resumeUrl !== null)
    return buttonOf('fetch-resume', 'Fetch the résumé again');
  if (resume.kind === 'pending' && resume.attempts > 0)
    return buttonOf('stop-resume', 'Stop fetching the résumé');
  return {};
};

function updateResume(fetch: 'again' | 'stop', done: DoneName, unchanged: DoneName): RunAction {
  return defineAct<ApplicationDetails>({
    find: findApplicationOfPath,
    run: change('applications.updateResume', ({ id }) => ({ id, fetch }), done, unchanged),
  });
}

const { done } = resumeNotices;

/** The acts on the résumé of an application. */
export const resumeActs: Readonly<Record<string, RunAction>> = {
  '/applications/:id/fetch-resume': updateResume(
    'again',
    done('resume-fetched'),
    done('resume-fetched-before'),
  ),
  '/applications/:id/stop-resume': updateResume(
    'stop',
    done('resume-stopped'),
    done('resume-stopped-before'),
  ),
};
