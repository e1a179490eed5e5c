import type { KeyId } from '../domain/ids.js';
import { withDefaults } from '../domain/optional.js';
import type { Found } from './loop.js';
import { WORKER_DEFAULTS } from './options.js';
import { createPeriodicTasks, stopPeriodicTasks } from './periodic-tasks.js';
import type { WorkerParts } from './worker-parts.js';

export type { WorkerOptions } from './options.js';
export type { WorkerBatcher, WorkerObserver, WorkerParts } from './worker-parts.js';

/**
 * Runs the background work. It sends events and alerts, fetches résumés, deletes expired rows and runs
 * sandboxes.
 * @example
 * import type { Worker } from '@partner-hiring/core';
 *
 * export function runWorker(worker: Worker): void {
 *   worker.start();
 *   process.once('SIGTERM', () => void worker.stop());
 * }
 */
export interface Worker {
  /**
   * Starts the work. Any number of processes may share it. A worker that was stopped logs a warning and stays
   * stopped.
   */
  start(): void;
  /** Stops the worker. Resolves when the work in progress is recorded, or after `stopWithinMs`. */
  stop(): Promise<void>;
  /**
   * Polls now, for example after a commit. Pass `keyIds` if only events of these keys were committed: they
   * are then sent sooner.
   */
  wake(keyIds?: ReadonlySet<KeyId>): void;
  /**
   * Says whether a listener wakes this worker for the work of other processes, as `listenForWork` does. While one does,
   * and the storage has `announceWork`, the default of `idlePollMs` is one hour.
   */
  setListening(isListening: boolean): void;
  /**
   * Does all due work and then resolves, for scheduled functions and tests. Skips work that other workers
   * have leased.
   */
  drain(): Promise<void>;
}

export interface OwnWorker extends Worker {
  /** Ends the sleep of an idle worker. */
  rouse(): void;
  /** Looks for work that a transaction of the host will commit. */
  expectWork(): void;
  wakeResumeFiles(): void;
  /** Names a key with a new application. Does nothing without an inbox. */
  wakeInbox(keyId: KeyId): void;
}

const STAYS_STOPPED =
  'The worker was started after it was stopped, so it sends nothing. Create a new one with createPartnerHiring and a new ' +
  'storage.';

export function createWorker(parts: WorkerParts): OwnWorker {
  const options = withDefaults(WORKER_DEFAULTS, parts.options);
  const tasks = createPeriodicTasks(parts, options);
  const { deliveries, resumeFiles, resumeRemovals, operations, all, presence, rest } = tasks;
  const notDeliveries = all.filter((each) => each !== deliveries);

  async function idle(): Promise<void> {
    await Promise.all(all.map(({ task }) => task.idle()));
  }

  let isStopped = false;
  return {
    start() {
      if (isStopped) parts.logger.warn({}, STAYS_STOPPED);
      for (const { loop } of all) loop.start();
      if (!isStopped) presence.start();
    },

    stop() {
      isStopped = true;
      return stopPeriodicTasks(tasks, options.stopWithinMs, parts.runtime.clock, parts.logger);
    },

    wake(keyIds) {
      rest.wake();
      const hasSenders = deliveries.task.wake(keyIds);
      if (!hasSenders) deliveries.loop.wake();
      if (keyIds !== undefined) return;
      resumeFiles.loop.wake();
      resumeRemovals.loop.wake();
      tasks.inbox?.loop.wake();
      for (const { task } of operations) task.wake();
    },

    setListening: rest.setListening,
    expectWork: rest.expect,
    rouse: rest.wake,

    wakeResumeFiles() {
      rest.wake();
      resumeFiles.loop.wake();
    },

    wakeInbox(keyId) {
      rest.wake();
      tasks.inbox?.task.hint(keyId);
      tasks.inbox?.loop.wake();
    },

    async drain() {
      let found: readonly Found[];
      do {
        await idle();
        // Warnings and operations lock endpoints. A sender that meets such a lock waits for the clock, so they come first.
        const others = await Promise.all(notDeliveries.map(({ loop }) => loop.poll()));
        found = [...others, await deliveries.loop.poll()];
      } while (found.some((each) => each !== 'nothing'));
      await idle();
      await presence.flush();
    },
  };
}
