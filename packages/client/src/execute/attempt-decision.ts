import { type Answer, apiErrorOf, retryAfterSecondsOf } from '../answer.js';
import type { AttemptResult } from './attempt.js';

/** What an attempt means for the request. */
export type AttemptDecision =
  /** The service has answered, and will not answer otherwise. */
  | { readonly kind: 'final'; readonly answer: Answer }
  /** Nothing was done: its bucket is empty. */
  | { readonly kind: 'throttled'; readonly waitMs: number }
  /** It may have been done or not. The same again, no sooner than that. */
  | { readonly kind: 'uncertain'; readonly waitMs: number };

/** Answers other than 5xx after which the same request may be answered otherwise. */
const PASSING = new Set([408, 425]);

/**
 * Judges an attempt. Only what was answered clearly is final; a success that cannot be read is none.
 *
 * @param isExpected - whether a success has the form that was asked for.
 */
export function judge(result: AttemptResult, isExpected: (answer: Answer) => boolean): AttemptDecision {
  if (result.kind === 'lost') return { kind: 'uncertain', waitMs: 0 };
  const { answer } = result;
  const { status } = answer;
  const waitMs = (retryAfterSecondsOf(answer) ?? 0) * 1_000;
  if (status === 429) return { kind: 'throttled', waitMs };
  const isUnderWay = status === 409 && apiErrorOf(answer).code === 'IDEMPOTENCY_KEY_IN_PROGRESS';
  const isUnreadable = status >= 200 && status < 300 && !isExpected(answer);
  if (status >= 500 || PASSING.has(status) || isUnderWay || isUnreadable)
    return { kind: 'uncertain', waitMs };
  return { kind: 'final', answer };
}
