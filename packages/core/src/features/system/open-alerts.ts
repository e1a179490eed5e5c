import type { Operation } from '../../domain/operation.js';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../domain/time.js';
import { LIST_LIMIT } from '../../operator/command/fields.js';
import { withKeyNames } from '../../operator/names.js';
import type { Runner } from '../../operator/scope.js';
import { findStatus, type SystemStatus } from './system-status.js';

/** How urgent each alert is. A `critical` one should page somebody, and a `warning` can wait for working hours. */
const SEVERITIES = {
  deployment: 'critical',
  worker: 'critical',
  'signing-secrets': 'warning',
  deliveries: 'warning',
  alerts: 'warning',
  inbox: 'critical',
  'resume-downloads': 'warning',
  'resume-removals': 'warning',
  sweeps: 'warning',
  'dead-letters': 'warning',
  endpoints: 'warning',
  'inbox-parked': 'warning',
  operations: 'warning',
  'jobs-sync': 'warning',
  'jobs-sync-failed': 'warning',
  'jobs-sync-refused': 'warning',
} as const satisfies Readonly<Record<string, 'critical' | 'warning'>>;

/** Something that needs a person now. */
export interface OpenAlert {
  /** The name of the problem, such as `dead-letters`. Names do not change between releases. */
  readonly name: keyof typeof SEVERITIES;
  /** A `critical` alert should page somebody. A `warning` can wait for working hours. */
  readonly severity: 'critical' | 'warning';
  /** Since when; null if that is not stored, or if there are too many dead letters to look at. */
  readonly since: Instant | null;
  /** What is wrong, in a sentence. It may contain the names of partners. */
  readonly finding: string;
}

type Found = Omit<OpenAlert, 'severity'>;

/** A kind of work that waits for a worker or for the host. */
interface Wait {
  readonly name: OpenAlert['name'];
  /** How long it may wait. */
  readonly limitMs: number;
  /** Its words if a worker must run for it, such as `an alert`. */
  readonly what?: string;
  /** Null if nothing waits. */
  readonly since: (status: SystemStatus) => Instant | null;
  readonly finding: (status: SystemStatus) => string;
}

/** A delivery or an item of the inbox that is due waits for seconds. */
const WAITING_MS = 10 * MINUTE_MS;
/** Operations, downloads, removals, alerts and expired rows take a worker's turn, and are repeated after failures. */
const LATE_AFTER_MS = HOUR_MS;

const WAITS: readonly Wait[] = [
  {
    name: 'deliveries',
    limitMs: WAITING_MS,
    what: 'a delivery',
    since: ({ deliveries }) => deliveries.oldestDueAt,
    finding: () => 'A due delivery is not sent.',
  },
  {
    name: 'alerts',
    limitMs: LATE_AFTER_MS,
    what: 'an alert',
    since: ({ waiting }) => waiting.oldestAlertAt,
    finding: () => 'An alert has not reached the platform.',
  },
  {
    name: 'inbox',
    limitMs: WAITING_MS,
    since: ({ inbox }) => (inbox.isOn ? inbox.oldestUnreadAt : null),
    finding: () => 'An item of the inbox has not reached the platform.',
  },
  {
    name: 'resume-downloads',
    limitMs: LATE_AFTER_MS,
    what: 'a résumé to download',
    since: ({ waiting }) => waiting.oldestDownloadAt,
    finding: () => "The download of a résumé is late. Partners' links expire.",
  },
  {
    name: 'resume-removals',
    limitMs: LATE_AFTER_MS,
    since: ({ waiting }) => waiting.oldestRemovalAt,
    finding: ({ waiting: { removals } }) =>
      `The résumés of ${counted(removals, 'erased candidate', 'erased candidates')} are still stored.`,
  },
  {
    name: 'sweeps',
    limitMs: LATE_AFTER_MS,
    // A worker that sleeps deletes expired rows when it wakes.
    since: ({ at, workers, waiting }) =>
      workers.some(({ sleepsUntil }) => sleepsUntil !== null && sleepsUntil >= at)
        ? null
        : waiting.oldestExpiredAt,
    finding: () => 'Expired rows are not deleted.',
  },
];

/** Returns what needs a person now, the causes first. Each costs a few bounded reads. */
export async function findOpenAlerts(runner: Runner): Promise<readonly OpenAlert[]> {
  const status = await findStatus(runner, {});
  const { advice } = status.deployment;
  const running = await runner.read.operations.list({ state: 'running', limit: LIST_LIMIT.default });
  const found = [
    advice === null ? null : { name: 'deployment' as const, since: null, finding: advice },
    ofWorker(status, running),
    ofSecrets(status),
    ...WAITS.map((wait) => ofWait(wait, status)),
    await ofDeadLetters(runner, status),
    await ofEndpoints(runner, status),
    await ofParked(runner, status),
    await ofOperations(runner, status, running),
    ...(await ofJobSync(runner)),
  ];
  return found.flatMap((each) => (each === null ? [] : { ...each, severity: SEVERITIES[each.name] }));
}

/** A killed worker's leases end after 90 seconds. Then another one continues. */
const WORKER_MS = 5 * MINUTE_MS;

function ofWorker(status: SystemStatus, running: readonly Operation[]): Found | null {
  const { at, workers } = status;
  if (workers.some(({ isAlive }) => isAlive)) return null;
  const [oldest] = [
    ...running.map(({ updatedAt }) => ({ what: 'an operation', since: updatedAt })),
    ...WAITS.flatMap(({ what, since }) => (what === undefined ? [] : { what, since: since(status) })),
  ].sort((one, other) => (one.since ?? at) - (other.since ?? at));
  const since = oldest?.since ?? at;
  if (at - since <= WORKER_MS) return null;
  return { name: 'worker', since, finding: `No worker was seen for 90 seconds, and ${oldest?.what} waits.` };
}

