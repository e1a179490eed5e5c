import type { OperatorErrorCode } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Crumb, Fields, PageContent } from '../../http/screen.js';
import { HiddenFields, SelectField } from '../../view/forms.js';
import { Secret } from '../../view/ids.js';
import { durationText, FactList, Note } from '../../view/parts.js';

/**
 * Returns a page that shows secrets once. It must answer a POST, so that the secrets are in no URL, cookie or history.
 * Reloading the page sends the POST again, so the act must refuse to happen twice: see `once` of `defineAct`.
 */
export function secretPage({
  title,
  text,
  facts = [],
  secrets,
  crumbs,
  next,
}: {
  readonly title: string;
  /** What to do with the secrets. */
  readonly text: string;
  /** Facts about the secrets, such as the partner that they belong to. */
  readonly facts?: readonly (readonly [name: string, value: Child])[];
  readonly secrets: readonly (readonly [name: string, value: string])[];
  readonly crumbs: readonly Crumb[];
  readonly next: { readonly label: string; readonly href: string };
}): PageContent {
  const body = (
    <section class="card">
      <Note tone="warn">Save this now. It is not shown again, even if you reload this page.</Note>
      <p>{text}</p>
      <FactList
        facts={[...facts, ...secrets.map(([name, value]) => [name, <Secret value={value} />] as const)]}
      />
      <p>
        <a href={next.href}>{next.label}</a>
      </p>
    </section>
  );
  return { kind: 'page', title, crumbs, body };
}

const NAME = 'ifCurrent';

/**
 * A hidden field that records which secret was current when the form was shown. After the act, the form is outdated.
 */
export function CurrentField({ value }: { readonly value: string }) {
  return <HiddenFields fields={[[NAME, value]]} />;
}

/** Reads which secret was current when the form was shown. A form without this field counts as outdated. */
export function readCurrent(form: Pick<Fields, 'text'>): string {
  return form.text(NAME) ?? '';
}

/** The notice for a form that is sent again after its act, for example because the page of its answer was reloaded. */
export interface DoneAlready {
  /** The error of the command for an act that was done already. */
  readonly code: OperatorErrorCode;
  readonly title: string;
  readonly text: string;
}

const HOUR_MS = 3_600_000;

const OVERLAPS = [
  ['24', '24 hours'],
  ['1', '1 hour'],
  ['168', '7 days'],
] as const;

/** Chooses how long old secrets continue to work. */
export function OverlapField({
  label,
  atOnce = 'Stop them now',
}: {
  readonly label: string;
  /** The choice that stops them at once. */
  readonly atOnce?: string;
}) {
  return <SelectField name="overlap" label={label} options={[...OVERLAPS, ['0', atOnce]]} value="24" />;
}

/** Reads the choice, in milliseconds. The default is 24 hours. */
export function readOverlap(form: Pick<Fields, 'text'>): number {
  const given = form.text('overlap');
  if (given === '0') return 0;
  return Number(OVERLAPS.find(([value]) => value === given)?.[0] ?? '24') * HOUR_MS;
}

/** Says how long old secrets continue to work after a rotation. */
export function overlapFact(overlapMs: number, verb: 'work' | 'sign'): string {
  const until = durationText(overlapMs);
  return overlapMs === 0 ? `do not ${verb} anymore` : `${verb} for ${until} more`;
}
