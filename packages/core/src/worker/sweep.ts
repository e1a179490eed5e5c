import { WINDOW_MS } from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';
import type { Clock } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import { isReached } from './is-reached.js';
import type { Found, PeriodicTask } from './loop.js';
import type { WorkerOptions } from './options.js';

/** What sweeping needs. */
export interface SweeperOptions {
  readonly direct: Repositories;
  /** For how often it sweeps. What is over is over on the storage's time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly options: Pick<WorkerOptions, 'deliveredEventsMs' | 'sweepEveryMs' | 'sweepBatch'>;
}

const REFUSED =
  'The database refused to remove rows that nobody needs any more. See which trigger or constraint does: until it lets ' +
  'them go, they and those behind them stay.';

/** A feed that changes often is marked as idle once it has not changed for that long: marking writes a row. */
const QUIET_MS = 60_000;

/** Builds the chore that removes what nobody needs any more, a bounded batch of each kind at a look. */
export function createSweeper({ direct, clock, logger, options }: SweeperOptions): PeriodicTask {
  const { deliveredEventsMs, sweepEveryMs, sweepBatch } = options;
  const refused = new Set<string>();
  let nextAt: Instant = clock.now();

  async function poll(): Promise<Found> {
    const now = clock.now();
    if (!isReached(now, nextAt, sweepEveryMs)) return 'nothing';
    // Read each time: a row that is swept too early does not come back.
    const storageNow = await direct.time.now();
    const doneBefore = storageNow - deliveredEventsMs;
    const removed = [
      await removeFrom('idempotency keys', direct.submissions.sweep(storageNow, sweepBatch)),
      // A minute later: a clock that is set back a little counts on where it was.
      await removeFrom('rate windows', direct.rateWindows.sweep(storageNow - WINDOW_MS, sweepBatch)),
      // An event goes once its delivery's row has gone.
      await removeFrom('deliveries', direct.deliveries.sweep(doneBefore, sweepBatch)),
      await removeFrom('events', direct.events.sweep(doneBefore, sweepBatch)),
      await removeFrom(
        'marks of changed feeds',
        direct.endpoints.markIdle(storageNow - QUIET_MS, sweepBatch),
      ),
    ];
    if (removed.some((count) => count >= sweepBatch)) return 'full';
    nextAt = now + sweepEveryMs;
    return removed.some((count) => count > 0) ? 'some' : 'nothing';
  }

  /** What the database refuses, as a host's constraint may, holds up no other kind of rows. Told once, until it passes. */
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
