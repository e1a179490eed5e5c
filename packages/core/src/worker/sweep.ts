import { WINDOW_MS } from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import type { Repositories } from '../ports/repositories.js';
import type { Clock } from '../ports/runtime.js';
import { isReached } from './is-reached.js';
import type { Chore, Found } from './loop.js';
import type { WorkerOptions } from './options.js';

/** What sweeping needs. */
export interface SweeperOptions {
  readonly direct: Repositories;
  readonly clock: Clock;
  readonly options: Pick<WorkerOptions, 'deliveredEventsMs' | 'sweepEveryMs' | 'sweepBatch'>;
}

/** Builds the chore that removes what nobody needs any more, a bounded batch of each kind at a look. */
export function createSweeper({ direct, clock, options }: SweeperOptions): Chore {
  const { deliveredEventsMs, sweepEveryMs, sweepBatch } = options;
  let nextAt: Instant = clock.now();

  async function look(): Promise<Found> {
    const now = clock.now();
    if (!isReached(now, nextAt, sweepEveryMs)) return 'nothing';
    const sure = await sureNow(direct, now);
    const doneBefore = sure - deliveredEventsMs;
    const removed = [
      await direct.submissions.sweep(sure, sweepBatch),
      // A minute later: a clock that is set back a little counts on where it was.
      await direct.rateWindows.sweep(sure - WINDOW_MS, sweepBatch),
      // An event goes once its delivery's row has gone.
      await direct.deliveries.sweep(doneBefore, sweepBatch),
      await direct.events.sweep(doneBefore, sweepBatch),
    ];
    if (removed.some((count) => count >= sweepBatch)) return 'full';
    nextAt = now + sweepEveryMs;
    return removed.some((count) => count > 0) ? 'some' : 'nothing';
  }

  return { name: 'sweep', look, idle: async () => {} };
}

/**
 * What both clocks have reached, the process's and the storage's. What goes does not come back, and rate windows are
 * counted on the storage's clock: one process that runs ahead must not make others count anew.
 */
async function sureNow({ rateWindows }: Repositories, now: Instant): Promise<Instant> {
  const [window] = await rateWindows.read([ANY_BUCKET]);
  return Math.min(now, window?.countedAt ?? now);
}

/** Nothing counts in it: any bucket tells the time. */
const ANY_BUCKET = 'none';
