import { HOUR_COUNTS_KEPT_MS, hourOf } from '../domain/hour-count.js';
import { WINDOW_MS } from '../domain/rate-limit.js';
import { type Instant, isReached } from '../domain/time.js';
import { WORKERS_KEPT_MS } from '../domain/worker-instance.js';
import { StorageUnavailable } from '../errors.js';
import type { ExpiredBefore } from '../ports/repositories/system.js';
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
  /** The kinds of rows of the features. */
  readonly sweeps: readonly Sweep[];
}

/** Deletes one kind of expired rows, or fills in rows of older releases. */
export interface Sweep {
  /** The storage has a statement that finds expired rows of the kind. Null for work that deletes nothing. */
  readonly kind: string | null;
  /** Whether a sleeping worker does it too, although no row expires. */
  readonly inSleep?: true;
  readonly rows: string;
  /** Returns the instant before which the rows have expired. Null to keep all. */
  readonly before?: (now: Instant) => Instant | null;
  readonly remove: (direct: Repositories, before: Instant, limit: number) => Promise<number>;
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
  const { direct, clock, logger, options } = sweeperOptions;
  const { deliveredEventsMs, sweepEveryMs, sweepBatch } = options;
  const sweeps = [...baseSweeps(deliveredEventsMs), ...sweeperOptions.sweeps];
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
    kinds: ReadonlySet<string | null> | null,
  ): Promise<Found> {
    const removed: number[] = [];
    for (const { kind, inSleep = false, rows, before = atOnce, remove } of sweeps) {
      const expiredAt = before(storageNow);
      const isLeftOut = !inSleep && kinds?.has(kind) === false;
      if (isLeftOut || expiredAt === null) continue;
      removed.push(await removeFrom(rows, remove(direct, expiredAt, sweepBatch)));
    }
    if (removed.some((count) => count >= sweepBatch)) return 'full';
    nextAt = now + sweepEveryMs;
    lastSweepAt = storageNow;
    return removed.some((count) => count > 0) ? 'some' : 'nothing';
  }

  function limitsAt(storageNow: Instant): ExpiredBefore {
    const limits = sweeps.flatMap(({ kind, before = atOnce }) => {
      const expiredAt = before(storageNow);
      return kind === null || expiredAt === null ? [] : [[kind, expiredAt]];
    });
    return Object.fromEntries(limits);
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

function atOnce(now: Instant): Instant {
  return now;
}

/** The order matters: delivery rows before their events, and evidence after them. */
function baseSweeps(deliveredEventsMs: number): readonly Sweep[] {
  const ended = (now: Instant) => now - deliveredEventsMs;
  return [
    { kind: 'idempotencyKeys', rows: 'idempotency keys', remove: (r, ...by) => r.submissions.sweep(...by) },
    {
      kind: 'rateWindows',
      rows: 'rate windows',
      // Windows are deleted one window late, in case the clock is set back a little.
      before: (now) => now - WINDOW_MS,
      remove: (r, ...by) => r.rateWindows.sweep(...by),
    },
    {
      kind: 'deliveries',
      rows: 'deliveries',
      before: ended,
      remove: (r, ...by) => r.deliveries.sweep(...by),
    },
    { kind: 'events', rows: 'events', before: ended, remove: (r, ...by) => r.events.sweep(...by) },
    {
      kind: 'evidence',
      rows: 'delivery evidence',
      before: ended,
      remove: (r, ...by) => r.evidence.sweep(...by),
    },
    {
      kind: 'operations',
      rows: 'operations',
      before: ended,
      remove: (r, ...by) => r.operations.sweep(...by),
    },
    {
      kind: 'hourCounts',
      rows: 'hourly counts',
      before: (now) => hourOf(now - HOUR_COUNTS_KEPT_MS),
      remove: (r, ...by) => r.hourCounts.sweep(...by),
    },
    {
      kind: 'workers',
      rows: 'workers',
      before: (now) => now - WORKERS_KEPT_MS,
      remove: (r, ...by) => r.workers.sweep(...by),
    },
    {
      kind: 'idleFeeds',
      rows: 'marks of changed feeds',
      before: (now) => now - QUIET_MS,
      remove: (r, ...by) => r.endpoints.markIdle(...by),
    },
    {
      kind: null,
      rows: 'missing last-name keys',
      remove: (r, _, limit) => r.applications.fillLastNameKeys(limit),
    },
    {
      kind: null,
      rows: 'missing e-mail keys',
      remove: (r, _, limit) => r.candidates.fillEmailKeys(limit),
    },
  ];
}
