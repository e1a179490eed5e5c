import { isTaken } from './answer.js';
import type { CheckResult } from './check-result.js';
import { type CertifyOptions, readOptions } from './options.js';
import { runChecks } from './run-checks.js';
import { createSender } from './sender.js';
import { type Finding, summarise } from './summarise.js';
import { shownUrl } from './target-url.js';

/** The result of a certification. Contains no secrets. */
export interface CertifyReport {
  /** The receiver's URL without its query. */
  readonly url: string;
  /** Whether the receiver may go live: all findings are warnings. */
  readonly passed: boolean;
  /** The findings, the most urgent first. */
  readonly findings: readonly Finding[];
  /** All checks in order. */
  readonly checks: readonly CheckResult[];
  /** Response times of accepted deliveries, in milliseconds; null if none was accepted. */
  readonly answerMs: { readonly median: number; readonly slowest: number } | null;
  /** The timeout of a response, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Certifies a webhook receiver: sends deliveries that it must accept and deliveries that it must reject, and reports
 * how to fix it. The events describe made-up jobs and applications, but the receiver processes them like real ones.
 * Cannot check whether duplicates are ignored, or whether signatures are compared in constant time. Spec: Events.
 * @throws CertifyError `INVALID_OPTIONS` before anything is sent; `RECEIVER_UNREACHABLE` if the first delivery fails
 *   to connect.
 * @example
 * ```ts
 * const report = await certify({
 *   url: 'http://localhost:3001/webhooks',
 *   secret: process.env.WEBHOOK_SECRET ?? '',
 * });
 * for (const { code, summary, remedy } of report.findings) console.log(code, summary, remedy);
 * ```
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
