import { type Answer, apiErrorOf } from './answer.js';
import type { PartnerApiError, PartnerConnectionError } from './errors.js';
import type { ApiRequest } from './execute/api-request.js';
import type { AttemptResult } from './execute/attempt.js';
import { judge } from './execute/attempt-decision.js';
import type { ExecuteContext } from './execute/execute-context.js';
import { lastError } from './execute/last-error.js';
import { pauseMs } from './execute/pause.js';
import { tryOnce } from './execute/try-once.js';

/** What a request came to. */
export interface Execution {
  /** An answer that stands, or why there is none. */
  readonly outcome:
    | { readonly kind: 'answered'; readonly answer: Answer }
    | { readonly kind: 'given_up'; readonly error: PartnerApiError | PartnerConnectionError };
  /** Whether an attempt before the last may have been done without our knowing. */
  readonly wasUncertain: boolean;
}

/** Sends a request until it has an answer that stands. It rejects only with what the signal was aborted with. */
export type Execute = (request: ApiRequest) => Promise<Execution>;

/** Builds the one place that talks to the service. */
export function createExecute(context: ExecuteContext): Execute {
  return (request) => execute(context, request);
}

async function execute(context: ExecuteContext, request: ApiRequest): Promise<Execution> {
  const { clock, maxAttempts, maxRetryAfterMs } = context;
  const until = clock.now() + context.totalTimeoutMs;
  let failures = 0;
  let last: AttemptResult | null = null;
  for (let number = 1; ; number += 1) {
    const result = await tryOnce(context, request, number, until);
    if (result === null) break;
    last = result;
    const verdict = judge(result, request.isExpected);
    if (verdict.kind === 'final') {
      return { outcome: { kind: 'answered', answer: verdict.answer }, wasUncertain: failures > 0 };
    }
    if (verdict.kind === 'uncertain') failures += 1;
    const waitMs = pauseMs(context, verdict, failures);
    const isTooLate = clock.now() + Math.max(waitMs, verdict.waitMs) >= until;
    const isTooLong = verdict.waitMs > maxRetryAfterMs;
    if (failures >= maxAttempts || isTooLate || isTooLong) break;
    await clock.sleep(waitMs, request.signal);
  }
  return { outcome: { kind: 'given_up', error: lastError(last) }, wasUncertain: failures > 0 };
}

/** An answer that was expected and stands, or the error that it is. */
export function answerOf({ outcome }: Execution): Answer {
  if (outcome.kind === 'given_up') throw outcome.error;
  const { answer } = outcome;
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw apiErrorOf(answer);
}
