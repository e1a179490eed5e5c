import { HOUR_COUNTS_KEPT_MS, hourOf } from '../domain/hour-count.js';
import { WINDOW_MS } from '../domain/rate-limit.js';
import { type Instant, isReached } from '../domain/time.js';
import { WORKERS_KEPT_MS } from '../domain/worker-instance.js';
import { StorageUnavailable } from '../errors.js';
import { REQUESTS_KEPT_MS } from '../features/request-log/rules.js';
import type { ExpiredBefore, Expiring } from '../ports/repositories/system.js';
import type { Clock } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { Found, PeriodicTask } from './loop.js';
import type { WorkerOptions } from './options.js';

export interface SweeperOptions {
  readonly direct: Repositories;
  /** Measures the interval between sweeps. Rows expire by the storage's clock. */
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly options: Pick<WorkerOptions, 'deliveredEventsMs' | 'sweepEveryMs' | 'sweepBatch'>;
  /** How long audit entries and the receipts of the inbox are kept, in milliseconds. Null keeps them. */
  readonly auditMs: number | null;
  /** How long the request log is kept, in milliseconds. */
  readonly requestsMs?: number | undefined;
  /** Whether the logs of all keys record every event. Undefined leaves each log as it is. */
  readonly recordsEvents?: boolean | undefined;
}

const REFUSED =
  'The database refused to delete expired rows. Find the trigger or constraint that refuses it: these rows and those ' +
  'behind them stay until it allows the deletion.';

/** How long a feed must be quiet to be marked as idle. A mark costs a write, so busy feeds get none. */
const QUIET_MS = 60_000;

export interface Sweeper extends PeriodicTask {
  /** Like `poll`, but first asks which kinds of rows have expired, for a worker that sleeps. */
  pollExpired(): Promise<Found>;
  /** Returns when the last sweep ended, by the storage's clock. Null before. */
  lastSweepAt(): Instant | null;
}

/** Deletes expired rows, at most one batch of each kind per poll. */
export function createSweeper(sweeperOptions: SweeperOptions): Sweeper {
  const { direct, clock, logger, options, auditMs } = sweeperOptions;
  const { requestsMs = REQUESTS_KEPT_MS, recordsEvents } = sweeperOptions;
  const { deliveredEventsMs, sweepEveryMs, sweepBatch } = options;
  const refused = new Set<string>();
  let nextAt: Instant = clock.now();
  let lastSweepAt: Instant | null = null;

  async function poll(): Promise<Found> {
    const now = clock.now();
    if (!isReached(now, nextAt, sweepEveryMs)) return 'nothing';
    return sweep(now, await direct.time.now(), null);
  }

  async function pollExpired(): Promise<Found> {
    const now = clock.now();
    if (!isReached(now, nextAt, sweepEveryMs)) return 'nothing';
    const storageNow = await direct.time.now();
    return sweep(now, storageNow, new Set(await direct.work.findExpired(limitsAt(storageNow))));
  }

  /**
   * Deletes rows of these kinds; null stands for all.
   * @param storageNow - must not come from a cache, because a row that is deleted too early is lost.
   */
  async function sweep(
    now: Instant,
    storageNow: Instant,
    kinds: ReadonlySet<Expiring | null> | null,
  ): Promise<Found> {
    const before = limitsAt(storageNow);
    const removed: number[] = [];
    for (const { kind, rows, remove } of SWEEPS) {
      if (kinds?.has(kind) === false || (auditMs === null && isOfAudit(kind))) continue;
      removed.push(
        await removeFrom(rows, remove(direct, kind === null ? storageNow : before[kind], sweepBatch)),
      );
    }
    if (recordsEvents !== undefined) {
      const switched = switchRecording(direct, recordsEvents, sweepBatch);
      removed.push(await removeFrom('switches of event logs', switched));
    }
    if (removed.some((count) => count >= sweepBatch)) return 'full';
    nextAt = now + sweepEveryMs;
    lastSweepAt = storageNow;
    return removed.some((count) => count > 0) ? 'some' : 'nothing';
  }

  function limitsAt(storageNow: Instant): ExpiredBefore {
    const doneBefore = storageNow - deliveredEventsMs;
    const answeredBefore = storageNow - requestsMs;
    // Null keeps all entries: none is older than 1970.
    const auditBefore = auditMs === null ? 0 : storageNow - auditMs;
    return {
      idempotencyKeys: storageNow,
      // Windows are deleted one window late, in case the clock is set back a little.
      rateWindows: storageNow - WINDOW_MS,
      deliveries: doneBefore,
      events: doneBefore,
      evidence: doneBefore,
      operations: doneBefore,
      auditEntries: auditBefore,
      inboxReceipts: auditBefore,
      requests: answeredBefore,
      reads: answeredBefore,
      hourCounts: hourOf(storageNow - HOUR_COUNTS_KEPT_MS),
      workers: storageNow - WORKERS_KEPT_MS,
      portalPasses: storageNow,
      idleFeeds: storageNow - QUIET_MS,
    };
  }

  /**
   * Runs one deletion. If the database refuses it, for example by a host's constraint, only this kind of rows
   * stays.
   */
  async function removeFrom(rows: string, removing: Promise<number>): Promise<number> {
    try {
      const removed = await removing;
      refused.delete(rows);
      return removed;
    } catch (err) {
      if (err instanceof StorageUnavailable) throw err;
      if (!refused.has(rows)) logger.error({ err, rows }, REFUSED);
      refused.add(rows);
      return 0;
    }
  }

  return { name: 'sweep', poll, pollExpired, lastSweepAt: () => lastSweepAt, idle: async () => {} };
}

