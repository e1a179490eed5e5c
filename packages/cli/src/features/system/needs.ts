import type { Operation, SystemStatus } from '@partner-hiring/core';
import type { AnyOperator } from '../../command/command.js';
import { describeMs, MOST_COUNTED, plural } from '../../doctor/checks/words.js';
import { ONE_DAY_MS, ONE_HOUR_MS, ONE_MINUTE_MS } from '../../doctor/limits.js';
import { moment } from '../../report/report.js';

/** Something that needs a person. */
export interface Need {
  /** The name of the problem, such as `dead-letters`. Names do not change between releases. */
  readonly name: string;
  readonly finding: string;
  readonly fix: string;
}

/** Something that waits for a worker or for the host. */
interface Wait extends Omit<Need, 'finding'> {
  readonly limitMs: number;
  /** Null if nothing waits. */
  readonly since: (status: SystemStatus) => number | null;
  readonly finding: (duration: string, status: SystemStatus) => string;
}

/** A killed worker's leases end after 90 seconds. Then another one continues. */
const WORKER_MS = 5 * ONE_MINUTE_MS;
/** A delivery or an item of the inbox that is due waits for seconds. */
const WAITING_MS = 10 * ONE_MINUTE_MS;
/** Operations, downloads, removals, alerts and expired rows take a worker's turn, and are repeated after failures. */
const LATE_MS = ONE_HOUR_MS;

const WAITS: readonly Wait[] = [
  {
    name: 'deliveries',
    limitMs: WAITING_MS,
    since: ({ deliveries }) => deliveries.oldestDueAt,
    finding: (duration) => `The oldest due delivery has waited for ${duration}.`,
    fix: '`deliveries count` says whose it is. If a worker runs, check the sealing key with `doctor`, run more workers, or raise `worker.maxInFlight`.',
  },
  {
    name: 'alerts',
    limitMs: LATE_MS,
    since: ({ waiting }) => waiting.oldestAlertAt,
    finding: (duration) => `An alert has waited for ${duration}.`,
    fix: 'If a worker runs, your function `alert` rejects: its log has the error.',
  },
  {
    name: 'inbox',
    limitMs: WAITING_MS,
    since: ({ inbox }) => (inbox.isOn ? inbox.oldestUnreadAt : null),
    finding: (duration) => `The oldest item of the inbox has waited for ${duration}.`,
    fix: 'If a worker runs, your function `receive` rejects or is slow: its log has the error.',
  },
  {
    name: 'resume-downloads',
    limitMs: LATE_MS,
    since: ({ waiting }) => waiting.oldestDownloadAt,
    finding: (duration) => `The download of a résumé is ${duration} late. Partners' links expire.`,
    fix: 'If a worker runs, raise `worker.resumeConcurrency`.',
  },
  {
    name: 'resume-removals',
    limitMs: LATE_MS,
    since: ({ waiting }) => waiting.oldestRemovalAt,
    finding: (duration, { waiting: { removals } }) =>
      `The résumés of ${plural(removals, 'erased candidate', 'erased candidates')} are still stored, the first for ${duration}.`,
    fix: "If a worker runs, add `remove` to `resumeSink`, or fix its error: the worker's log has it.",
  },
  {
    name: 'sweeps',
    limitMs: LATE_MS,
    // A worker that sleeps deletes expired rows when it wakes.
    since: ({ at, workers, waiting }) =>
      workers.some(({ sleepsUntil }) => sleepsUntil !== null && sleepsUntil >= at)
        ? null
        : waiting.oldestExpiredAt,
    finding: (duration) => `Expired rows are ${duration} late to be deleted.`,
    fix: 'If a worker runs, its log has the error: a trigger or constraint of yours may refuse the deletion.',
  },
];

/** Returns what needs a person, the causes first. */
export async function findNeeds(operator: AnyOperator, status: SystemStatus): Promise<readonly Need[]> {
  const { items: running } = await operator.operations.list({ state: 'running' });
  const needs = [
    needOfDeployment(status),
    needOfWorker(status, running),
    needOfSecrets(status),
    ...WAITS.map((wait) => needOfWait(wait, status)),
    needOfDeadLetters(status),
    await needOfEndpoints(operator, status),
    needOfParkedItems(status),
    await needOfOperations(operator, status, running),
    ...(await needsOfSync(operator)),
  ];
  return needs.filter((need) => need !== null);
}

