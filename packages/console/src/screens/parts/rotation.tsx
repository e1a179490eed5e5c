/** The parts of the acts that rotate an API key or a signing secret, of a partner by the platform and by itself. */
import type { OperatorErrorCode } from '@partner-hiring/core';
import type { Fields } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { HiddenFields, SelectField } from '../../view/forms.js';
import { durationText } from '../../view/parts.js';

const CURRENT = 'ifCurrent';
const OVERLAP = 'overlap';
const HOUR_MS = 3_600_000;

/** For how long, in hours. */
export const HOURS = [
  ['24', '24 hours'],
  ['1', '1 hour'],
  ['168', '7 days'],
] as const;

/**
 * Returns the part of a confirmation that chooses how long what is replaced continues to work. A hidden field records which
 * secret was current when the form was shown, so that the form is outdated after the act.
 * @param atOnce - the choice that stops the old secrets at once.
 */
export function askOverlap(current: string, label: string, atOnce: string) {
  const more = (
    <>
      <HiddenFields fields={[[CURRENT, current]]} />
      <SelectField name={OVERLAP} label={label} options={[...HOURS, ['0', atOnce]]} value="24" />
    </>
  );
  return { confirm: LABELS.button.rotate, more };
}

/** Reads the choice, 24 hours by default, and which secret was current. A form without the latter counts as outdated. */
export function readRotation(form: Pick<Fields, 'text'>): {
  readonly overlapMs: number;
  readonly ifCurrent: string;
} {
  const given = form.text(OVERLAP);
  const hours = given === '0' ? 0 : Number(HOURS.find(([value]) => value === given)?.[0] ?? '24');
  return { overlapMs: hours * HOUR_MS, ifCurrent: form.text(CURRENT) ?? '' };
}

/** Says how long what was replaced continues to work, after `does`. */
export function overlapFact(
  overlapMs: number,
  [does, doesNot]: readonly [does: string, doesNot: string],
): string {
  return overlapMs === 0 ? `${doesNot} anymore` : `${does} for ${durationText(overlapMs)} more`;
}

/** The notice for a form that is submitted again after its act, for example because the page of its answer was reloaded. */
export interface DoneAlready {
  /** The error of the command for an act that was done already. */
  readonly code: OperatorErrorCode;
  readonly title: string;
  readonly text: string;
}

/** The notice for a form that was sent after a rotation. */
export function rotatedAlready(what: 'API key' | 'signing secret'): () => DoneAlready {
  return () => ({
    code: 'SECRET_REPLACED',
    title: `The ${what} was rotated already`,
    text: `This form was sent after a rotation, so nothing was done. A new ${what} is shown only once. If nobody saved it, go back and rotate again.`,
  });
}
