import {
  type CheckResult,
  FINDINGS,
  type FindingCode,
  type FindingText,
  isTaken,
} from '@partner-hiring/core/probes';

/** A problem that certify found in the receiver. */
export interface Finding extends FindingText {
  readonly code: FindingCode;
  /** The names of the checks that found the problem. */
  readonly checks: readonly string[];
}

/** A response that takes longer than this part of the timeout causes a warning. */
const SLOW_SHARE = 1 / 3;

/** The findings about the secret, which explain why the receiver accepts no event. */
const MISREADINGS: readonly FindingCode[] = ['strips_secret_prefix', 'decodes_secret', 'pads_secret'];

/** Returns the findings of all checks, in order of urgency. Checks that failed for one cause share a finding. */
export function summarise(results: readonly CheckResult[], timeoutMs: number): readonly Finding[] {
  const shown = new Map<FindingCode, string[]>();
  const codeOf = causes(results);
  for (const result of results) {
    const code = codeOf(result);
    if (code !== null) shown.set(code, [...(shown.get(code) ?? []), result.name]);
  }
  const slow = results.filter((result) => isSlow(result, timeoutMs)).map(({ name }) => name);
  if (slow.length > 0) shown.set('answers_slowly', slow);
  return inOrder(shown);
}

/** Returns a function that maps the result of a check to the finding about its cause; null if it has none. */
function causes(results: readonly CheckResult[]): (result: CheckResult) => FindingCode | null {
  const misreading = results.find(
    ({ finding }) => finding !== null && MISREADINGS.includes(finding),
  )?.finding;
  const takesNothing = !results.some(({ expects, verdict }) => expects === 'taken' && verdict === 'passed');
  const verifiesNothing = ['tampered_body', 'wrong_secret'].every((name) =>
    results.some((result) => result.name === name && result.verdict === 'failed'),
  );
  const isThrottled = results.some(({ finding }) => finding === 'throttles');
  return ({ expects, finding, answers }) => {
    if (isThrottled && finding === 'throttles_instead_of_refusing') return 'throttles';
    if (takesNothing && finding === 'refuses_event_type') return misreading ?? 'refuses_everything';
    if (verifiesNothing && expects === 'refused' && answers.some(isTaken)) return 'does_not_verify';
    return finding;
  };
}

function isSlow({ expects, answers }: CheckResult, timeoutMs: number): boolean {
  return (
    expects === 'taken' && answers.some((answer) => isTaken(answer) && answer.tookMs > timeoutMs * SLOW_SHARE)
  );
}

function inOrder(shown: ReadonlyMap<FindingCode, readonly string[]>): readonly Finding[] {
  return Object.entries(FINDINGS).flatMap(([name, text]) => {
    const code = name as FindingCode;
    const checks = shown.get(code);
    return checks === undefined ? [] : [{ code, ...text, checks }];
  });
}
