import type { Answer } from './answer.js';
import type { FindingCode } from './findings/findings.js';

/** The result of one check. */
export interface CheckResult {
  /** Stable, e.g. `tampered_body`. */
  readonly name: string;
  /** A short description of the delivery. */
  readonly sent: string;
  /** Whether a correct receiver responds with 2xx (`taken`) or anything else (`refused`). */
  readonly expects: Expectation;
  /** `skipped`: after an earlier result, this check would prove nothing. */
  readonly verdict: 'passed' | 'warned' | 'failed' | 'skipped';
  /** Null if it passed or was skipped. */
  readonly finding: FindingCode | null;
  /** All responses, or only the failing one; empty if skipped. */
  readonly answers: readonly Answer[];
}

/** Whether a correct receiver accepts or rejects a delivery. */
export type Expectation = 'taken' | 'refused';
