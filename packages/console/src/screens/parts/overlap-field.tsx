import type { Fields } from '../../http/screen.js';
import { SelectField } from '../../view/forms.js';

const HOUR_MS = 3_600_000;

const OVERLAPS = [
  ['24', '24 hours'],
  ['1', '1 hour'],
  ['168', '7 days'],
  ['0', 'Not at all: they stop now'],
] as const;

/** Chooses how long old secrets continue to work. */
export function OverlapField({ label }: { readonly label: string }) {
  return <SelectField name="overlap" label={label} options={OVERLAPS} value="24" />;
}

/** Reads the choice, in milliseconds. The default is 24 hours. */
export function readOverlap(form: Pick<Fields, 'text'>): number {
  const hours = OVERLAPS.find(([value]) => value === form.text('overlap'))?.[0] ?? '24';
  return Number(hours) * HOUR_MS;
}
