import type { KeyId } from '../domain/ids.js';
import { withDefaults } from '../domain/optional.js';
import { OperatorError } from '../errors.js';
import type { Clock } from '../ports/runtime.js';
import { startTimeLimit, type TimeLimit } from './host-deadline.js';
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
  stop(limits?: {
    /**
     * How long the stop may take, in milliseconds: at most `stopWithinMs`, the default. If it is less, the worker
     * records the ended attempts and releases its leases shortly before the end, as `drain` does. Only the first call
     * of `stop` sets the limit.
     */
    readonly withinMs?: number | undefined;
  }): Promise<void>;
  /** Returns what the worker of this process does, without asking the storage. */
  state(): WorkerState;
  /**
   * Polls now, for example after a commit. Pass `keyIds` if only events of these keys were committed: they
   * are then sent sooner.
   */
  wake(keyIds?: ReadonlySet<KeyId>): void;
  /**
   * Tells the worker whether a listener, such as that of `listenForWork`, wakes it for the work of other processes. If
   * so, and if the storage has `announceWork`, the default of `idlePollMs` is one hour.
   */
  setListening(isListening: boolean): void;
  /**
   * Does all due work and then resolves, for scheduled functions and tests. Skips work that other workers
   * have leased.
   * @example
   * await partnerHiring.worker.drain({ withinMs: 20_000 });
   */
  drain(limits?: {
    /**
     * How long the drain may take, in milliseconds. Shortly before the end, the drain claims no more work, records the
     * ended attempts and releases its leases. Attempts and downloads still in flight are not counted, and start again
     * later.
     */
    readonly withinMs?: number | undefined;
  }): Promise<void>;
}

/**
 * The state of a process's worker. `silent`: the worker was started, but has not reported to the storage for 90
 * seconds. While a worker sleeps, these 90 seconds start when it should wake.
 */
export type WorkerState = 'not_started' | 'running' | 'silent' | 'stopped';

export interface WokenWorker extends Worker {
  /** Stores the counts of attempts. Never rejects. */
  flush(): Promise<void>;
  /** How much time the stop has left, in milliseconds. */
  leftToStop(): number;
  /** Ends the sleep of an idle worker. */
  rouse(): void;
  /** Looks for work that a transaction of the host will commit. */
  expectWork(): void;
  /** Polls a task soon, with a key that has new work. Does nothing if the worker does not have the task. */
  wakeTask(task: string, keyId?: KeyId): void;
}

const STAYS_STOPPED =
  'The worker was started after it was stopped, so it sends nothing. Create a new one with createPartnerHiring and a new ' +
  'storage.';

export function createWorker(parts: WorkerParts): WokenWorker {
  const options = withDefaults(WORKER_DEFAULTS, parts.options);
  const tasks = createPeriodicTasks(parts, options);
  const { deliveries, list, presence, rest } = tasks;

  async function idle(): Promise<void> {
    await Promise.all(list.map(({ task }) => task.idle()));
  }

  const { clock } = parts.runtime;
  let isStopped = false;
  let isStarted = false;
  let stopsBy = Number.NEGATIVE_INFINITY;
  let stopping: Promise<void> | null = null;
  return {
    start() {
      if (isStopped) parts.logger.warn({}, STAYS_STOPPED);
      for (const { loop } of list) loop.start();
      if (isStopped) return;
      isStarted = true;
      presence.start();
    },

    stop({ withinMs = options.stopWithinMs } = {}) {
      isStopped = true;
      stopping ??= stopWithin(Math.min(withinMs, options.stopWithinMs));
      return stopping;
    },

    leftToStop: () => Math.max(0, stopsBy - clock.now()),

    state() {
      if (isStopped) return 'stopped';
      if (!isStarted) return 'not_started';
      return presence.isSilent() ? 'silent' : 'running';
    },

    wake(keyIds) {
      rest.wake();
      const hasSenders = deliveries.task.wake(keyIds);
      if (!hasSenders) deliveries.loop.wake();
      if (keyIds !== undefined) return;
      for (const each of list) each.wake?.();
    },

    setListening: rest.setListening,
    expectWork: rest.expect,
    rouse: rest.wake,
    flush: presence.flush,

    wakeTask(name, keyId) {
      rest.wake();
      const found = list.find(({ task }) => task.name === name);
      if (keyId !== undefined) found?.task.hint?.(keyId);
      found?.loop.wake();
    },

    async drain({ withinMs } = {}) {
      if (withinMs === undefined) return drainAll(NO_LIMIT);
      assertWithin(withinMs);
      const limits = startLimits(clock, withinMs);
      for (const { task } of list) task.reopen?.();
      await drainAll(limits.work);
      if (limits.work.isOver.aborted && !isStarted) await limits.end.waitFor(cut());
      limits.clear();
    },
  };

  async function stopWithin(ms: number): Promise<void> {
    stopsBy = clock.now() + ms;
    const stopped = stopPeriodicTasks(tasks, ms, clock, parts.logger);
    // The longest attempt fits into `stopWithinMs`, so nothing is cut off then.
    if (ms >= options.stopWithinMs) return stopped;
    const limits = startLimits(clock, ms);
    await limits.work.waitFor(stopped);
    if (limits.work.isOver.aborted) await limits.end.waitFor(cut());
    await stopped;
    limits.clear();
  }

  async function drainAll(limit: Pick<TimeLimit, 'isOver' | 'waitFor'>): Promise<void> {
    let found: readonly Found[] = [];
    const pollAll = async () => {
      await idle();
      if (limit.isOver.aborted) return;
      // Polls the deliveries last: warnings and operations lock endpoints, and a sender that meets a lock sleeps.
      const others = await Promise.all(
        list.filter((each) => each !== deliveries).map(({ loop }) => loop.poll()),
      );
      if (!limit.isOver.aborted) found = [...others, await deliveries.loop.poll()];
    };
    do {
      found = [];
      await limit.waitFor(pollAll());
    } while (found.some((each) => each !== 'nothing') && !limit.isOver.aborted);
    await limit.waitFor(idle());
    await presence.flush();
  }

  /** Releases leases early. If this fails, the leases expire on their own. */
  async function cut(): Promise<void> {
    await Promise.allSettled(list.map(({ task }) => task.cut?.()));
  }
}

const NO_LIMIT: Pick<TimeLimit, 'isOver' | 'waitFor'> = {
  isOver: new AbortController().signal,
  waitFor: async (work) => void (await work),
};

/** The end of a limited stop or drain in which only records and releases run, at most a quarter of the limit. */
const RECORD_MS = 500;

/** `work` is over a little before `end`. */
function startLimits(clock: Clock, withinMs: number) {
  const work = startTimeLimit(clock, withinMs - Math.min(RECORD_MS, withinMs / 4));
  const end = startTimeLimit(clock, withinMs);
  const clear = () => {
    work.end();
    end.end();
  };
  return { work, end, clear };
}

function assertWithin(withinMs: unknown): void {
  if (Number.isSafeInteger(withinMs) && Number(withinMs) > 0) return;
  throw new OperatorError(
    'INVALID_INPUT',
    `drain: \`withinMs\` is ${String(withinMs)}, but must be a whole number of milliseconds above 0. Omit it to drain without a limit.`,
  );
}
