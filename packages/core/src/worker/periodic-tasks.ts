import { isSuccess } from '../domain/delivery.js';
import { createHourTally, type HourTally, latencyName } from '../domain/hour-count.js';
import { HOUR_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import { createDeliverer, type Deliverer } from './delivery/deliver-events.js';
import { createFairSemaphore } from './fair-semaphore.js';
import { startTimeLimit } from './host-deadline.js';
import { createLoop, type Found, type Loop, type PeriodicTask } from './loop.js';
import type { WorkerOptions } from './options.js';
import { createPresence, type Presence } from './presence.js';
import { createRest, type Rest } from './rest.js';
import { createOperationPoller } from './run-operations.js';
import { createSettle } from './settle.js';
import { createSweeper } from './sweep.js';
import { INBOX_TASK, NO_OBSERVER, type TaskPlan, type TaskWorker, type WorkerParts } from './worker-parts.js';

export interface ListedTask<Kind extends PeriodicTask = PeriodicTask> {
  readonly task: Kind;
  readonly loop: Loop;
  /** Whether the task's work may come at any time. The worker then sleeps only after the task found nothing. */
  readonly isDemanded: boolean;
  /** Polls the task soon. Called after a commit that may have any kind of work. Null if the task is not that urgent. */
  readonly wake: (() => void) | null;
  /** The part of the task that a sleeping worker does when it looks up. Null if it does nothing of it. */
  readonly inSleep: (() => Promise<Found>) | null;
}

export interface PeriodicTasks {
  readonly deliveries: ListedTask<Deliverer>;
  readonly list: readonly ListedTask[];
  readonly presence: Presence;
  readonly rest: Rest;
}

/** Creates the tasks of a worker. Leaves out the tasks whose parts are missing. */
export function createPeriodicTasks(parts: WorkerParts, options: WorkerOptions): PeriodicTasks {
  const { storage, runtime, logger } = parts;
  const { direct } = storage;
  const { clock, ids } = runtime;
  const tally = createHourTally();

  const worker: TaskWorker = {
    options,
    wake: (name) => {
      const found = list.find(({ task }) => task.name === name);
      (found?.wake ?? found?.loop.wake)?.();
    },
    rouse: () => rest.wake(),
  };
  const planned = parts.features.flatMap(({ tasks }) => tasks?.(worker) ?? []);

  const rest = createRest({
    direct,
    clock,
    logger,
    options,
    announcesWork: storage.announcesWork ?? false,
    withInbox: planned.some(({ task }) => task.name === INBOX_TASK),
    tasks: () => list.filter(({ isDemanded }) => isDemanded).map(({ task }) => task),
    upkeep: async () => {
      const found: Found[] = [];
      for (const { inSleep } of list) if (inSleep !== null) found.push(await inSleep());
      return found.includes('full') ? 'full' : 'nothing';
    },
    report: (sleepMs) => presence.sleep(sleepMs),
  });

  function listed<Kind extends PeriodicTask>(
    task: Kind,
    { everyMs = options.pollEveryMs, isDemanded = false, wake, inSleep }: TaskPlan,
  ): ListedTask<Kind> {
    const loop = createLoop(task, { everyMs, clock, logger, rest });
    return {
      task,
      loop,
      isDemanded,
      wake: (wake === true ? loop.wake : wake) ?? null,
      inSleep: (inSleep === true ? loop.poll : inSleep) ?? null,
    };
  }

  const deliveries = listed(
    createDeliveryTask(parts, options, tally, () => deliveries.loop.wake()),
    { isDemanded: true },
  );
  const poller =
    parts.operations &&
    createOperationPoller({
      stepper: parts.operations,
      clock,
      logger,
      onMore: () => operations?.loop.wake(),
    });
  const operations: ListedTask | undefined =
    poller && listed(poller, { isDemanded: true, wake: poller.wake });
  const sweeper = createSweeper({
    direct,
    clock,
    logger,
    options,
    sweeps: parts.features.flatMap(({ sweeps }) => sweeps ?? []),
  });

  const list = [
    deliveries,
    ...planned.map(({ task, ...plan }) => listed(task, plan)),
    operations,
    listed(sweeper, { everyMs: options.sweepEveryMs, inSleep: sweeper.pollExpired }),
    parts.deploymentWatch && listed(parts.deploymentWatch, { everyMs: HOUR_MS, inSleep: true }),
  ].filter((each): each is ListedTask => each !== undefined);
  const presence = createPresence({
    direct,
    clock,
    logger,
    tally,
    rest,
    process: parts.process ?? null,
    nextId: () => ids.next('worker'),
    lastSweepAt: sweeper.lastSweepAt,
    sealing: () => ({
      keyIds: parts.secretBox.keyIds ?? null,
      failingSince: parts.secretBox.failingSince?.() ?? null,
    }),
  });

  return { deliveries, list, presence, rest };
}

function createDeliveryTask(
  parts: WorkerParts,
  options: WorkerOptions,
  tally: HourTally,
  onCapacity: () => void,
): Deliverer {
  const { storage, storageClock, runtime, logger, transport, secretBox, observer = NO_OBSERVER } = parts;
  const settle = createSettle(storage, runtime, {
    gathers: true,
    onBatch: observer.settling,
    onBroken: (size, err) => observer.brokenBatch('settling', size, err),
  });
  return createDeliverer({
    direct: storage.direct,
    settle,
    semaphore: createFairSemaphore(options.maxInFlight),
    ports: { transport, secretBox, clock: runtime.clock, storageClock, observer },
    runtime,
    storageClock,
    logger,
    options,
    deployment: parts.process?.deployment ?? undefined,
    countAttempt({ keyId, eventId, cycle }, { outcome, endedAt, latencyMs }) {
      const hasSucceeded = isSuccess(outcome);
      const name = hasSucceeded ? 'succeeded' : 'failed';
      tally.add('attempt', null, name, endedAt);
      tally.add('attempt', keyId, name, endedAt);
      if (!hasSucceeded) return;
      tally.add('latency', keyId, latencyName(latencyMs), endedAt);
      parts.onDelivered?.({ keyId, eventId, isRepeated: cycle > 1 }, endedAt);
    },
    onBroken: observer.brokenBatch,
    onCapacity,
  });
}

export async function stopPeriodicTasks(
  tasks: PeriodicTasks,
  stopWithinMs: number,
  clock: Clock,
  logger: Logger,
): Promise<void> {
  const left = new Set(tasks.list.map(({ task }) => task));
  const limit = startTimeLimit(clock, stopWithinMs);
  await limit.waitFor(endTasks(tasks, left));
  limit.end();
  tasks.deliveries.task.abandon();
  if (left.size === 0) return;
  const names = [...left].map(({ name }) => name);
  logger.warn(
    { tasks: names, stopWithinMs },
    'The worker did not stop in time; another worker, or the next start, repeats the work in progress.',
  );
}

async function endTasks(
  { deliveries, list, presence, rest }: PeriodicTasks,
  left: Set<PeriodicTask>,
): Promise<void> {
  const isAwake = rest.end();
  const isClosed = deliveries.task.close();
  for (const { task } of list) task.end?.();
  await Promise.all(
    list.map(async ({ task, loop }) => {
      await loop.stop();
      await task.idle();
      left.delete(task);
    }),
  );
  await isClosed;
  await isAwake;
  await presence.leave();
}
