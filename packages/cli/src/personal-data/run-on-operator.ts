import type { Dialog } from '../ask-on-terminal.js';
import type { AnyOperator, OperatorCommand, Report } from '../command/command.js';
import type { RunLine } from '../command/parse-command-line.js';
import { maskResults } from './mask-results.js';
import { recordReveal } from './record-reveal.js';

/**
 * Runs a command, and masks personal data in its report. If the command line reveals the data, first records in the
 * audit who saw whose data.
 */
export async function runOnOperator(
  operator: AnyOperator,
  command: OperatorCommand,
  { input, isRevealed }: Pick<RunLine, 'input' | 'isRevealed'>,
  dialog?: Dialog,
): Promise<Report> {
  if (!isRevealed) return command.run(maskResults(operator), input, dialog);
  const report = await command.run(operator, input, dialog);
  await recordReveal(operator, report.value, input);
  return report;
}
