import { createDeliverer, type Deliverer } from './deliver-events.js';
import { createResumeFetcher } from './fetch-resumes.js';
import { type Chore, createLoop, type Loop } from './loop.js';
import type { WorkerOptions } from './options.js';
import { createSandboxPlayer } from './play-sandboxes.js';
import { createAlertSender } from './send-alerts.js';
import { createSettle } from './settle.js';
import { createSlots } from './slots.js';
import { createSweeper } from './sweep.js';
import { NO_OBSERVER, type WorkerParts } from './worker-parts.js';

/** A chore, and the loop that runs it. */
export interface LoopedChore<Kind extends Chore = Chore> {
  readonly chore: Kind;
  readonly loop: Loop;
}

/** What a worker does. */
export interface Chores {
  readonly deliveries: LoopedChore<Deliverer>;
  readonly resumes: LoopedChore;
  /** All, those two among them. */
  readonly all: readonly LoopedChore[];
}

/** Builds the chores of a worker, none of them at work yet. */
export function createChores(parts: WorkerParts, options: WorkerOptions): Chores {
  const { storage, storageClock, runtime, logger } = parts;
  const { direct } = storage;
  const { clock } = runtime;

  function looped<Kind extends Chore>(chore: Kind, everyMs = options.pollEveryMs): LoopedChore<Kind> {
    return { chore, loop: createLoop(chore, { everyMs, clock, logger }) };
  }

  const deliveries = looped(createEventChore(parts, options, () => deliveries.loop.wake()));
  const resumes = looped(createResumeChore(parts, options, () => resumes.loop.wake()));
  const alerts = looped(createAlertSender({ direct, alerts: parts.alerts, runtime, logger }));
  const sweeper = looped(createSweeper({ direct, clock, logger, options }), options.sweepEveryMs);
  const { sandbox: stepper } = parts;
  const players =
    stepper === undefined
      ? []
      : [looped(createSandboxPlayer({ direct, stepper, clock, storageClock, logger }))];
  return { deliveries, resumes, all: [deliveries, resumes, alerts, sweeper, ...players] };
}

function createEventChore(parts: WorkerParts, options: WorkerOptions, onRoom: () => void): Deliverer {
  const { storage, storageClock, runtime, logger, transport, secretBox, observer = NO_OBSERVER } = parts;
  const settle = createSettle(storage, runtime, {
    gathers: true,
    onBatch: observer.settling,
    onBroken: (size, err) => observer.brokenBatch('settling', size, err),
  });
  return createDeliverer({
    direct: storage.direct,
    settle,
    slots: createSlots(options.maxInFlight),
    ports: { transport, secretBox, clock: runtime.clock, storageClock, observer },
    runtime,
    storageClock,
    logger,
    options,
    onBroken: observer.brokenBatch,
    onRoom,
  });
}

function createResumeChore(parts: WorkerParts, options: WorkerOptions, onRoom: () => void): Chore {
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
