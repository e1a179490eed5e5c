import type { KeyId } from '../domain/ids.js';
import type { Found } from './loop.js';
import { WORKER_DEFAULTS } from './options.js';
import { createPeriodicTasks, stopPeriodicTasks } from './periodic-tasks.js';
import type { WorkerParts } from './worker-parts.js';

export type { WorkerOptions } from './options.js';
export type { WorkerBatcher, WorkerObserver, WorkerParts } from './worker-parts.js';

/**
 * Runs the background work: sends events and alerts, fetches résumés, deletes expired rows, runs sandboxes.
 * @example
 * import type { Worker } from '@partner-hiring/core';
 *
 * export function runWorker(worker: Worker): void {
 *   worker.start();
 *   process.once('SIGTERM', () => void worker.stop());
 * }
 */
export interface Worker {
  /** Any number of processes share the work. A stopped worker logs a warning and stays stopped. */
  start(): void;
  /** Resolves when the work in progress is recorded, or after `stopWithinMs`. */
  stop(): Promise<void>;
  /** Polls now, for example after a commit. If only events were committed, `keyIds` sends them sooner. */
  wake(keyIds?: ReadonlySet<KeyId>): void;
  /** Does all due work, for scheduled functions and tests. Skips other workers' leases. */
  drain(): Promise<void>;
}

export interface OwnWorker extends Worker {
  wakeResumeFiles(): void;
}

const STAYS_STOPPED =
  'The worker was started after it was stopped, so it sends nothing. Create a new one with createPartnerHiring and a new ' +
  'storage.';

export function createWorker(parts: WorkerParts): OwnWorker {
  const options = { ...WORKER_DEFAULTS, ...parts.options };
  const tasks = createPeriodicTasks(parts, options);
  const { deliveries, resumeFiles, all } = tasks;

  async function idle(): Promise<void> {
    await Promise.all(all.map(({ task }) => task.idle()));
  }

  let isStopped = false;
  return {
    start() {
      if (isStopped) parts.logger.warn({}, STAYS_STOPPED);
      for (const { loop } of all) loop.start();
    },

    stop() {
      isStopped = true;
      return stopPeriodicTasks(tasks, options.stopWithinMs, parts.runtime.clock, parts.logger);
    },

    wake(keyIds) {
      const hasSenders = deliveries.task.wake(keyIds);
      if (!hasSenders) deliveries.loop.wake();
      if (keyIds === undefined) resumeFiles.loop.wake();
    },

    wakeResumeFiles: resumeFiles.loop.wake,

    async drain() {
      let found: readonly Found[];
      do {
        await idle();
        found = await Promise.all(all.map(({ loop }) => loop.poll()));
      } while (found.some((each) => each !== 'nothing'));
      await idle();
    },
  };
}
