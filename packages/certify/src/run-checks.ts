import type { CheckResult } from './check-result.js';
import { checksFor } from './checks/all-checks.js';
import type { Check, Stage } from './checks/check.js';
import { EVENT_CHECKS } from './checks/events.js';
import { MISREADING_CHECKS } from './checks/misreadings.js';
import { WRONG_SECRET_CHECK } from './checks/signatures.js';
import { judge, skipped } from './judge.js';
import type { Settings } from './options.js';
import { createSample, type SampleType } from './samples.js';
import type { Sender } from './sender.js';
import { unreachable } from './unreachable.js';

/** Findings after which a receiver is asked nothing more: each further answer would be the same, or none. */
const FINAL: readonly CheckResult['finding'][] = ['went_away', 'redirects', 'throttles', 'answers_too_late'];

/**
 * Runs every check that can tell something, one after the other.
 *
 * @throws CertifyError `RECEIVER_UNREACHABLE` if the first delivery meets no receiver.
 */
export async function runChecks(settings: Settings, sender: Sender): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const rest = checksFor(settings);
  const note = (result: CheckResult) => {
    results.push(result);
    settings.onCheck(result);
  };

  const runAll = async (checks: readonly Check[], stage: Stage) => {
    for (const check of checks) note(canTell(check, results) ? await runCheck(check, stage) : skipped(check));
  };

  for (const check of EVENT_CHECKS) {
    const result = isOver(results) ? skipped(check) : await runCheck(check, stageOf(sender, check.type));
    const [answer] = result.answers;
    if (results.length === 0 && answer?.kind === 'failed') throw unreachable(settings.url, answer.code);
    note(result);
  }

  const base = EVENT_CHECKS.find(({ name }) => hasDoneRight(results, name))?.type;
  if (base === undefined) {
    const why = isOver(results) ? [] : [WRONG_SECRET_CHECK, ...MISREADING_CHECKS];
    await runAll(why, stageOf(sender, 'job.opened'));
    for (const check of rest) if (!why.includes(check)) note(skipped(check));
    return results;
  }
  await runAll(rest, stageOf(sender, base));
  return results;
}

function stageOf(sender: Sender, base: SampleType): Stage {
  return { ...sender, sample: () => createSample(base) };
}

async function runCheck(check: Check, stage: Stage): Promise<CheckResult> {
  return judge(check, await check.run(stage));
}

function isOver(results: readonly CheckResult[]): boolean {
  return results.some(({ finding }) => FINAL.includes(finding));
}

function canTell({ after = [] }: Check, results: readonly CheckResult[]): boolean {
  return !isOver(results) && after.every((name) => hasDoneRight(results, name));
}

/** Perhaps with a warning: what is refused by failing is refused. */
function hasDoneRight(results: readonly CheckResult[], name: string): boolean {
  return results.some(
    (result) => result.name === name && (result.verdict === 'passed' || result.verdict === 'warned'),
  );
}
