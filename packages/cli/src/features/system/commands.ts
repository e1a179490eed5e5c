import type { SystemStatus } from '@partner-hiring/core';
import type { OperatorCommand } from '../../command/command.js';
import { plural } from '../../doctor/checks/words.js';
import { moment, unknownCountriesText } from '../../report/report.js';
import type { Need, StatusPart } from '../../report/status-part.js';
import { terminalText } from '../../report/terminal-text.js';
import { findNeeds } from './needs.js';

/** Returns the command `status`. `partsOf` returns what the features add to it. */
export function createStatus(partsOf: () => readonly StatusPart[]): OperatorCommand {
  return {
    library: 'system.status',
    summary:
      'Shows the health of the installation and what needs a person, and exits with 1 if something does',
    run: async (operator) => {
      const status = await operator.system.status();
      const { items: running } = await operator.operations.list({ state: 'running' });
      const found = { operator, status, running };
      const parts = partsOf();
      const needs = await findNeeds(found, parts);
      const lines = linesOf(status);
      for (const { line } of parts) if (line !== undefined) lines.push(await line(found));
      const text = [...lines, '', ...linesOfNeeds(needs)].join('\n');
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

function linesOfNeeds(needs: readonly Need[]): readonly string[] {
  if (needs.length === 0) return ['Nothing needs a person.'];
  return needs.flatMap(({ name, finding, fix }) => [`${name}: ${terminalText(finding)}`, `  Fix: ${fix}`]);
}
