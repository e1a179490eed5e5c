import { HOUR_COUNTS_KEPT_MS, hourOf } from '../domain/hour-count.js';
import { WINDOW_MS } from '../domain/rate-limit.js';
import { REQUESTS_KEPT_MS } from '../domain/request-log.js';
import type { Instant } from '../domain/time.js';
import { WORKERS_KEPT_MS } from '../domain/worker-instance.js';
import { StorageUnavailable } from '../errors.js';
import type { Clock } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import { isReached } from './is-reached.js';
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
  /** Called when a sweep has ended, with the storage's time. */
  readonly onSwept?: (at: Instant) => void;
}

const REFUSED =
  'The database refused to delete expired rows. Find the trigger or constraint that refuses it: these rows and those ' +
  'behind them stay until it allows the deletion.';

/** How long a feed must be quiet to be marked as idle. A mark costs a write, so busy feeds get none. */
const QUIET_MS = 60_000;

/** Deletes expired rows, at most one batch of each kind per poll. */
export function createSweeper(sweeperOptions: SweeperOptions): PeriodicTask {
  const { direct, clock, logger, options, auditMs } = sweeperOptions;
  const { requestsMs = REQUESTS_KEPT_MS, onSwept = () => {} } = sweeperOptions;
  const { deliveredEventsMs, sweepEveryMs, sweepBatch } = options;
  const refused = new Set<string>();
  let nextAt: Instant = clock.now();

  async function poll(): Promise<Found> {
    const now = clock.now();
    if (!isReached(now, nextAt, sweepEveryMs)) return 'nothing';
    // The time must not come from a cache, because a row that is deleted too early is lost.
    const storageNow = await direct.time.now();
    const doneBefore = storageNow - deliveredEventsMs;
    const answeredBefore = storageNow - requestsMs;
    const removed = [
      await removeFrom('idempotency keys', direct.submissions.sweep(storageNow, sweepBatch)),
      // Windows are deleted one window late, in case the clock is set back a little.
      await removeFrom('rate windows', direct.rateWindows.sweep(storageNow - WINDOW_MS, sweepBatch)),
      // Delivery rows must be deleted before their events.
      await removeFrom('deliveries', direct.deliveries.sweep(doneBefore, sweepBatch)),
      await removeFrom('events', direct.events.sweep(doneBefore, sweepBatch)),
      // Evidence is deleted after its events.
      await removeFrom('delivery evidence', direct.evidence.sweep(doneBefore, sweepBatch)),
      await removeFrom('operations', direct.operations.sweep(doneBefore, sweepBatch)),
      auditMs === null
        ? 0
        : await removeFrom('audit entries', direct.audit.sweep(storageNow - auditMs, sweepBatch)),
      auditMs === null
        ? 0
        : await removeFrom('inbox receipts', direct.inbox.sweepReceipts(storageNow - auditMs, sweepBatch)),
      await removeFrom('requests', direct.requests.sweep(answeredBefore, sweepBatch)),
      await removeFrom('counts of reads', direct.requests.sweepReads(answeredBefore, sweepBatch)),
      await removeFrom(
        'hourly counts',
        direct.hourCounts.sweep(hourOf(storageNow - HOUR_COUNTS_KEPT_MS), sweepBatch),
      ),
      await removeFrom('workers', direct.workers.sweep(storageNow - WORKERS_KEPT_MS, sweepBatch)),
      await removeFrom(
        'marks of changed feeds',
        direct.endpoints.markIdle(storageNow - QUIET_MS, sweepBatch),
      ),
      // Not a deletion, but it too works off rows of the past.
      await removeFrom('missing last-name keys', direct.applications.fillLastNameKeys(sweepBatch)),
      await removeFrom('missing e-mail keys', direct.candidates.fillEmailKeys(sweepBatch)),
    ];
    if (removed.some((count) => count >= sweepBatch)) return 'full';
    nextAt = now + sweepEveryMs;
    onSwept(storageNow);
    return removed.some((count) => count > 0) ? 'some' : 'nothing';
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

  return { name: 'sweep', poll, idle: async () => {} };
}
