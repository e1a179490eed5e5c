import { type CheckResult, isTaken } from '@partner-hiring/core/probes';
import { type CertifyOptions, readOptions } from './options.js';
import { runChecks } from './run-checks.js';
import { createSender } from './sender.js';
import { type Finding, summarise } from './summarise.js';
import { shownUrl } from './target-url.js';

/** The result of a certification. Contains no secrets. */
export interface CertifyReport {
  /** The receiver's URL without its query. */
  readonly url: string;
  /** True if there are no findings other than warnings, so the receiver may go live. */
  readonly passed: boolean;
  /** The findings. The most urgent one comes first. */
  readonly findings: readonly Finding[];
  /** All checks in order. */
  readonly checks: readonly CheckResult[];
  /** Response times of the accepted deliveries, in milliseconds; null if the receiver accepted no delivery. */
  readonly answerMs: { readonly median: number; readonly slowest: number } | null;
  /** How long certify waited for each response, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Tests a webhook receiver. Sends deliveries that the receiver must accept and deliveries that it must reject, and
 * reports its faults and their fixes. The events describe made-up jobs and applications, but the receiver processes
 * them like real ones. Does not check whether the receiver ignores duplicates, or compares signatures in constant
 * time. Contract: 10 to 12, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 * @throws CertifyError with the code `INVALID_OPTIONS`, before certify sends anything, or `RECEIVER_UNREACHABLE` if
 *   the first delivery gets no response because the connection fails.
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
  const median = times[Math.floor(times.length / 2)];
  const slowest = times.at(-1);
  return median === undefined || slowest === undefined ? null : { median, slowest };
}
