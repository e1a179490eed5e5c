import { type Answer, isBreakdown, isTaken } from './answer.js';
import type { CheckResult } from './check-result.js';
import type { Check } from './checks/check.js';
import { FINDINGS, type FindingCode } from './findings.js';

type Judged = Pick<Check, 'name' | 'sent' | 'expects' | 'finding'>;

/** Judges what came back. */
export function judge(check: Judged, answers: readonly Answer[]): CheckResult {
  const found = check.expects === 'taken' ? judgeTaken(check, answers) : judgeRefused(check, answers);
  if (found === null) return result(check, 'passed', null, answers);
  const verdict = FINDINGS[found.finding].severity === 'warning' ? 'warned' : 'failed';
  return result(check, verdict, found.finding, [found.answer]);
}

/** A check that would tell nothing. */
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

/** Statuses that say by themselves what is wrong. */
const STATUS_FAULTS: ReadonlyMap<number, FindingCode> = new Map([
  [410, 'answers_gone'],
  [429, 'throttles'],
]);

/** A fault that has nothing to do with what was sent. */
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

/** It took connections before. */
function isGone(answer: Answer): boolean {
  return answer.kind === 'failed' && answer.code === 'ECONNREFUSED';
}

/** Who is throttled was not looked at: it shows nothing of what would have become of it. */
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
