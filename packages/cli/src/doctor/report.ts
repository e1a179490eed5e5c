import { terminalText } from '../report/terminal-text.js';

/** How a check ended. `skipped`: it does not apply, another check must succeed first, or it was left out by its name. */
export type FindingState = 'ok' | 'warning' | 'failed' | 'skipped';

/** What one check found. */
export interface Finding {
  readonly state: FindingState;
  /** One or two sentences. Never contains a password, a key or personal data. */
  readonly finding: string;
  /** What to do. Null if there is nothing to do. */
  readonly fix: string | null;
  /** Whether the check was left out by its name. */
  readonly isAsked?: boolean | undefined;
}

/** The result of one check. */
export interface DoctorResult extends Finding {
  /** The name of the check, such as `schema-version`. Names do not change between releases. */
  readonly name: string;
}

/** The results of all checks, in the order in which they ran. */
export interface DoctorReport {
  readonly checks: readonly DoctorResult[];
}

/**
 * With `strict`, these checks must not be skipped, unless by their name. A deploy with the wrong sealing key stops all webhooks, and tables
 * may lack a trigger.
 */
const REQUIRED = /^(?:sealing-key|schema)(?= of |$)/;

/**
 * Returns 1 if a check failed, otherwise 0. With `strict`, also returns 1 for a warning, for a sealing key that was not
 * tested, and for a schema that was not compared, unless the check was left out by its name.
 */
export function doctorExitCode(report: DoctorReport, { strict = false } = {}): 0 | 1 {
  const isBad = ({ name, state, isAsked = false }: DoctorResult) =>
    state === 'failed' ||
    (strict && (state === 'warning' || (state === 'skipped' && !isAsked && REQUIRED.test(name))));
  return report.checks.some(isBad) ? 1 : 0;
}

/**
 * Returns the report as text for people, with a line for each check and a line of totals, without the last line
 * break.
 */
export function doctorText({ checks }: DoctorReport): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const indent = ' '.repeat(LABEL_WIDTH + width + 4);
  const lines = checks.flatMap(({ name, state, finding, fix }) => [
    `${state.padEnd(LABEL_WIDTH)}  ${name.padEnd(width)}  ${terminalText(finding)}`,
    ...(fix === null
      ? []
      : fix.split('\n').map((line, index) => `${indent}${index === 0 ? 'Fix: ' : ''}${terminalText(line)}`)),
  ]);
  return [...lines, '', totals(checks)].join('\n');
}

const LABEL_WIDTH = 'warning'.length;

function totals(checks: readonly DoctorResult[]): string {
  const count = (state: FindingState) => checks.filter((check) => check.state === state).length;
  const words = `${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed, ${count('skipped')} skipped`;
  return `${checks.length} checks: ${words}.`;
}

export const ok = (finding: string): Finding => ({ state: 'ok', finding, fix: null });
export const warning = (finding: string, fix: string): Finding => ({ state: 'warning', finding, fix });
export const failed = (finding: string, fix: string): Finding => ({ state: 'failed', finding, fix });
export const skippedCheck = (finding: string, fix: string | null = null): Finding => ({
  state: 'skipped',
  finding,
  fix,
});