/** Makes the logs of all keys record every event, or stop. Returns the number of changed logs. */
async function switchRecording(direct: Repositories, isOn: boolean, limit: number): Promise<number> {
  return direct.feed.setFreeRecording(await direct.feed.listRecording(!isOn, limit), isOn);
}

function isOfAudit(kind: Expiring | null): boolean {
  return kind === 'auditEntries' || kind === 'inboxReceipts';
}

interface Sweep {
  /** Null for work that deletes nothing, but fills in rows of older releases. */
  readonly kind: Expiring | null;
  readonly rows: string;
  readonly remove: (direct: Repositories, before: Instant, limit: number) => Promise<number>;
}

/** The order matters: delivery rows before their events, and evidence after them. */
const SWEEPS: readonly Sweep[] = [
  { kind: 'idempotencyKeys', rows: 'idempotency keys', remove: (r, ...by) => r.submissions.sweep(...by) },
  { kind: 'rateWindows', rows: 'rate windows', remove: (r, ...by) => r.rateWindows.sweep(...by) },
  { kind: 'deliveries', rows: 'deliveries', remove: (r, ...by) => r.deliveries.sweep(...by) },
  { kind: 'events', rows: 'events', remove: (r, ...by) => r.events.sweep(...by) },
  { kind: 'evidence', rows: 'delivery evidence', remove: (r, ...by) => r.evidence.sweep(...by) },
  { kind: 'operations', rows: 'operations', remove: (r, ...by) => r.operations.sweep(...by) },
  { kind: 'auditEntries', rows: 'audit entries', remove: (r, ...by) => r.audit.sweep(...by) },
  { kind: 'inboxReceipts', rows: 'inbox receipts', remove: (r, ...by) => r.inbox.sweepReceipts(...by) },
  { kind: 'requests', rows: 'requests', remove: (r, ...by) => r.requests.sweep(...by) },
  { kind: 'reads', rows: 'counts of reads', remove: (r, ...by) => r.requests.sweepReads(...by) },
  { kind: 'hourCounts', rows: 'hourly counts', remove: (r, ...by) => r.hourCounts.sweep(...by) },
  { kind: 'workers', rows: 'workers', remove: (r, ...by) => r.workers.sweep(...by) },
  {
    kind: 'portalPasses',
    rows: 'links and sessions of the portal',
    remove: (r, ...by) => r.portalPasses.sweep(...by),
  },
  { kind: 'idleFeeds', rows: 'marks of changed feeds', remove: (r, ...by) => r.endpoints.markIdle(...by) },
  {
    kind: null,
    rows: 'missing last-name keys',
    remove: (r, _, limit) => r.applications.fillLastNameKeys(limit),
  },
  { kind: null, rows: 'missing e-mail keys', remove: (r, _, limit) => r.candidates.fillEmailKeys(limit) },
];