function ofSecrets({ workers }: SystemStatus): Found | null {
  const failing = workers.flatMap(({ isAlive, sealing, name, pid }) => {
    const since = sealing?.failingSince ?? null;
    return isAlive && since !== null ? [{ since, name: `${name} (process ${pid})` }] : [];
  });
  if (failing.length === 0) return null;
  const names = failing.map(({ name }) => name).join(', ');
  return {
    name: 'signing-secrets',
    since: Math.min(...failing.map(({ since }) => since)),
    finding: `Signing secrets cannot be opened, so their events wait, in: ${names}.`,
  };
}

function ofWait({ name, limitMs, since: sinceOf, finding }: Wait, status: SystemStatus): Found | null {
  const since = sinceOf(status);
  return since === null || status.at - since <= limitMs ? null : { name, since, finding: finding(status) };
}

async function ofDeadLetters(
  { read }: Runner,
  { at, deliveries: { dead, isExact } }: SystemStatus,
): Promise<Found | null> {
  if (dead === 0) return null;
  const items = await read.deliveries.list({ keyId: null, state: 'dead', limit: LIST_LIMIT.max });
  const count = counted(dead, 'delivery has', 'deliveries have', isExact);
  return {
    name: 'dead-letters',
    since: items.length < dead ? null : Math.min(at, ...items.flatMap((each) => each.lastAttemptAt ?? [])),
    finding: `${count} failed ten times and will not be tried again.`,
  };
}

const MOST_NAMED = 3;

async function ofEndpoints({ read }: Runner, { endpoints }: SystemStatus): Promise<Found | null> {
  const { failing, paused } = endpoints;
  if (failing === 0) return null;
  const first = await withKeyNames(read, await read.endpoints.listFailing({ limit: MOST_NAMED }));
  const some = first.map(({ keyLabel, state }) => {
    const pause = state.kind === 'paused' ? `, paused: ${state.reason}` : '';
    return `${keyLabel}${pause}`;
  });
  const also = paused === 0 ? '' : ` ${counted(paused, 'endpoint is', 'endpoints are')} paused.`;
  return {
    name: 'endpoints',
    since: first[0]?.health.firstFailureAt ?? null,
    finding: `${counted(failing, 'endpoint is', 'endpoints are', failing < 1_000)} failing: ${some.join(', ')}.${also}`,
  };
}

async function ofParked(
  { read }: Runner,
  { at, inbox: { parked, isExact } }: SystemStatus,
): Promise<Found | null> {
  if (parked === 0) return null;
  const items = await read.inbox.listRefused(true, LIST_LIMIT.default, null);
  const count = counted(parked, 'item of the inbox is', 'items of the inbox are', isExact);
  return {
    name: 'inbox-parked',
    since: Math.min(at, ...items.flatMap(({ parkedAt }) => parkedAt ?? [])),
    finding: `${count} parked, because the platform refused them for a day.`,
  };
}

async function ofOperations(
  { read }: Runner,
  { at }: SystemStatus,
  running: readonly Operation[],
): Promise<Found | null> {
  const name = 'operations';
  const stuck = running.find(({ updatedAt }) => at - updatedAt > LATE_AFTER_MS);
  if (stuck !== undefined)
    return { name, since: stuck.updatedAt, finding: `The operation ${stuck.id} does not continue.` };
  const failing = running.find(({ lastError }) => lastError !== null);
  if (failing !== undefined)
    return {
      name,
      since: failing.updatedAt,
      finding: `The last step of the operation ${failing.id} failed.`,
    };
  // A sync that failed is repeated from its start, so only the last one counts.
  const given = (await read.operations.list({ state: 'failed', limit: LIST_LIMIT.default })).find(
    ({ plan, finishedAt }) => plan.kind !== 'sync_jobs' && finishedAt !== null && at - finishedAt < DAY_MS,
  );
  if (given === undefined) return null;
  return { name, since: given.finishedAt, finding: `The operation ${given.id} was given up.` };
}

async function ofJobSync({ read }: Runner): Promise<readonly (Found | null)[]> {
  const { operationId, isHeld, heldAt, failures, goodAt, refusedRows, refusedAt } =
    await read.jobSyncs.find();
  const operation = operationId === null ? null : await read.operations.find(operationId);
  const reason = operation?.state === 'held' ? ` ${operation.lastError ?? ''}` : '';
  const last = failures === 1 ? 'The last sync of jobs' : `The last ${failures} syncs of jobs`;
  const held = `A sync of jobs was held, so no missing job was closed.${reason}`;
  const rows = counted(refusedRows, 'row', 'rows');
  return [
    isHeld ? { name: 'jobs-sync', since: heldAt, finding: held } : null,
    failures === 0
      ? null
      : {
          name: 'jobs-sync-failed',
          since: goodAt,
          finding: `${last} failed, so the jobs may be behind their source.`,
        },
    refusedRows === 0
      ? null
      : {
          name: 'jobs-sync-refused',
          since: refusedAt,
          finding: `The last good sync of jobs refused ${rows} of its source.`,
        },
  ];
}

function counted(count: number, one: string, many: string, isExact = true): string {
  return `${isExact ? '' : 'At least '}${count} ${count === 1 ? one : many}`;
}
