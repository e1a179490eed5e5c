import type { ResendSelection, ResendTarget } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Fields } from '../../http/screen.js';
import { SubmitButton, TextField } from '../../view/forms.js';
import { countText, type FactRow, Section, Time } from '../../view/parts.js';
import { RefusedAct } from './define-act.js';

/** Which events a form resends: those of a time, or without a time what is undelivered. */
type Selection = Pick<ResendTarget, 'since' | 'until' | 'only'>;

const SELECTION_TEXT =
  'Without a time: dead letters, and what waits for a retry. With a time: every event of it, even delivered ones.';

interface ResendFormProps {
  readonly title: string;
  readonly action: string;
  /** A sentence before what the form says about the time. */
  readonly before?: string;
  readonly after?: string;
  readonly children?: Child;
}

/** A form that resends events, after their count and a confirmation. The children are fields before those of the time. */
export function ResendForm({ title, action, before, after, children }: ResendFormProps) {
  return (
    <Section title={title}>
      <form method="post" action={action}>
        <p>{[before, SELECTION_TEXT, after].filter((text) => text !== undefined).join(' ')}</p>
        <div class="fields">
          {children ?? null}
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
        </div>
        <p class="buttons">
          <SubmitButton label="Count, then resend…" />
        </p>
      </form>
    </Section>
  );
}

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
export function selectionFacts({ since, until, only }: Selection | ResendSelection): readonly FactRow[] {
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
