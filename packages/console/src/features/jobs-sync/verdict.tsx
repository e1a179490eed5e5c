import { highPayText, type LastJobSync } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { ScreenCall } from '../../http/screen.js';
import { ActionButton } from '../../view/forms.js';
import { SYNC_PATH } from './actions.js';
import { heldRun, missingRule, verdictOf } from './texts.js';

/** Says what the last run did, with the buttons that the actor may press. */
export function SyncVerdict({
  call,
  last,
  children,
}: {
  readonly call: ScreenCall;
  readonly last: LastJobSync;
  readonly children?: Child;
}) {
  const { tone, lead, detail } = verdictOf(last);
  const pay = highPayText(last.operation?.sync ?? null);
  return (
    <section
      class={`card news ${tone === 'good' && pay !== '' ? 'warn' : tone}`}
      aria-label="Are the jobs in step with their source?"
    >
      <p class="lead">{lead}</p>
      {detail === '' ? null : <p>{detail}</p>}
      {pay === '' ? null : <p>{pay}</p>}
      {children}
      <SyncButtons call={call} last={last} />
    </section>
  );
}

function SyncButtons({ call, last }: { readonly call: ScreenCall; readonly last: LastJobSync }) {
  const { gate } = call;
  if (!gate.isForAllPartners || !gate.may('jobs:sync')) return null;
  const { operation, dueAt, applyUpTo } = last;
  const mayRun = dueAt !== null && operation?.state !== 'running';
  const held = applyUpTo === null ? heldRun(last) : null;
  if (!mayRun && held === null) return null;
  return (
    <div class="actions">
      {mayRun ? <ActionButton action={call.at(`${SYNC_PATH}/run`)} label="Run now" /> : null}
      {held === null ? null : (
        <ActionButton
          action={call.at(`${SYNC_PATH}/apply`)}
          label={
            missingRule(held) === 'archive'
              ? 'Archive the missing jobs once…'
              : 'Close the missing jobs once…'
          }
          tone="danger"
        />
      )}
    </div>
  );
}
