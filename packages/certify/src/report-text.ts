import { describeAnswer } from './answer.js';
import type { CertifyReport } from './certify.js';
import type { CheckResult } from './check-result.js';
import type { FindingSeverity } from './findings.js';
import type { Finding } from './summarise.js';

/** Codes of the terminal. `styleText` of Node asks the terminal by itself in some versions, and not in others. */
const COLORS = { red: 31, green: 32, yellow: 33, gray: 90 } as const;
type Color = keyof typeof COLORS;

/** Writes reports for people. */
export interface ReportText {
  /** A check as one line. */
  check(result: CheckResult): string;
  /** What was found and what to do, once all checks are made. */
  conclusion(report: CertifyReport): string;
}

const VERDICTS: Readonly<Record<CheckResult['verdict'], readonly [mark: string, color: Color]>> = {
  passed: ['ok  ', 'green'],
  warned: ['warn', 'yellow'],
  failed: ['FAIL', 'red'],
  skipped: ['skip', 'gray'],
};

const SEVERITIES: Readonly<Record<FindingSeverity, readonly [mark: string, color: Color]>> = {
  security: ['SECURITY', 'red'],
  fault: ['FAULT', 'red'],
  warning: ['WARNING', 'yellow'],
};

const UNSEEN =
  'Not visible from outside: whether an event that comes twice is acted upon once (deduplicate on its id), and\n' +
  'whether signatures are compared in constant time.';

/** Writes in colour or without. */
export function createReportText(isColoured: boolean): ReportText {
  const paint = (color: Color, text: string) =>
    isColoured ? `\u001b[${COLORS[color]}m${text}\u001b[39m` : text;

  function check({ name, sent, expects, verdict, answers }: CheckResult): string {
    const [mark, color] = VERDICTS[verdict];
    const must = expects === 'taken' ? 'take  ' : 'refuse';
    const answer = answers.map(describeAnswer).join(', ') || 'would tell nothing';
    return `${paint(color, mark)}  ${must}  ${name.padEnd(26)}  ${sent}: ${answer}`;
  }

  function finding(
    { code, severity, summary, meaning, remedy, guide, checks }: Finding,
    all: CertifyReport,
  ): string {
    const [mark, color] = SEVERITIES[severity];
    return [
      `${paint(color, mark)}  ${code}`,
      `  ${summary}`,
      `  Meaning  ${meaning}`,
      `  Mend it  ${remedy}`,
      `  Read     the webhook guide, "${guide}"`,
      ...checks.map((name) => `  Seen     ${evidence(all.checks.find((one) => one.name === name))}`),
    ].join('\n');
  }

  function conclusion(report: CertifyReport): string {
    return [
      ...report.findings.map((one) => finding(one, report)),
      ...(report.answerMs === null ? [] : [times(report.answerMs, report.timeoutMs)]),
      UNSEEN,
      verdictOf(report),
    ].join('\n\n');
  }

  function verdictOf({ passed, findings, url }: CertifyReport): string {
    if (passed && findings.length === 0) return paint('green', `Passed: ${url}`);
    if (passed) return paint('yellow', `Passed with ${counted(findings.length, 'warning')}: ${url}`);
    const warnings = findings.filter(({ severity }) => severity === 'warning').length;
    const rest = warnings === 0 ? '' : ` and ${counted(warnings, 'warning')}`;
    return paint('red', `Failed with ${counted(findings.length - warnings, 'finding')}${rest}: ${url}`);
  }

  return { check, conclusion };
}

function evidence(result: CheckResult | undefined): string {
  if (result === undefined) return '';
  const { name, sent, answers } = result;
  const said = answers.flatMap((answer) =>
    answer.kind === 'answered' && answer.excerpt ? [answer.excerpt] : [],
  );
  const quoted = said.length === 0 ? '' : `, saying: ${said[0]}`;
  return `${name}, ${sent}: ${answers.map(describeAnswer).join(', ')}${quoted}`;
}

function times({ median, slowest }: NonNullable<CertifyReport['answerMs']>, timeoutMs: number): string {
  const [typical, longest] = [Math.round(median), Math.round(slowest)];
  return `Answers to good deliveries: ${typical} ms in the median, ${longest} ms at most. The time-out is ${timeoutMs} ms.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
