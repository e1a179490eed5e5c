import type { SystemStatus } from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand } from '../../command/command.js';
import { plural } from '../../doctor/checks/words.js';
import { moment, unknownCountriesText } from '../../report/report.js';
import { alertsText, withFixes } from './alert-commands.js';

/** Returns a line of `status` about a feature. */
export type StatusLine = (operator: AnyOperator, status: SystemStatus) => Promise<string>;

/** Returns the command `status`. `partsOf` returns the lines that the features add to it. */
export function createStatus(partsOf: () => readonly StatusLine[]): OperatorCommand {
  return {
    library: 'system.status',
    summary:
      'Shows the health of the installation and what needs a person, and exits with 1 if something does',
    run: async (operator) => {
      const status = await operator.system.status();
      const needs = withFixes(await operator.alerts.open());
      const lines = linesOf(status);
      for (const lineOf of partsOf()) lines.push(await lineOf(operator, status));
      const text = [...lines, '', alertsText(needs)].join('\n');
      return { text, value: { ...status, needs }, isBadNews: needs.length > 0 };
    },
  };
}

function linesOf({ release, storage, workers, lastSweepAt, ...found }: SystemStatus): string[] {
  const { deliveries, endpoints, runningOperations } = found;
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  const { due, scheduled, paused, dead, isExact } = deliveries;
  return [
    `Release ${release} on ${storage.kind} ${storage.version}, with migration ${storage.schemaVersion}.`,
    `${plural(alive, 'worker runs', 'workers run')}. Expired rows were last deleted: ${moment(lastSweepAt)}.`,
    `Deliveries: ${due} due, ${scheduled} scheduled, ${paused} paused, ${dead} dead${isExact ? '' : ', or more'}.`,
    `Endpoints: ${endpoints.active} active, ${endpoints.paused} paused, ${endpoints.failing} failing, ${endpoints.slowed} sent to slowly.`,
    `Operations: ${runningOperations} running.`,
    unknownCountriesText(found.unknownCountries),
  ].filter((line) => line !== '');
}
