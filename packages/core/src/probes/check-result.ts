import type { FindingCode } from './findings/findings.js';

/**
 * The result of one delivery. `tookMs` is the time until the status line arrives. It counts from the start of the
 * request or, if certify sends the body slowly, from the last piece of the body.
 */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The start of the response body, without control characters and secrets. */
      readonly excerpt: string;
      readonly tookMs: number;
    }
  | { readonly kind: 'timed_out'; readonly tookMs: number }
  | {
      readonly kind: 'failed';
      /** The code of the network error, such as `ECONNREFUSED`, or its message if it has no code. */
      readonly code: string;
      readonly tookMs: number;
    };

/** Returns whether the receiver accepted the delivery with a 2xx. Contract: 12.2. */
export function isTaken(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
}

/** Returns whether the receiver responded with 5xx, or did not respond at all. */
export function isBreakdown(answer: Answer): boolean {
  return answer.kind !== 'answered' || answer.status >= 500;
}

/** The result of one check. */
export interface CheckResult {
  /** The name of the check, such as `tampered_body`. Names never change. */
  readonly name: string;
  /** A short description of the delivery that the check sent. */
  readonly sent: string;
  /** The correct response: 2xx (`taken`) or any other status (`refused`). */
  readonly expects: Expectation;
  /** `skipped`: certify did not run the check, because an earlier result made it meaningless. */
  readonly verdict: 'passed' | 'warned' | 'failed' | 'skipped';
  /** The problem that the check found; null if the check passed or was skipped. */
  readonly finding: FindingCode | null;
  /** All responses if the check passed, only the wrong response if it failed, and none if it was skipped. */
  readonly answers: readonly Answer[];
}

/** The correct reaction to a delivery: the receiver accepts it (`taken`) or rejects it (`refused`). */
export type Expectation = 'taken' | 'refused';
