import type { ApplicationDetails, EvaluationStage } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { ActionButton, SelectField } from '../../view/forms.js';
import { Section } from '../../view/parts.js';

/** The stages of an evaluation, for a choice. */
export const STAGE_CHOICES = [
  ['video_interview', 'Video interview'],
  ['under_review', 'Under review'],
  ['final_review', 'Final review'],
] as const satisfies readonly (readonly [EvaluationStage, string])[];

/** The acts that this application and the rights of the actor allow. */
export function ActionsCard({
  call,
  application,
}: {
  readonly call: ScreenCall;
  readonly application: ApplicationDetails;
}) {
  const { gate } = call;
  const { id, status, stage, resume, resumeUrl, notice = null } = application;
  const to = (act: string) => call.at(`/applications/${id}/${act}`);
  const isOpen = status === 'received' || status === 'in_progress';
  const mayMove = isOpen && gate.may('applications:move');
  const mayDecide = status === 'in_progress' && gate.may('applications:decide');
  const mayChangeFetch = gate.may('applications:fetch-resume');
  const mayFetch = mayChangeFetch && resume.kind === 'failed' && resumeUrl !== null;
  const mayStop = mayChangeFetch && resume.kind === 'pending' && resume.attempts > 0;
  if (!mayMove && !mayDecide && !mayFetch && !mayStop) return null;
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
        {mayDecide ? (
          <>
            <ActionButton
              action={to('decide')}
              label="Hire…"
              fields={{ decision: 'accepted' }}
              tone="secondary"
            />
            <ActionButton
              action={to('decide')}
              label="Reject…"
              fields={{ decision: 'rejected' }}
              tone="secondary"
            />
          </>
        ) : null}
        {mayFetch ? (
          <ActionButton action={to('fetch-resume')} label="Fetch the résumé again" tone="secondary" />
        ) : null}
        {mayStop ? (
          <ActionButton action={to('stop-resume')} label="Stop fetching the résumé" tone="secondary" />
        ) : null}
      </div>
    </Section>
  );
}
