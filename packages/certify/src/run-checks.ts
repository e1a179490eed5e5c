import {
  type Check,
  type CheckResult,
  createSample,
  judge,
  type ProbeStage,
  type ProbeTransport,
  type SampleType,
  skipped,
  WRONG_SECRET_CHECK,
} from '@partner-hiring/core/probes';
import { CONTENT_CHECKS, EVENT_CHECKS, GROWTH_CHECKS } from './checks/events.js';
import {
  MISREADING_CHECKS,
  OLD_SECRET_CHECK,
  OVERLAP_CHECK,
  SEVERAL_V1_CHECKS,
  SIGNATURE_CHECKS,
} from './checks/signatures.js';
import { STRAIN_CHECKS } from './checks/strain.js';
import { TIME_CHECKS } from './checks/times.js';
import type { Settings } from './options.js';
import { unreachable } from './target-url.js';

/** Findings after which all later checks are skipped, because they would find the same. */
const FINAL: readonly CheckResult['finding'][] = ['went_away', 'redirects', 'throttles', 'answers_too_late'];

/**
 * Runs the checks in order, and skips a check if earlier results make it meaningless.
 * @throws CertifyError with the code `RECEIVER_UNREACHABLE`
 */
export async function runChecks(settings: Settings, sender: ProbeTransport): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const rest = checksFor(settings);
  const add = (result: CheckResult) => {
    results.push(result);
    settings.onCheck(result);
  };

  const runAll = async (checks: readonly Check[], stage: ProbeStage) => {
    for (const check of checks) add(canTell(check, results) ? await runCheck(check, stage) : skipped(check));
  };

  for (const check of EVENT_CHECKS) {
    const result = isOver(results) ? skipped(check) : await runCheck(check, stageOf(sender, check.type));
    const [answer] = result.answers;
    if (results.length === 0 && answer?.kind === 'failed') throw unreachable(settings.url, answer.code);
    add(result);
  }

  const base = EVENT_CHECKS.find(({ name }) => hasDoneRight(results, name))?.type;
  if (base === undefined) {
    const why = isOver(results) ? [] : [WRONG_SECRET_CHECK, ...MISREADING_CHECKS];
    await runAll(why, stageOf(sender, 'job.opened'));
    for (const check of rest) if (!why.includes(check)) add(skipped(check));
    return results;
  }
  await runAll(rest, stageOf(sender, base));
  return results;
}

/** Returns the checks to run after the receiver has accepted an event. */
function checksFor({ secrets, oldSecrets }: Settings): readonly Check[] {
  return [
    ...CONTENT_CHECKS,
    ...SIGNATURE_CHECKS,
    ...TIME_CHECKS,
    ...SEVERAL_V1_CHECKS,
    ...(secrets.length > 1 ? [OVERLAP_CHECK] : []),
    ...(oldSecrets.length > 0 ? [OLD_SECRET_CHECK] : []),
    ...GROWTH_CHECKS,
    ...STRAIN_CHECKS,
  ];
}

function stageOf(sender: ProbeTransport, base: SampleType): ProbeStage {
  return { ...sender, sample: () => createSample(base) };
}

async function runCheck(check: Check, stage: ProbeStage): Promise<CheckResult> {
  return judge(check, await check.run(stage));
}

function isOver(results: readonly CheckResult[]): boolean {
  return results.some(({ finding }) => FINAL.includes(finding));
}

function canTell({ after = [] }: Check, results: readonly CheckResult[]): boolean {
  return !isOver(results) && after.every((name) => hasDoneRight(results, name));
}

/** Returns whether the check with this name passed or warned. A receiver with a warning still reacted correctly. */
function hasDoneRight(results: readonly CheckResult[], name: string): boolean {
  return results.some(
    (result) => result.name === name && (result.verdict === 'passed' || result.verdict === 'warned'),
  );
}
