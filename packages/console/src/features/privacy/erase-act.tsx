import { type ApplicationDetails, INBOX_IS_OFF, INBOX_WAS_OFF } from '@partner-hiring/core';
import { type DoneName, defineNotices } from '../../http/notices.js';
import type { RunAction } from '../../http/screen.js';
import { applicationFacts, findApplicationOfPath } from '../../screens/application/application-actions.js';
import { defineAct, goTo, pageOfAct } from '../../screens/parts/define-act.js';
import { countText } from '../../view/parts.js';

/** The sentences that follow an erasure. */
export const privacyNotices = defineNotices({
  done: {
    'candidate-erased': 'The candidate was erased.',
    'candidates-erased': (count) =>
      `${countText(count)} ${count === 1 ? 'application was' : 'applications were'} erased.`,
    'erasure-inbox-off': INBOX_IS_OFF,
    'erasure-inbox-was-off': INBOX_WAS_OFF,
    'erasure-told': 'The inbox of the platform has an item about it.',
    'resume-removed': (count) => `The worker removes ${countText(count)} résumé file.`,
  },
});

const { done } = privacyNotices;

/** Erases the candidate of an application. */
export const eraseOfApplication: RunAction = defineAct<ApplicationDetails>({
  find: findApplicationOfPath,
  ask: (application) => ({
    title: 'Erase this candidate?',
    text:
      'Erases the name, e-mail address, phone number, answers and résumé of this application. This cannot be undone. ' +
      'The application stays with its status, and with the partner’s own id unless you also clear it. Other applications of the same person are not erased.',
    facts: [...applicationFacts(application), ['Applications to erase', '1']],
    confirm: 'Erase',
    isFinal: true,
    more: (
      <p class="field check">
        <label>
          <input type="checkbox" name="clearSourceApplicationId" value="yes" />
          {" Also clear the partner's own id of the application"}
        </label>
      </p>
    ),
  }),
  run: async ({ id }, call) => {
    const { counts, notice } = await call.gate.call('candidates.erase', {
      applicationId: id,
      clearSourceApplicationId: call.form.text('clearSourceApplicationId') === 'yes',
    });
    const { resumeFiles } = counts;
    const removed = resumeFiles === 0 ? [] : [[done('resume-removed'), resumeFiles] as const];
    return goTo(pageOfAct(call), done('candidate-erased'), ...removed, inboxPart(notice));
  },
});

/** Says whether the inbox tells the platform of an erasure. */
export function inboxPart(notice: string | null): DoneName {
  if (notice === null) return done('erasure-told');
  return notice === INBOX_IS_OFF ? done('erasure-inbox-off') : done('erasure-inbox-was-off');
}
