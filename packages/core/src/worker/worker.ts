import type { KeyId } from '../domain/ids.js';
import type { Found } from './loop.js';
import { WORKER_DEFAULTS } from './options.js';
import { createPeriodicTasks } from './periodic-tasks.js';
import { stopPeriodicTasks } from './stop-periodic-tasks.js';
import type { WorkerParts } from './worker-parts.js';

export type { WorkerOptions } from './options.js';
export type { WorkerGroup, WorkerObserver, WorkerParts } from './worker-parts.js';

/** Does what happens later: sends events, hands over alerts, fetches résumés, sweeps, plays sandboxes. */
export interface Worker {
  /**
   * Runs until stopped. Any number of workers, in any number of processes, share the work. Called within a request of
   * the host's, it has no part in that one's async context. Once stopped it stays so: starting it does nothing but warn,
   * for a process that is told to end while it starts may still come to it.
   */
  start(): void;
  /**
   * Begins nothing more; resolves once what is under way has ended and is recorded, or after
   * `stopWithinMs`. What was cut off then is done again by another worker, or after the next start of the
   * process: a stopped worker stays stopped.
   */
  stop(): Promise<void>;
  /**
   * Something was committed that may be due: looks at once rather than at the next poll.
   *
   * @param keyIds - if all that was committed are events, the keys for which they were recorded: then nothing else
   * is looked for, and the first attempt is sooner.
   */
  wake(keyIds?: ReadonlySet<KeyId>): void;
  /**
   * Does all that is due now, whether the worker was started or not, and resolves when nothing is due or
   * under way: for functions that run on a schedule, and for tests. What another worker has claimed is left to it, also
   * where it died: then a later run does it, once the claim has ended.
   */
  drain(): Promise<void>;
}

/** A worker as the library itself has it. */
export interface OwnWorker extends Worker {
  /** Résumés to fetch were committed, and nothing else that is due: looks for those alone at once. */
  wakeResumeFiles(): void;
}

const STAYS_STOPPED =
  'The worker was started after it was stopped: it stays so, and sends nothing. Make another with createPartnerHiring, on a ' +
  'storage of its own.';

/** Builds a worker. It does nothing until it is started or drained. */
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
      const isTaken = deliveries.task.wake(keyIds);
      if (!isTaken) deliveries.loop.wake();
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
