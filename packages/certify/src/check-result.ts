import type { Answer } from './answer.js';
import type { FindingCode } from './findings.js';

/** What came of one check. */
export interface CheckResult {
  /** Stable, e.g. `tampered_body`. */
  readonly name: string;
  /** What was sent, in a few words. */
  readonly sent: string;
  /** What a right receiver does with it: answers 2xx, or anything else. */
  readonly expects: Expectation;
  /** `skipped`: an earlier check has shown that this one would tell nothing. */
  readonly verdict: 'passed' | 'warned' | 'failed' | 'skipped';
  /** What it shows; null if it passed or was skipped. */
  readonly finding: FindingCode | null;
  /** The answers it was judged by, or that of the one delivery that failed; none if it was skipped. */
  readonly answers: readonly Answer[];
}

/** What a right receiver does with a delivery. */
export type Expectation = 'taken' | 'refused';
