import { type Instant, isReached, MINUTE_MS } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import type { Clock } from '../../ports/runtime.js';
import type { Storage } from '../../ports/storage.js';
import type { Logger } from '../../ports/telemetry.js';
import type { Found, PeriodicTask } from '../../worker/loop.js';

export interface RewriterOptions {
  readonly rewriteErased: NonNullable<Storage<unknown>['rewriteErased']>;
  /** Measures the interval between tries. Rewritings are due by the storage's clock. */
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

const CHECK_EVERY_MS = MINUTE_MS;
/** How long the first erasure waits. One rewriting then serves all erasures since, because it blocks other writers. */
const AFTER_MS = 10 * MINUTE_MS;

const FAILED =
  'The database file could not be rewritten, so unused bytes of it may still hold erased rows. The worker tries again every ' +
  'minute. Let the process write temporary files, and keep as much disk space free as the file has.';

const IN_THE_WAY =
  'The database file was not rewritten without erased rows, because another transaction holds it. The worker tries again every ' +
  'minute.';

/** Rewrites the database's file some minutes after an erasure. */
export function createRewriter({ rewriteErased, clock, logger }: RewriterOptions): PeriodicTask {
  let nextAt: Instant = clock.now();
  let isReported = false;

  async function poll(): Promise<Found> {
    const now = clock.now();
    if (!isReached(now, nextAt, CHECK_EVERY_MS)) return 'nothing';
    nextAt = now + CHECK_EVERY_MS;
    try {
      const isDone = await rewriteErased(AFTER_MS);
      isReported = false;
      return isDone ? 'some' : 'nothing';
    } catch (err) {
      report(err);
      return 'nothing';
    }
  }

  /** Reports the first failure of several. Other work does not depend on a rewriting. */
  function report(err: unknown): void {
    if (isReported) return;
    isReported = true;
    if (err instanceof StorageUnavailable && err.isBusy) logger.warn({ err }, IN_THE_WAY);
    else logger.error({ err }, FAILED);
  }

  return { name: 'rewrite-erased', poll, idle: async () => {} };
}
