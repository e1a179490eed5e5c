import type { Check } from './check.js';
import { type Answer, type CheckResult, isBreakdown, isTaken } from './check-result.js';
import { FINDINGS, type FindingCode } from './findings/findings.js';

type Judged = Pick<Check, 'name' | 'sent' | 'expects' | 'finding'>;

export function judge(check: Judged, answers: readonly Answer[]): CheckResult {
  const found = check.expects === 'taken' ? judgeTaken(check, answers) : judgeRefused(check, answers);
  if (found === null) return result(check, 'passed', null, answers);
  const verdict = FINDINGS[found.finding].severity === 'warning' ? 'warned' : 'failed';
  return result(check, verdict, found.finding, [found.answer]);
}

/** Returns the result of a check that was skipped. */
export function skipped(check: Judged): CheckResult {
  return result(check, 'skipped', null, []);
}

interface Found {
  readonly finding: FindingCode;
  readonly answer: Answer;
}

function judgeTaken({ finding }: Judged, answers: readonly Answer[]): Found | null {
  const answer = answers.find((one) => !isTaken(one));
  return answer === undefined ? null : { finding: generalFault(answer) ?? finding, answer };
}

/** The findings for statuses that mean the same in every check. */
const STATUS_FAULTS: ReadonlyMap<number, FindingCode> = new Map([
  [410, 'answers_gone'],
  [429, 'throttles'],
]);

/** Returns the finding for a response that means the same in every check, such as a redirect; null otherwise. */
function generalFault(answer: Answer): FindingCode | null {
  if (answer.kind === 'timed_out') return 'answers_too_late';
  if (answer.kind === 'failed') return isGone(answer) ? 'went_away' : null;
  if (answer.status >= 300 && answer.status < 400) return 'redirects';
  return STATUS_FAULTS.get(answer.status) ?? null;
}

function judgeRefused({ finding }: Judged, answers: readonly Answer[]): Found | null {
  const taken = answers.find(isTaken);
  if (taken !== undefined) return { finding, answer: taken };
  const gone = answers.find(isGone);
  if (gone !== undefined) return { finding: 'went_away', answer: gone };
  const broken = answers.find(isBreakdown);
  if (broken !== undefined) return { finding: 'fails_instead_of_refusing', answer: broken };
  const throttled = answers.find(isThrottled);
  return throttled === undefined ? null : { finding: 'throttles_instead_of_refusing', answer: throttled };
}

/** Returns whether the receiver refused the connection. It has accepted connections before, so it may have crashed. */
function isGone(answer: Answer): boolean {
  return answer.kind === 'failed' && answer.code === 'ECONNREFUSED';
}

/** Returns whether the receiver responded with 429, which hides whether it would have accepted the delivery. */
function isThrottled(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status === 429;
}

function result(
  { name, sent, expects }: Judged,
  verdict: CheckResult['verdict'],
  finding: FindingCode | null,
  answers: readonly Answer[],
): CheckResult {
  return { name, sent, expects, verdict, finding, answers };
}
