import type { OperatorErrorCode } from '@partner-hiring/core';
import type { Fields } from '../../http/screen.js';
import { HiddenFields } from '../../view/forms.js';

const NAME = 'ifCurrent';

/** Keeps in a form which secret is the current one. After the act, the form is outdated. */
export function CurrentField({ value }: { readonly value: string }) {
  return <HiddenFields fields={[[NAME, value]]} />;
}

/** Reads which secret was the current one when the form was shown. A form without it is outdated. */
export function readCurrent(form: Pick<Fields, 'text'>): string {
  return form.text(NAME) ?? '';
}

/** The notice for a form that is sent again after its act, for example because somebody reloaded the page of its answer. */
export interface DoneAlready {
  /** The error of the command for an act that was done already. */
  readonly code: OperatorErrorCode;
  readonly title: string;
  readonly text: string;
}