function needOfWait({ name, limitMs, since, finding, fix }: Wait, status: SystemStatus): Need | null {
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

function needOfWorker(
  { at, workers, deliveries, waiting }: SystemStatus,
  running: readonly Operation[],
): Need | null {
  if (workers.some(({ isAlive }) => isAlive)) return null;
  const [oldest] = [
    { what: 'a delivery', since: deliveries.oldestDueAt },
    ...running.map(({ updatedAt }) => ({ what: 'an operation', since: updatedAt })),
    { what: 'an alert', since: waiting.oldestAlertAt },
    { what: 'a résumé to download', since: waiting.oldestDownloadAt },
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

function needOfDeadLetters({ deliveries: { dead, isExact } }: SystemStatus): Need | null {
  if (dead === 0) return null;
  const count = plural(dead, 'delivery has', 'deliveries have');
  return {
    name: 'dead-letters',
    finding: `${isExact ? '' : 'At least '}${count} failed ten times and will not be tried again.`,
    fix: 'Find the reason with `deliveries list --state dead`. Then run `deliveries resend`, or `deliveries cancel`.',
  };
}

const MOST_NAMED = 3;

async function needOfEndpoints(operator: AnyOperator, { endpoints }: SystemStatus): Promise<Need | null> {
  const { failing, paused } = endpoints;
  if (failing === 0) return null;
  const { items } = await operator.endpoints.list({ onlyFailing: true, limit: MOST_NAMED });
  const some = items.map(({ partnerName, keyId, state }) => `${partnerName} (${keyId}${pauseOf(state)})`);
  const also = paused === 0 ? '' : ` ${plural(paused, 'endpoint is', 'endpoints are')} paused.`;
  const least = failing < MOST_COUNTED ? '' : 'At least ';
  const count = `${least}${plural(failing, 'endpoint is', 'endpoints are')}`;
  return {
    name: 'endpoints',
    finding: `${count} failing: ${some.join(', ')}.${also}`,
    fix: 'Tell the partners. `endpoints failing` shows why. When a paused endpoint works again, run `endpoints resume`.',
  };
}

function pauseOf(state: { readonly kind: string; readonly reason?: string }): string {
  return state.reason === undefined ? '' : `, paused: ${state.reason}`;
}

function needOfParkedItems({ inbox: { parked, isExact } }: SystemStatus): Need | null {
  if (parked === 0) return null;
  const count = plural(parked, 'item of the inbox is', 'items of the inbox are');
  return {
    name: 'inbox-parked',
    finding: `${isExact ? '' : 'At least '}${count} parked, because the host refused them for a day.`,
    fix: 'Read the errors with `inbox list`, fix the cause, and run `inbox retry-all`.',
  };
}

async function needOfOperations(
  operator: AnyOperator,
  { at }: SystemStatus,
  running: readonly Operation[],
): Promise<Need | null> {
  const name = 'operations';
  const stuck = running.find(({ updatedAt }) => at - updatedAt > LATE_MS);
  if (stuck !== undefined) {
    return {
      name,
      finding: `The operation ${stuck.id} has not continued for ${describeMs(at - stuck.updatedAt)}.`,
      fix: 'An operation continues as soon as a worker runs.',
    };
  }
  const failing = running.find(({ lastError }) => lastError !== null);
  if (failing !== undefined) {
    return {
      name,
      finding: `The last step of the operation ${failing.id} failed. It is given up after ten in a row.`,
      fix: `Read its error with \`operations show ${failing.id}\`, and fix the cause.`,
    };
  }
  const { items } = await operator.operations.list({ state: 'failed' });
  // A sync that failed is repeated from its start, so `needOfSync` looks at the last one only.
  const given = items.find(
    ({ plan, finishedAt }) =>
      plan.kind !== 'sync_jobs' && finishedAt !== null && at - finishedAt < ONE_DAY_MS,
  );
  if (given === undefined) return null;
  return {
    name,
    finding: `The operation ${given.id} was given up in the last 24 hours.`,
    fix: `Read its error with \`operations show ${given.id}\`, fix the cause, and start it again.`,
  };
}

async function needsOfSync(operator: AnyOperator): Promise<readonly (Need | null)[]> {
  const { operation, isHeld, failures, goodAt, refusedRows } = await operator.jobs.syncs.last({
    refusedLimit: 0,
  });
  const reason = operation?.state === 'held' ? ` ${operation.lastError ?? ''}` : '';
  const last = failures === 1 ? 'The last sync of jobs' : `The last ${failures} syncs of jobs`;
  return [
    isHeld
      ? {
          name: 'jobs-sync',
          finding: `A sync of jobs was held, so no missing job was closed.${reason}`,
          fix: 'Check the source. `jobs last-sync` shows the run. If the jobs are really gone, run `jobs sync-soon --apply-held` with its id.',
        }
      : null,
    failures > 0
      ? {
          name: 'jobs-sync-failed',
          finding: `${last} failed. The jobs may be behind their source since ${moment(goodAt)}.`,
          fix: 'See `jobs last-sync`. The log of the process that ran it has the error of the source.',
        }
      : null,
    refusedRows > 0
      ? {
          name: 'jobs-sync-refused',
          finding: `The last good sync of jobs refused ${plural(refusedRows, 'row', 'rows')} of its source.`,
          fix: 'See `jobs last-sync`, and fix the rows in the source.',
        }
      : null,
  ];
}
