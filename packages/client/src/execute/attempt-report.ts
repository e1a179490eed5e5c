import { requestIdOf } from '../answer.js';
import type { AttemptResult } from './attempt.js';

/** One attempt, for logs and metrics. It holds no key and nothing of the candidate. */
export interface AttemptReport {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Counts from 1 within a request. */
  readonly attempt: number;
  /** Null if there was no answer; `failure` says why. */
  readonly status: number | null;
  readonly failure: 'network' | 'timeout' | null;
  /** `X-Request-Id`; null if there was no answer, or none of the service's. */
  readonly requestId: string | null;
  readonly durationMs: number;
}

/** What an attempt says of itself, besides what came of it. */
type AttemptFacts = Pick<AttemptReport, 'method' | 'path' | 'attempt' | 'durationMs'>;

/** Tells what came of an attempt. */
export function reportOf(
  { method, path, attempt, durationMs }: AttemptFacts,
  result: AttemptResult,
): AttemptReport {
  const answer = result.kind === 'answered' ? result.answer : null;
  return {
    method,
    path,
    attempt,
    status: answer?.status ?? null,
    failure: result.kind === 'lost' ? result.reason : null,
    requestId: answer === null ? null : requestIdOf(answer),
    durationMs,
  };
}
