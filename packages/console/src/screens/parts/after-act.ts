import { OperatorError } from '@partner-hiring/core';
import type { PageContent, Redirection } from '../../http/screen.js';

/** Goes to a page that says what was done. */
export function toDone(to: string, text: string): Redirection {
  return { kind: 'redirect', to, notice: { kind: 'done', text } };
}

/** Goes to a page that says why nothing was done. */
export function toRefused(to: string, text: string): Redirection {
  return { kind: 'redirect', to, notice: { kind: 'refused', text } };
}

/** Runs an act. If the operator refuses it, goes to `back` with the operator's explanation. */
export async function explainRefusal(
  back: string,
  act: () => Promise<PageContent | Redirection>,
): Promise<PageContent | Redirection> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code.endsWith('_NOT_FOUND')) throw error;
    return toRefused(back, error.message);
  }
}
