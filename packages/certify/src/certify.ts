import { isTaken } from './answer.js';
import type { CheckResult } from './check-result.js';
import { type CertifyOptions, readOptions } from './options.js';
import { runChecks } from './run-checks.js';
import { createSender } from './sender.js';
import { type Finding, summarise } from './summarise.js';
import { shownUrl } from './target-url.js';

/** What was found out about a receiver. Contains no secret. */
export interface CertifyReport {
  /** What was certified, without its query. */
  readonly url: string;
  /** Whether it may go live: nothing was found but warnings. */
  readonly passed: boolean;
  /** What to mend, the most urgent first. */
  readonly findings: readonly Finding[];
  /** Every check, in the order they were made. */
  readonly checks: readonly CheckResult[];
  /** How long good deliveries took that were answered with 2xx, in milliseconds; null if there was none. */
  readonly answerMs: { readonly median: number; readonly slowest: number } | null;
  /** What an answer was allowed to take, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Certifies a receiver: sends it what a right one takes and what a right one refuses, and says what to mend. The
 * events are about things that exist nowhere; the receiver will store and act upon them as on any other.
 *
 * What nobody sees from outside is not certified: whether an event that comes twice counts once, and whether
 * signatures are compared in constant time. Spec: Events.
 *
 * @throws CertifyError `INVALID_OPTIONS` before anything is sent; `RECEIVER_UNREACHABLE` if the first delivery meets
 *   no receiver.
 */
export async function certify(options: CertifyOptions): Promise<CertifyReport> {
  const settings = readOptions(options);
  const checks = await runChecks(settings, createSender(settings));
  const findings = summarise(checks, settings.timeoutMs);
  return {
    url: shownUrl(settings.url),
    passed: findings.every(({ severity }) => severity === 'warning'),
    findings,
    checks,
    answerMs: answerTimes(checks),
    timeoutMs: settings.timeoutMs,
  };
}

function answerTimes(checks: readonly CheckResult[]): CertifyReport['answerMs'] {
  const times = checks
    .filter(({ expects }) => expects === 'taken')
    .flatMap(({ answers }) => answers.filter(isTaken).map(({ tookMs }) => tookMs))
    .sort((a, b) => a - b);
  const [median, slowest] = [times[Math.floor(times.length / 2)], times.at(-1)];
  return median === undefined || slowest === undefined ? null : { median, slowest };
}
