import { ignoredFieldsOf, requestIdOf } from './answer.js';
import type { AttemptResult, Method } from './attempt.js';

/** Describes a request for logs and metrics. It contains neither the key nor the candidate. */
export interface RequestReport {
  readonly method: Method;
  readonly path: string;
  /** Of a submission; otherwise null. */
  readonly sourceApplicationId: string | null;
  /** The number of this attempt of the request; the first is 1. */
  readonly attempt: number;
}

/** How an attempt ended. */
export interface AttemptReport extends RequestReport {
  /** Null without a response. */
  readonly status: number | null;
  readonly failure: 'network' | 'timeout' | null;
  /** `X-Request-Id`, or null. */
  readonly requestId: string | null;
  readonly durationMs: number;
  /**
   * `X-Ignored-Fields` of the sandbox: fields of the submission that look mistyped, and that the service ignored.
   * Mostly empty.
   */
  readonly ignoredFields: readonly string[];
}

/** Why an attempt is not sent yet. */
export interface WaitReport extends RequestReport {
  readonly reason: 'rate_limit' | 'retry';
  /** In milliseconds. An estimate for a request behind others, which may need several windows of the limit. */
  readonly waitMs: number;
  /** The number of requests that wait before it for the same limit. */
  readonly ahead: number;
}

/** Called for logs and metrics. They change nothing, and the client ignores what they throw. */
export interface Hooks {
  readonly onRequest: (report: RequestReport) => void;
  readonly onAttempt: (report: AttemptReport) => void;
  readonly onWait: (report: WaitReport) => void;
}

export function reportOf(facts: RequestReport, durationMs: number, result: AttemptResult): AttemptReport {
  const answer = result.kind === 'answered' ? result.answer : null;
  return {
    ...facts,
    durationMs,
    status: answer?.status ?? null,
    failure: result.kind === 'lost' ? result.reason : null,
    requestId: answer === null ? null : requestIdOf(answer),
    ignoredFields: answer === null ? [] : ignoredFieldsOf(answer),
  };
}
