import type { Endpoint, EndpointState, KeyId } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { RowAct } from '../../view/data-table.js';
import { ActionButton, SelectField, SubmitButton, TextField } from '../../view/forms.js';
import { Section } from '../../view/parts.js';
import { choicesOf } from '../parts/choices.js';
import { isKeptPaused } from './endpoint-texts.js';

interface EndpointActionsCardProps {
  readonly call: ScreenCall;
  readonly keyId: KeyId;
  /** Null if the key has none. */
  readonly endpoint: Endpoint | null;
}

/** Resumes and pauses an endpoint, as far as its state and the actor's rights allow. */
export function pausingActs({ gate, at }: ScreenCall, keyId: KeyId, state: EndpointState): readonly RowAct[] {
  const to = (act: string) => at(`/endpoints/${keyId}/${act}`);
  const isPaused = state.kind === 'paused';
  return [
    ...(isPaused && gate.may('endpoints:resume')
      ? [{ action: to('resume'), label: `${LABELS.button.resume}…` }]
      : []),
    ...(!isKeptPaused(state) && gate.may('endpoints:pause')
      ? [{ action: to('pause'), label: isPaused ? 'Keep paused…' : `${LABELS.button.pause}…` }]
      : []),
  ];
}

/** The acts that this endpoint and the rights of the actor allow. */
export function EndpointActionsCard({ call, keyId, endpoint }: EndpointActionsCardProps) {
  const { gate } = call;
  const to = (act: string) => call.at(`/endpoints/${keyId}/${act}`);
  const isPaused = endpoint?.state.kind === 'paused';
  const isSlowed = endpoint != null && endpoint.health.gap !== null;
  const mayTest = endpoint !== null && gate.may('endpoints:test');
  const mayResume = endpoint !== null && gate.may('endpoints:resume');
  const mayPause = endpoint !== null && !isKeptPaused(endpoint.state) && gate.may('endpoints:pause');
  const mayRotate = endpoint !== null && gate.may('endpoints:rotate-secret');
  const maySetUrl = gate.may('endpoints:set-url');
  if (!mayTest && !mayResume && !mayPause && !mayRotate && !maySetUrl) return null;
  return (
    <Section title="Actions">
      <div class="actions">
        {mayResume ? (
          <ActionButton
            action={to('resume')}
            label={
              isPaused ? `${LABELS.button.resume}…` : isSlowed ? `${LABELS.button.tryNow}…` : 'Retry now…'
            }
            tone="primary"
          />
        ) : null}
        {mayTest ? (
          <form class="inline" method="post" action={to('test')} data-slow={LABELS.endpoint.testWaits}>
            <SelectField
              name="type"
              label="Test event"
              value="job.opened"
              options={choicesOf('endpoints.test', 'type')}
            />
            <SubmitButton label="Send a test" />
          </form>
        ) : null}
        {maySetUrl ? (
          <form class="inline" method="post" action={to('set-url')}>
            <TextField
              name="url"
              type="url"
              label={endpoint === null ? 'URL of the new endpoint' : LABELS.endpoint.newUrl}
              isRequired
              maxLength={2000}
            />
            <SubmitButton label={endpoint === null ? 'Add the endpoint…' : 'Set the URL…'} />
          </form>
        ) : null}
        {maySetUrl && endpoint?.replacedUrl ? (
          <ActionButton action={to('restore-url')} label="Restore the old URL…" tone="primary" />
        ) : null}
        {mayRotate ? (
          <ActionButton action={to('rotate-secret')} label={`${LABELS.button.rotateSecret}…`} />
        ) : null}
        {mayPause ? (
          <ActionButton action={to('pause')} label={isPaused ? 'Keep paused…' : `${LABELS.button.pause}…`} />
        ) : null}
      </div>
    </Section>
  );
}
