import { highPayText } from '../../domain/high-pay.js';
import type { Operation } from '../../domain/operation.js';
import { changesIn } from '../../domain/sync-counts.js';
import type { Instant } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import type { Logger } from '../../ports/telemetry.js';
import type { PeriodicTask } from '../../worker/loop.js';
import type { JobSyncRunner } from './service.js';

/** Begins a sync of jobs when it is due. Of several workers, one runs it. */
export function createJobSyncTask(
  runner: JobSyncRunner,
  clock: Pick<Clock, 'now'>,
  logger: Logger,
): PeriodicTask {
  const stop = new AbortController();
  let running: Promise<void> | null = null;
  let nextAt: Instant | null = null;

  async function runOnce(): Promise<void> {
    try {
      const operation = await runner.run(stop.signal);
      if (operation !== null) report(logger, operation);
    } catch (err) {
      if (!stop.signal.aborted) logger.error({ err }, FAILED);
    }
  }

  return {
    name: 'sync-jobs',
    async poll() {
      if (running !== null || stop.signal.aborted) return 'nothing';
      const dueIn = await runner.dueIn();
      nextAt = clock.now() + dueIn;
      if (dueIn > 0) return 'nothing';
      running = runOnce().finally(() => {
        running = null;
      });
      return 'some';
    },
    async idle() {
      await running;
    },
    isBusy: () => running !== null,
    nextAt: () => nextAt,
    end: () => stop.abort(new Error('The worker stops.')),
  };
}

const FAILED = 'A sync of jobs failed. The next run reads the source from its start.';

function report(logger: Logger, { id, state, sync }: Operation): void {
  const fields = { operationId: id, counts: sync };
  if (state === 'held') logger.warn(fields, HELD);
  else if (state === 'done' && changesIn(sync) > 0) logger.info(fields, 'A sync of jobs has changed jobs.');
  else if (state === 'done') logger.debug(fields, 'A sync of jobs has found nothing to change.');
  else logger.warn(fields, 'A sync of jobs was ended from elsewhere.');
  const pay = highPayText(sync);
  if (pay !== '') logger.warn({ operationId: id, ...sync?.highPay }, pay);
}

const HELD =
  'A sync of jobs has closed nothing, because too many jobs are missing in its source. See the option applyHeld of operator.jobs.syncs.request.';
