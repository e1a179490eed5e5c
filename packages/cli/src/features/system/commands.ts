import { INBOX_IS_OFF, type SystemStatus } from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand } from '../../command/command.js';
import { atMost, MOST_COUNTED, plural } from '../../doctor/checks/words.js';
import { ONE_DAY_MS } from '../../doctor/limits.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { unknownCountriesText } from '../../report/unknown-countries.js';
import { findNeeds, type Need } from './needs.js';

/** The command `status`. */
export const status: OperatorCommand = {
  library: 'system.status',
  summary: 'Shows the health of the installation and what needs a person, and exits with 1 if something does',
  run: async (operator) => {
    const found = await operator.system.status();
    const needs = await findNeeds(operator, found);
    const lines = [...linesOf(found), await inboxLine(operator, found), '', ...linesOfNeeds(needs)];
    return { text: lines.join('\n'), value: { ...found, needs }, isBadNews: needs.length > 0 };
  },
};

function linesOf({ release, storage, workers, lastSweepAt, ...found }: SystemStatus): readonly string[] {
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

/** A host that erases while the inbox is off is reminded for so long. */
const ERASED_MS = 30 * ONE_DAY_MS;

async function inboxLine({ applications }: AnyOperator, { at, inbox }: SystemStatus): Promise<string> {
  const { isOn, unread, parked, isExact } = inbox;
  if (isOn) return `Inbox: ${unread} unread, ${parked} parked${isExact ? '' : ', or more'}.`;
  const erased = await applications.list({ erasedSince: at - ERASED_MS, limit: MOST_COUNTED });
  const count = erased.nextCursor === null ? erased.items.length : MOST_COUNTED + 1;
  if (count === 0) return 'Inbox: off.';
  const were = `${atMost(count)} ${count === 1 ? 'application was' : 'applications were'}`;
  return `${INBOX_IS_OFF} ${were} erased in the last 30 days: see \`applications list --erased-since 30d\`.`;
}

function linesOfNeeds(needs: readonly Need[]): readonly string[] {
  if (needs.length === 0) return ['Nothing needs a person.'];
  return needs.flatMap(({ name, finding, fix }) => [`${name}: ${terminalText(finding)}`, `  Fix: ${fix}`]);
}
