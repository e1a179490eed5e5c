import type { ApplicationDetails } from '@partner-hiring/core';
import { OperatorError } from '@partner-hiring/core';
import type { ApplicationId, Decision } from '@partner-hiring/core/ports';
import { NothingHere } from '../../gate/refusals.js';
import type { PageContent, Redirection, RunAction, ScreenAction } from '../../http/screen.js';
import { confirmationPage } from '../../view/forms.js';
import { countText } from '../../view/parts.js';
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

function done(call: ScreenAction, text: string): Redirection {
  return { kind: 'redirect', to: pageOf(call), notice: { kind: 'done', text } };
}

/** Goes back with the operator's explanation. Other errors get a page of their own. */
async function orExplain(call: ScreenAction, act: () => Promise<Redirection>): Promise<Redirection> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code.endsWith('_NOT_FOUND')) throw error;
    return { kind: 'redirect', to: pageOf(call), notice: { kind: 'refused', text: error.message } };
  }
}

async function move(call: ScreenAction): Promise<Redirection> {
  const { id, status } = await find(call);
  const stage = STAGE_CHOICES.find(([value]) => value === call.form.text('stage'))?.[0];
  if (stage === undefined) throw new OperatorError('INVALID_INPUT', 'Choose a stage. Nothing was changed.');
  return orExplain(call, async () => {
    const command = status === 'received' ? 'applications.beginEvaluation' : 'applications.moveStage';
    const { changed } = await call.gate.call(command, { id, stage });
    const name = stage.replaceAll('_', ' ');
    return done(call, changed ? `Moved to ${name}.` : `The application is at ${name} already.`);
  });
}

const DECISIONS: Readonly<
  Record<Decision, { readonly title: string; readonly confirm: string; readonly done: string }>
> = {
  accepted: { title: 'Hire this candidate?', confirm: 'Hire', done: 'Hired. The partner gets an event.' },
  rejected: {
    title: 'Reject this candidate?',
    confirm: 'Reject',
    done: 'Rejected. The partner gets an event.',
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
  return orExplain(call, async () => {
    await call.gate.call('applications.decide', { id: application.id, decision });
    return done(call, words.done);
  });
}

async function fetchResume(call: ScreenAction): Promise<Redirection> {
  const { id } = await find(call);
  return orExplain(call, async () => {
    const { changed } = await call.gate.call('applications.fetchResumeAgain', { id });
    return done(
      call,
      changed ? 'The worker fetches the résumé again.' : 'The résumé is being fetched already.',
    );
  });
}

async function redeliver(call: ScreenAction): Promise<Redirection> {
  call.gate.require('deliveries:redeliver');
  const { id, keyId } = await find(call);
  const events = await call.gate.call('applications.events', { id });
  const last = events.at(-1);
  if (last === undefined) {
    const text =
      'There is no event to send: only a decision causes one, and it is stored for a limited time.';
    return { kind: 'redirect', to: pageOf(call), notice: { kind: 'refused', text } };
  }
  return orExplain(call, async () => {
    const { changed } = await call.gate.call('deliveries.redeliver', { keyId, eventId: last.event.id });
    return done(
      call,
      changed ? 'The worker sends the event now.' : 'The event is due already. The worker sends it next.',
    );
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
  return orExplain(call, async () => {
    await call.gate.call('endpoints.resume', target);
    return done(call, 'Sending is resumed.');
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
  return orExplain(call, async () => {
    const { counts, notice } = await call.gate.call('candidates.erase', {
      applicationId: application.id,
      clearSourceApplicationId: call.form.text('clearSourceApplicationId') === 'yes',
    });
    const resumes = counts.resumeFiles === 0 ? '' : ` The worker removes ${counts.resumeFiles} résumé file.`;
    return done(call, `The candidate was erased.${resumes} ${notice ?? 'The inbox tells the platform.'}`);
  });
}

function factsOf({ id, candidate, status, stage }: ApplicationDetails) {
  return [
    ['Application', <code>{id}</code>],
    ['Candidate', `${candidate.firstName} ${candidate.lastName}`],
    ['Status', `${status.replaceAll('_', ' ')}, ${stage.replaceAll('_', ' ')}`],
  ] as const;
}
