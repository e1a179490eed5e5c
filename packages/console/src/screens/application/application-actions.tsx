import type { ApplicationDetails, ApplicationId, Decision } from '@partner-hiring/core';
import { INBOX_IS_OFF, OperatorError } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import type { DoneName } from '../../http/notices.js';
import type { PageContent, Redirection, RunAction, ScreenAction } from '../../http/screen.js';
import { confirmationPage } from '../../view/forms.js';
import { countText } from '../../view/parts.js';
import { explainRefusal, toDone, toRefused } from '../parts/after-act.js';
import { STAGE_CHOICES } from './actions-card.js';

/** The acts on one application. */
export const applicationActions: Readonly<Record<string, RunAction>> = {
  '/applications/:id/move': move,
  '/applications/:id/decide': decide,
  '/applications/:id/fetch-resume': fetchResume,
  '/applications/:id/redeliver': redeliver,
  '/applications/:id/resume-endpoint': resumeEndpoint,
  '/applications/:id/erase': erase,
};

async function find(call: ScreenAction): Promise<ApplicationDetails> {
  const application = await call.gate.call('applications.find', { id: call.param('id') as ApplicationId });
  if (application === null) throw new NothingHere();
  return application;
}

function pageOf(call: ScreenAction): string {
  return call.at(`/applications/${encodeURIComponent(call.param('id'))}`);
}

async function move(call: ScreenAction): Promise<PageContent | Redirection> {
  const { id, status } = await find(call);
  const stage = STAGE_CHOICES.find(([value]) => value === call.form.text('stage'))?.[0];
  if (stage === undefined) throw new OperatorError('INVALID_INPUT', 'Choose a stage. Nothing was changed.');
  return explainRefusal(pageOf(call), async () => {
    const command = status === 'received' ? 'applications.beginEvaluation' : 'applications.moveStage';
    const { changed } = await call.gate.call(command, { id, stage });
    return toDone(pageOf(call), changed ? 'stage-moved' : 'stage-before');
  });
}

const DECISIONS: Readonly<
  Record<Decision, { readonly title: string; readonly confirm: string; readonly done: DoneName }>
> = {
  accepted: { title: 'Hire this candidate?', confirm: 'Hire', done: 'candidate-hired' },
  rejected: {
    title: 'Reject this candidate?',
    confirm: 'Reject',
    done: 'candidate-rejected',
  },
};

async function decide(call: ScreenAction): Promise<PageContent | Redirection> {
  const application = await find(call);
  const decision: Decision = call.form.text('decision') === 'accepted' ? 'accepted' : 'rejected';
  const words = DECISIONS[decision];
  if (!call.isConfirmed) {
    return confirmationPage(call, {
      title: words.title,
      text: 'The partner is told with an event if it has an endpoint. A decision is final: it cannot be changed or undone.',
      facts: [...factsOf(application), ['Decision', decision]],
      confirm: words.confirm,
      back: pageOf(call),
    });
  }
  return explainRefusal(pageOf(call), async () => {
    await call.gate.call('applications.decide', { id: application.id, decision });
    return toDone(pageOf(call), words.done);
  });
}

async function fetchResume(call: ScreenAction): Promise<PageContent | Redirection> {
  const { id } = await find(call);
  return explainRefusal(pageOf(call), async () => {
    const { changed } = await call.gate.call('applications.fetchResumeAgain', { id });
    return toDone(pageOf(call), changed ? 'resume-fetched' : 'resume-fetched-before');
  });
}

async function redeliver(call: ScreenAction): Promise<PageContent | Redirection> {
  call.gate.require('deliveries:redeliver');
  const { id, keyId } = await find(call);
  const events = await call.gate.call('applications.events', { id });
  const last = events.at(-1);
  if (last === undefined) return toRefused(pageOf(call), 'no-event');
  return explainRefusal(pageOf(call), async () => {
    const { changed } = await call.gate.call('deliveries.redeliver', { keyId, eventId: last.event.id });
    return toDone(pageOf(call), changed ? 'event-sent' : 'event-due');
  });
}

async function resumeEndpoint(call: ScreenAction): Promise<PageContent | Redirection> {
  const { keyId } = await find(call);
  const target = { keyId, retryNow: true } as const;
  if (!call.isConfirmed) {
    const { count, pausedReason } = await call.gate.call('endpoints.resume', { ...target, dryRun: true });
    return confirmationPage(call, {
      title: 'Resume sending to this endpoint?',
      text: 'The worker sends everything that waits for this partner, the oldest first, and retries now what has failed before.',
      facts: [
        ['Key', <code>{keyId}</code>],
        ['Paused because', (pausedReason ?? 'not paused').replaceAll('_', ' ')],
        ['Deliveries to retry now', countText(count)],
      ],
      confirm: 'Resume',
      back: pageOf(call),
    });
  }
  return explainRefusal(pageOf(call), async () => {
    await call.gate.call('endpoints.resume', target);
    return toDone(pageOf(call), 'endpoint-resumed');
  });
}

async function erase(call: ScreenAction): Promise<PageContent | Redirection> {
  const application = await find(call);
  if (!call.isConfirmed) {
    return confirmationPage(call, {
      title: 'Erase this candidate?',
      text:
        'Erases the name, e-mail address, phone number, answers and résumé of this application. This cannot be undone. ' +
        'The application stays, without any trace of the person. Other applications of the same person are not erased.',
      facts: [...factsOf(application), ['Applications', '1']],
      confirm: 'Erase',
      back: pageOf(call),
      more: (
        <p class="field check">
          <label>
            <input type="checkbox" name="clearSourceApplicationId" value="yes" />
            {" Also clear the partner's own id of the application"}
          </label>
        </p>
      ),
    });
  }
  return explainRefusal(pageOf(call), async () => {
    const { counts, notice } = await call.gate.call('candidates.erase', {
      applicationId: application.id,
      clearSourceApplicationId: call.form.text('clearSourceApplicationId') === 'yes',
    });
    const { resumeFiles } = counts;
    const removed = resumeFiles === 0 ? [] : [['resume-removed', resumeFiles] as const];
    return toDone(pageOf(call), 'candidate-erased', ...removed, inboxPart(notice));
  });
}

/** Says whether the inbox tells the platform of an erasure. */
function inboxPart(notice: string | null): DoneName {
  if (notice === null) return 'erasure-told';
  return notice === INBOX_IS_OFF ? 'erasure-inbox-off' : 'erasure-inbox-was-off';
}

function factsOf({ id, candidate, status, stage }: ApplicationDetails) {
  return [
    ['Application', <code>{id}</code>],
    ['Candidate', `${candidate.firstName} ${candidate.lastName}`],
    ['Status', `${status.replaceAll('_', ' ')}, ${stage.replaceAll('_', ' ')}`],
  ] as const;
}
