import type { Answer, CheckResult, FindingSeverity } from '@partner-hiring/core/probes';
import type { CertifyReport } from './certify.js';
import type { Finding } from './summarise.js';
import { type Color, painted } from './terminal-text.js';

export interface ReportText {
  /** Formats the result of a check as one line. */
  check(result: CheckResult): string;
  /** Formats the findings, the response times and the outcome for the end of the report. */
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
  'Not checked: whether duplicate events are ignored (compare the id), and whether signatures are compared in\n' +
  'constant time.';

export function createReportText(isColoured: boolean): ReportText {
  const paint = (color: Color, text: string) => (isColoured ? painted(color, text) : text);

  function check({ name, sent, expects, verdict, answers }: CheckResult): string {
    const [mark, color] = VERDICTS[verdict];
    const must = expects === 'taken' ? 'take  ' : 'refuse';
    const answer = answers.map(describeAnswer).join(', ') || 'skipped after an earlier result';
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
      `  Fix      ${remedy}`,
      `  Read     the webhook guide, "${guide}"`,
      ...checks.map((name) => `  Seen     ${evidence(all.checks.find((one) => one.name === name))}`),
    ].join('\n');
  }

  function conclusion(report: CertifyReport): string {
    return [
      ...report.findings.map((one) => finding(one, report)),
      ...(report.answerMs === null ? [] : [times(report.answerMs, report.timeoutMs)]),
      UNSEEN,
      outcomeOf(report),
    ].join('\n\n');
  }

  function outcomeOf({ passed, findings, url }: CertifyReport): string {
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
  const typical = Math.round(median);
  const longest = Math.round(slowest);
  return `Responses to good deliveries: median ${typical} ms, slowest ${longest} ms. The timeout is ${timeoutMs} ms.`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'answered':
      return `${answer.status} in ${Math.round(answer.tookMs)} ms`;
    case 'timed_out':
      return `no response in ${Math.round(answer.tookMs)} ms`;
    case 'failed':
      return `connection failed (${answer.code})`;
  }
}
