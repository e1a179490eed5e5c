import { apiErrorOf } from '../answer.js';
import { type PartnerApiError, PartnerConnectionError } from '../errors.js';
import type { AttemptResult } from './attempt.js';

/** Why a request was given up after this last attempt; null: none was made. */
export function lastError(last: AttemptResult | null): PartnerApiError | PartnerConnectionError {
  if (last === null) {
    const message = 'It was not sent: the wait for the rate limit took longer than totalTimeoutMs.';
    return new PartnerConnectionError('throttled', message);
  }
  if (last.kind === 'lost') {
    const message =
      last.reason === 'timeout' ? 'No answer within timeoutMs.' : `No answer: ${describe(last.cause)}.`;
    return new PartnerConnectionError(last.reason, message, { cause: last.cause });
  }
  const { answer } = last;
  if (answer.status >= 300) return apiErrorOf(answer);
  const message = `The answer with status ${answer.status} is not what the service sends: see that baseUrl is right.`;
  return new PartnerConnectionError('invalid_answer', message);
}

/** `fetch` says no more than that it failed; why is in its cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return String(error);
  return `${error.message} (${reasonOf(error.cause)})`;
}

/** Where several addresses were tried, the error has no message, but a code. */
function reasonOf(cause: Error): string {
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}
