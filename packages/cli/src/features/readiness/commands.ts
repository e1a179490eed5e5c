import type { Readiness, ReadinessRow } from '@partner-hiring/core';
import type { OperatorCommand, Report } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const show = libraryCommand('keys.readiness', readinessReport, { usesSealingKey: true });

/** Shows the go-live checklist of a key. With `--probe`, probes its endpoint first. */
export const readinessCommand: OperatorCommand = {
  ...show,
  options: { ...show.options, probe: { summary: 'Probe the endpoint first' } },
  run: async (operator, input) => {
    if (!input.isSet('probe')) return show.run(operator, input);
    const run = await operator.keys.probe({ id: input.id('key') });
    const report = readinessReport(run.readiness);
    const hasFailed = run.results.some(({ isPassed }) => !isPassed);
    return { ...report, value: run, isBadNews: report.isBadNews === true || hasFailed };
  },
};

function readinessReport(readiness: Readiness): Report {
  const { items, probedAt } = readiness;
  const done = items.filter(({ isDone }) => isDone).length;
  const lines = [
    ...items.map(describeItem),
    '',
    `${done} of ${items.length} done. ${probedAt === null ? 'Never probed.' : `Last probed ${moment(probedAt)}.`}`,
  ];
  return {
    value: readiness,
    text: lines.join('\n'),
    isBadNews: !readiness.isReady,
  };
}

function describeItem({ title, isDone, isRequired, evidence, reason, how }: ReadinessRow): string {
  if (isDone) {
    const since =
      evidence === null ? '' : `, first ${moment(evidence.firstAt)} (${terminalText(evidence.firstId)})`;
    return `done  ${title}${since}`;
  }
  return `${isRequired ? 'NEEDED' : 'open'}  ${title}\n      ${terminalText(reason ?? '')}\n      ${terminalText(how)}`;
}
