import type {
  ApplicationDetails,
  ApplicationId,
  Decision,
  DeliveryTarget,
  StageMove,
} from '@partner-hiring/core';
import { INBOX_IS_OFF } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { DoneName } from '../../http/notices.js';
import type { RunAction, ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { Id } from '../../view/ids.js';
import { countText } from '../../view/parts.js';
import { findPause, PauseWords, sentNotice } from '../endpoints/pause-words.js';
import { change, defineAct, goTo, RefusedAct } from '../parts/define-act.js';
import { nameOf } from '../parts/names.js';
import { STAGE_CHOICES } from './actions-card.js';

function find({ gate, param }: ScreenAction): Promise<ApplicationDetails> {
  return mustFind(gate.call('applications.find', { id: param('id') as ApplicationId }));
}

function pageOf(call: ScreenAction): string {
  return call.at(`/applications/${encodeURIComponent(call.param('id'))}`);
}

const move = defineAct({
  back: pageOf,
  find: async (call) => {
    const { id } = await find(call);
    const stage = STAGE_CHOICES.find(([value]) => value === call.form.text('stage'))?.[0];
    if (stage === undefined) throw new RefusedAct('choose-stage');
    return { id, stage };
  },
  run: change('applications.move', (to: StageMove) => to, 'stage-moved', 'stage-before'),
});

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

const decide = defineAct({
  back: pageOf,
  find: async (call) => {
    const decision: Decision = call.form.text('decision') === 'accepted' ? 'accepted' : 'rejected';
    return { application: await find(call), decision };
  },
  ask: ({ application, decision }) => ({
    title: DECISIONS[decision].title,
    text: [
      'The partner is told with an event if it has an endpoint. A decision is final: it cannot be changed or undone.',
      ...(application.notice ? [application.notice] : []),
    ].join(' '),
    facts: [...factsOf(application), ['Decision', decision]],
    confirm: DECISIONS[decision].confirm,
  }),
  run: async ({ application: { id }, decision }, { gate }) => {
    await gate.call('applications.decide', { id, decision });
    return DECISIONS[decision].done;
  },
});

const fetchResume = defineAct<ApplicationDetails>({
  back: pageOf,
  find,
  run: change(
    'applications.updateResume',
    ({ id }) => ({ id, fetch: 'again' as const }),
    'resume-fetched',
    'resume-fetched-before',
  ),
});

const stopResume = defineAct<ApplicationDetails>({
  back: pageOf,
  find,
  run: change(
    'applications.updateResume',
    ({ id }) => ({ id, fetch: 'stop' as const }),
    'resume-stopped',
    'resume-stopped-before',
  ),
});

const resend = defineAct<DeliveryTarget>({
  back: pageOf,
  find: async (call) => {
    call.gate.require('deliveries:resend');
    const { id, keyId } = await find(call);
    const { items } = await call.gate.call('deliveries.list', { keyId, applicationId: id });
    const [last] = items;
    if (last === undefined) throw new RefusedAct('no-event');
    return { keyId, eventId: last.eventId };
  },
  run: async ({ keyId, eventId }, { gate }) => {
    const { count } = await gate.call('deliveries.resend', { keyId, eventIds: [eventId] });
    return sentNotice(gate, keyId, count > 0);
  },
});

const resumeEndpoint = defineAct<ApplicationDetails>({
  back: pageOf,
  find,
  ask: async ({ keyId }, { gate }) => {
    const { count } = await gate.call('endpoints.resume', { keyId, retryNow: true, dryRun: true });
    const state = await findPause(gate, keyId);
    return {
      title: 'Resume sending to this endpoint?',
      text: 'The worker sends everything that waits for this partner, the oldest first, and retries now what has failed before.',
      facts: [
        [LABELS.one.partnerKey, (await nameOf.key(gate, keyId)) ?? <Id value={keyId} />],
        [
          LABELS.endpoint.paused,
          state === null ? 'no' : <PauseWords gate={gate} keyId={keyId} state={state} />,
        ],
        ['Deliveries to retry now', countText(count)],
      ],
      confirm: LABELS.button.resume,
      isReversible: true,
    };
  },
  run: async ({ keyId }, { gate }) => {
    await gate.call('endpoints.resume', { keyId, retryNow: true });
    return 'endpoint-resumed';
  },
});

const erase = defineAct<ApplicationDetails>({
  back: pageOf,
  find,
  ask: (application) => ({
    title: 'Erase this candidate?',
    text:
      'Erases the name, e-mail address, phone number, answers and résumé of this application. This cannot be undone. ' +
      'The application stays with its status, and with the partner’s own id unless you also clear it. Other applications of the same person are not erased.',
    facts: [...factsOf(application), ['Applications to erase', '1']],
    confirm: 'Erase',
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
    const removed = resumeFiles === 0 ? [] : [['resume-removed', resumeFiles] as const];
    return goTo(pageOf(call), 'candidate-erased', ...removed, inboxPart(notice));
  },
});

/** Says whether the inbox tells the platform of an erasure. */
function inboxPart(notice: string | null): DoneName {
  if (notice === null) return 'erasure-told';
  return notice === INBOX_IS_OFF ? 'erasure-inbox-off' : 'erasure-inbox-was-off';
}

function factsOf({ id, candidate, status, stage }: ApplicationDetails) {
  return [
    [LABELS.one.candidate, `${candidate.firstName} ${candidate.lastName}`],
    [LABELS.one.application, <Id value={id} />],
    [LABELS.application.status, `${status.replaceAll('_', ' ')}, ${stage.replaceAll('_', ' ')}`],
  ] as const;
}

/** The acts on one application. */
export const applicationActions: Readonly<Record<string, RunAction>> = {
  '/applications/:id/move': move,
  '/applications/:id/decide': decide,
  '/applications/:id/fetch-resume': fetchResume,
  '/applications/:id/stop-resume': stopResume,
  '/applications/:id/resend': resend,
  '/applications/:id/resume-endpoint': resumeEndpoint,
  '/applications/:id/erase': erase,
};
