import type { Answer } from './answer.js';
import type { FindingCode } from './findings/findings.js';

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
