import type { ResendSelection, ResendTarget } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Fields } from '../../http/screen.js';
import { TextField } from '../../view/forms.js';
import { countText, Time } from '../../view/parts.js';
import { RefusedAct } from './define-act.js';

/** Which events a form resends: those of a time, or without a time what is undelivered. */
type Selection = Pick<ResendTarget, 'since' | 'until' | 'only'>;

/** The fields of the time. */
export function SelectionFields() {
  return (
    <>
      <TextField
        name="resendSince"
        type="datetime-local"
        label="All events from (UTC)"
        hint="Empty: what failed."
      />
      <TextField
        name="resendUntil"
        type="datetime-local"
        label="All events before (UTC)"
        hint="Empty: until now."
      />
    </>
  );
}

/** What the form says about its fields. */
export const SELECTION_TEXT =
  'Without a time: dead letters, and what waits for a retry. With a time: every event of it, even delivered ones.';

/** @throws RefusedAct if the time was not understood, or has no start. */
export function readSelection(form: Fields): Selection {
  const since = form.instant('resendSince');
  const until = form.instant('resendUntil');
  if (since === null && (form.text('resendSince') !== null || until !== null))
    throw new RefusedAct('enter-since');
  if (until === null && form.text('resendUntil') !== null) throw new RefusedAct('until-unclear');
  return since === null ? { only: 'undelivered' } : { since, until: until ?? undefined };
}

/** The facts of a confirmation, and of an operation. */
export function selectionFacts({
  since,
  until,
  only,
}: Selection | ResendSelection): readonly (readonly [string, Child])[] {
  const which =
    only === 'undelivered' ? 'dead letters, and what waits for a retry' : 'every event of the time';
  if (since == null) return [['Which', which]];
  return [
    ['Which', which],
    ['From', <Time at={since} />],
    ['Before', until == null ? 'now' : <Time at={until} />],
  ];
}

/** The title of a confirmation. */
export function resendTitle(count: number): string {
  return `Resend ${countText(count)} ${count === 1 ? 'event' : 'events'}?`;
}
