import { createDeliverer, type Deliverer } from './deliver-events.js';
import { createFairSemaphore } from './fair-semaphore.js';
import { createResumeFetcher } from './fetch-resume-files.js';
import { createLoop, type Loop, type PeriodicTask } from './loop.js';
import type { WorkerOptions } from './options.js';
import { createSandboxPlayer } from './play-sandboxes.js';
import { createAlertSender } from './send-alerts.js';
import { createSettle } from './settle.js';
import { createSweeper } from './sweep.js';
import { NO_OBSERVER, type WorkerParts } from './worker-parts.js';

/** A chore, and the loop that runs it. */
export interface LoopedTask<Kind extends PeriodicTask = PeriodicTask> {
  readonly task: Kind;
  readonly loop: Loop;
}

/** What a worker does. */
export interface PeriodicTasks {
  readonly deliveries: LoopedTask<Deliverer>;
  readonly resumeFiles: LoopedTask;
  /** All, those two among them. */
  readonly all: readonly LoopedTask[];
}

/** Builds the chores of a worker, none of them at work yet. */
export function createPeriodicTasks(parts: WorkerParts, options: WorkerOptions): PeriodicTasks {
  const { storage, storageClock, runtime, logger } = parts;
  const { direct } = storage;
  const { clock } = runtime;

  function looped<Kind extends PeriodicTask>(task: Kind, everyMs = options.pollEveryMs): LoopedTask<Kind> {
    return { task, loop: createLoop(task, { everyMs, clock, logger }) };
  }

  const deliveries = looped(createDeliveryTask(parts, options, () => deliveries.loop.wake()));
  const resumeFiles = looped(createResumeFileTask(parts, options, () => resumeFiles.loop.wake()));
  const alerts = looped(createAlertSender({ direct, alerts: parts.alerts, runtime, logger }));
  const sweeper = looped(createSweeper({ direct, clock, logger, options }), options.sweepEveryMs);
  const { sandbox: stepper } = parts;
  const players =
    stepper === undefined
      ? []
      : [looped(createSandboxPlayer({ direct, stepper, clock, storageClock, logger }))];
  return { deliveries, resumeFiles, all: [deliveries, resumeFiles, alerts, sweeper, ...players] };
}

function createDeliveryTask(parts: WorkerParts, options: WorkerOptions, onRoom: () => void): Deliverer {
  const { storage, storageClock, runtime, logger, transport, secretBox, observer = NO_OBSERVER } = parts;
  const settle = createSettle(storage, runtime, {
    gathers: true,
    onBatch: observer.settling,
    onBroken: (size, err) => observer.brokenBatch('settling', size, err),
  });
  return createDeliverer({
    direct: storage.direct,
    settle,
    slots: createFairSemaphore(options.maxInFlight),
    ports: { transport, secretBox, clock: runtime.clock, storageClock, observer },
    runtime,
    storageClock,
    logger,
    options,
    onBroken: observer.brokenBatch,
    onRoom,
  });
}

function createResumeFileTask(parts: WorkerParts, options: WorkerOptions, onRoom: () => void): PeriodicTask {
  const { storage, storageClock, runtime, logger, observer = NO_OBSERVER } = parts;
  return createResumeFetcher({
    storage,
    source: parts.resumeSource,
    scanner: parts.resumeScanner,
    sink: parts.resumeSink,
    runtime,
    storageClock,
    logger,
    concurrency: options.resumeConcurrency,
    onRoom,
    onGivenUp: observer.resumeGivenUp,
  });
}
