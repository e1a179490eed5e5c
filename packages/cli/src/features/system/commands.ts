import type { SystemStatus } from '@partner-hiring/core';
import type { OperatorCommand } from '../../command/command.js';
import { describeMs, plural } from '../../doctor/checks/words.js';
import { ONE_MINUTE_MS } from '../../doctor/limits.js';
import { deliveryStatus } from '../../groups/deliveries/status.js';
import { moment, unknownCountriesText } from '../../report/report.js';
import {
  type FoundStatus,
  LATE_AFTER_MS,
  type Need,
  type StatusPart,
  type StatusWait,
} from '../../report/status-part.js';
import { terminalText } from '../../report/terminal-text.js';

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

/** A killed worker's leases end after 90 seconds. Then another one continues. */
const WORKER_MS = 5 * ONE_MINUTE_MS;

const SWEEPS: StatusWait = {
  name: 'sweeps',
  limitMs: LATE_AFTER_MS,
  // A worker that sleeps deletes expired rows when it wakes.
  since: ({ at, workers, waiting }) =>
    workers.some(({ sleepsUntil }) => sleepsUntil !== null && sleepsUntil >= at)
      ? null
      : waiting.oldestExpiredAt,
  finding: (duration) => `Expired rows are ${duration} late to be deleted.`,
  fix: 'If a worker runs, its log has the error: a trigger or constraint of yours may refuse the deletion.',
};

/** Returns what needs a person, the causes first. */
async function findNeeds(found: FoundStatus, features: readonly StatusPart[]): Promise<readonly Need[]> {
  const parts = [deliveryStatus, ...features, { waits: [SWEEPS] }];
  const waits = parts.flatMap((part: StatusPart) => part.waits ?? []);
  const needs: (Need | null | false)[] = [
    needOfDeployment(found.status),
    needOfWorker(found, waits),
    needOfSecrets(found.status),
    ...waits.map((wait) => needOfWait(wait, found.status)),
  ];
  for (const part of parts) needs.push(...((await part.needs?.(found)) ?? []));
  return needs.flatMap((need) => need || []);
}

function needOfWait({ name, limitMs, since, finding, fix }: StatusWait, status: SystemStatus): Need | null {
  const waitedMs = status.at - (since(status) ?? status.at);
  return waitedMs > limitMs ? { name, finding: finding(describeMs(waitedMs), status), fix } : null;
}

function needOfDeployment({ deployment: { advice } }: SystemStatus): Need | null {
  if (advice === null) return null;
  return {
    name: 'deployment',
    finding: advice,
    fix: 'Decide whether this database is a copy: docs/copies.md. Pass the name of the process as PARTNER_HIRING_DEPLOYMENT to this command too.',
  };
}

function needOfWorker({ status, running }: FoundStatus, waits: readonly StatusWait[]): Need | null {
  const { at, workers, deliveries } = status;
  if (workers.some(({ isAlive }) => isAlive)) return null;
  const [oldest] = [
    { what: 'a delivery', since: deliveries.oldestDueAt },
    ...running.map(({ updatedAt }) => ({ what: 'an operation', since: updatedAt })),
    ...waits.flatMap(({ what, since }) => (what === undefined ? [] : { what, since: since(status) })),
  ].sort((a, b) => (a.since ?? at) - (b.since ?? at));
  const waitedMs = at - (oldest?.since ?? at);
  if (oldest === undefined || waitedMs <= WORKER_MS) return null;
  return {
    name: 'worker',
    finding: `No worker runs: ${oldest.what} has waited for ${describeMs(waitedMs)}, and no worker was seen for 90 seconds.`,
    fix: 'Call `partnerHiring.worker.start()` in a process that keeps running. If one does, its log says why it does not work.',
  };
}

function needOfSecrets({ workers }: SystemStatus): Need | null {
  const failing = workers.filter(({ isAlive, sealing }) => isAlive && sealing?.failingSince != null);
  if (failing.length === 0) return null;
  const names = failing.map(({ name, pid }) => `${name} (process ${pid})`);
  return {
    name: 'signing-secrets',
    finding: `Signing secrets cannot be opened, so their events wait, in: ${names.join(', ')}.`,
    fix: "The worker's log has the error. Check the key service, or compare the sealing keys with `secrets find`.",
  };
}
