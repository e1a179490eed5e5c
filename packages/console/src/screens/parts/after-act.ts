import { OperatorError } from '@partner-hiring/core';
import { pageOfOperatorError } from '../../http/error-pages.js';
import type { DoneName, NoticeNames, RefusedName } from '../../http/notices.js';
import type { PageContent, Redirection } from '../../http/screen.js';

/** Goes to a page that says what was done. */
export function toDone(
  to: string,
  ...parts: readonly (DoneName | readonly [name: DoneName, number: number])[]
): Redirection {
  const notice: NoticeNames = { parts };
  return { kind: 'redirect', to, notice };
}

/** Goes to a page that says why nothing was done. */
export function toRefused(to: string, name: RefusedName): Redirection {
  return { kind: 'redirect', to, notice: { parts: [name] } };
}

/** Runs an act. If the operator refuses it, shows the operator's explanation with a link to `back`. */
export async function explainRefusal(
  back: string,
  act: () => Promise<PageContent | Redirection>,
): Promise<PageContent | Redirection> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code.endsWith('_NOT_FOUND')) throw error;
    return { ...pageOfOperatorError(error), crumbs: [{ label: 'Back', href: back }] };
  }
}
