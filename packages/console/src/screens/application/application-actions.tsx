import type {
  ApplicationDetails,
  ApplicationId,
  Decision,
  EvaluationStage,
  StageMove,
} from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import { mustFind } from '../../gate/refusals.js';
import type { DoneName } from '../../http/notices.js';
import type { RunAction, ScreenAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ActionButton, SelectField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { Section } from '../../view/parts.js';
import { change, defineAct, RefusedAct } from '../parts/define-act.js';

/** Finds the application of the page. @throws NothingHere */
export function findApplicationOfPath({ gate, param }: ScreenAction): Promise<ApplicationDetails> {
  return mustFind(gate.call('applications.find', { id: param('id') as ApplicationId }));
}

/** The stages of an evaluation, for a choice. */
const STAGE_CHOICES = [
  ['video_interview', 'Video interview'],
  ['under_review', 'Under review'],
  ['final_review', 'Final review'],
] as const satisfies readonly (readonly [EvaluationStage, string])[];

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
    isFinal: true,
  }),
  run: async ({ application: { id }, decision }, { gate }) => {
    await gate.call('applications.decide', { id, decision });
    return DECISIONS[decision].done;
  },
});

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
};

interface ActionsCardProps {
  readonly call: ScreenCall;
  readonly application: ApplicationDetails;
  /** Acts that features add. */
  readonly buttons: readonly Child[];
}

/** The acts that this application and the rights of the actor allow. */
export function ActionsCard({ call, application, buttons }: ActionsCardProps) {
  const { gate } = call;
  const { id, status, stage, notice = null } = application;
  const to = (act: string) => call.at(`/applications/${id}/${act}`);
  const isOpen = status === 'received' || status === 'in_progress';
  const mayMove = isOpen && gate.may('applications:move');
  const mayDecide = status === 'in_progress' && gate.may('applications:decide');
  if (!mayMove && !mayDecide && buttons.length === 0) return null;
  return (
    <Section title="Actions">
      {notice !== null && (mayMove || mayDecide) ? <p class="hint">{notice}</p> : null}
      <div class="actions">
        {mayMove ? (
          <form class="inline" method="post" action={to('move')}>
            <SelectField
              name="stage"
              label={status === 'received' ? 'Begin the evaluation at' : 'Move to the stage'}
              any={status === 'received' ? undefined : 'Choose a stage'}
              options={STAGE_CHOICES.filter(([choice]) => choice !== stage)}
            />
            <button type="submit">{status === 'received' ? 'Begin' : 'Move'}</button>
          </form>
        ) : null}
        {(mayDecide ? (['accepted', 'rejected'] as const) : []).map((decision) => (
          <ActionButton
            action={to('decide')}
            label={`${DECISIONS[decision].confirm}…`}
            fields={{ decision }}
          />
        ))}
        {[...buttons]}
      </div>
    </Section>
  );
}
