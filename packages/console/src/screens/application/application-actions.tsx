import type { ApplicationDetails, ApplicationId, Decision, StageMove } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { DoneName } from '../../http/notices.js';
import type { RunAction, ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { Id } from '../../view/ids.js';
import { change, defineAct, RefusedAct } from '../parts/define-act.js';
import { STAGE_CHOICES } from './actions-card.js';

/** Finds the application of the page. @throws NothingHere */
export function findApplicationOfPath({ gate, param }: ScreenAction): Promise<ApplicationDetails> {
  return mustFind(gate.call('applications.find', { id: param('id') as ApplicationId }));
}

const move = defineAct({
  find: async (call) => {
    const { id } = await findApplicationOfPath(call);
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
  find: async (call) => {
    const decision: Decision = call.form.text('decision') === 'accepted' ? 'accepted' : 'rejected';
    return { application: await findApplicationOfPath(call), decision };
  },
  ask: ({ application, decision }) => ({
    title: DECISIONS[decision].title,
    text: [
      'The partner is told with an event if it has an endpoint. A decision is final: it cannot be changed or undone.',
      ...(application.notice ? [application.notice] : []),
    ].join(' '),
    facts: [...applicationFacts(application), ['Decision', decision]],
    confirm: DECISIONS[decision].confirm,
  }),
  run: async ({ application: { id }, decision }, { gate }) => {
    await gate.call('applications.decide', { id, decision });
    return DECISIONS[decision].done;
  },
});

function updateResume(fetch: 'again' | 'stop', done: DoneName, unchanged: DoneName): RunAction {
  return defineAct<ApplicationDetails>({
    find: findApplicationOfPath,
    run: change('applications.updateResume', ({ id }) => ({ id, fetch }), done, unchanged),
  });
}

/** Names the application in a question. */
export function applicationFacts({ id, candidate, status, stage }: ApplicationDetails) {
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
  '/applications/:id/fetch-resume': updateResume('again', 'resume-fetched', 'resume-fetched-before'),
  '/applications/:id/stop-resume': updateResume('stop', 'resume-stopped', 'resume-stopped-before'),
};
