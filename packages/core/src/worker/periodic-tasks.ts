import { AUDIT_MS } from '../domain/audit.js';
import { createHourTally } from '../domain/hour-count.js';
import type { Instant } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Logger } from '../ports/telemetry.js';
import { startTimeLimit } from './deadline.js';
import { createDeliverer, type Deliverer } from './delivery/deliver-events.js';
import { createFairSemaphore } from './fair-semaphore.js';
import { createResumeFetcher, type ResumeFetcher } from './fetch-resume-files.js';
import { createLoop, type Loop, type PeriodicTask } from './loop.js';
import type { WorkerOptions } from './options.js';
import { createSandboxPlayer } from './play-sandboxes.js';
import { createPresence, type Presence } from './presence.js';
import { createResumeRemover } from './remove-resumes.js';
import { createRest, type Rest } from './rest.js';
import { createRewriter } from './rewrite-erased.js';
import { createOperationPoller, type OperationPoller } from './run-operations.js';
import { createAlertSender } from './send-alerts.js';
import { createSettle } from './settle.js';
import { createRetentionTask } from './start-retention.js';
import { createSweeper } from './sweep.js';
import { tallyAttempts } from './tally-attempts.js';
import { createFailingWarner, WARN_EVERY_MS } from './warn-of-failing.js';
import { type InboxTask, NO_OBSERVER, type WorkerParts } from './worker-parts.js';

export interface LoopedTask<Kind extends PeriodicTask = PeriodicTask> {
  readonly task: Kind;
  readonly loop: Loop;
}

export interface PeriodicTasks {
  readonly deliveries: LoopedTask<Deliverer>;
  readonly resumeFiles: LoopedTask<ResumeFetcher>;
  readonly resumeRemovals: LoopedTask;
  /** Empty for a worker without operations. */
  readonly operations: readonly LoopedTask<OperationPoller>[];
  readonly inbox: LoopedTask<InboxTask> | null;
  readonly all: readonly LoopedTask[];
  readonly presence: Presence;
  readonly rest: Rest;
}

export function createPeriodicTasks(given: WorkerParts, options: WorkerOptions): PeriodicTasks {
  const { storage, storageClock, runtime, logger } = given;
  const tally = createHourTally();
  const parts = { ...given, observer: tallyAttempts(given.observer ?? NO_OBSERVER, tally, storageClock) };
  const { direct } = storage;
  const { clock } = runtime;

  const rest = createRest({
    direct,
    clock,
    logger,
    options,
    announcesWork: storage.announcesWork ?? false,
    withInbox: parts.inbox !== undefined,
    tasks: () => demanded.map(({ task }) => task),
    upkeep: async () => {
      const found = [await sweeper.task.pollExpired()];
      for (const { loop } of [...retentions, ...players, ...rewriters]) found.push(await loop.poll());
      return found.includes('full') ? 'full' : 'nothing';
    },
    report: (sleepMs) => presence.sleep(sleepMs),
  });

  function looped<Kind extends PeriodicTask>(task: Kind, everyMs = options.pollEveryMs): LoopedTask<Kind> {
    return { task, loop: createLoop(task, { everyMs, clock, logger, rest }) };
  }

  const inbox = parts.inbox === undefined ? null : looped(parts.inbox);
  const deliveries = looped(createDeliveryTask(parts, options, () => deliveries.loop.wake()));
  const resumeFiles: LoopedTask<ResumeFetcher> = looped(
    createResumeFileTask(parts, options, {
      onCapacity: () => resumeFiles.loop.wake(),
      onEnded: () => inbox?.loop.wake(),
    }),
  );
  const resumeRemovals = looped(
    createResumeRemover({ direct, sink: parts.resumeSink, runtime, storageClock, logger }),
  );
  const alerts = looped(createAlertSender({ direct, alerts: parts.alerts, runtime, logger }));
  const { auditMs = AUDIT_MS, requestsMs } = parts;
  let lastSweepAt: Instant | null = null;
  const onSwept = (at: Instant) => {
    lastSweepAt = at;
  };
  const sweeper = looped(
    createSweeper({ direct, clock, logger, options, auditMs, requestsMs, onSwept }),
    options.sweepEveryMs,
  );
  const nextAlertId = () => runtime.ids.next('alert');
  const warner = looped(createFailingWarner({ storage, clock, nextAlertId }), WARN_EVERY_MS);
  const operations = createOperationTasks(parts, looped);
  const { retention } = parts;
  const onStarted = () => {
    rest.wake();
    for (const { task } of operations) task.wake();
  };
  const retentions =
    retention === undefined ? [] : [looped(createRetentionTask(retention, clock, onStarted))];
  const { sandbox: stepper } = parts;
  const players =
    stepper === undefined
      ? []
      : [looped(createSandboxPlayer({ direct, stepper, clock, storageClock, logger }))];
  const { rewriteErased } = storage;
  const rewriters =
    rewriteErased === undefined ? [] : [looped(createRewriter({ rewriteErased, clock, logger }))];
  const optional = [...operations, ...players, ...(inbox === null ? [] : [inbox])];
  const demanded: readonly LoopedTask[] = [deliveries, resumeFiles, resumeRemovals, alerts, ...optional];
  const all = [...demanded, warner, sweeper, ...retentions, ...rewriters];
  const presence = createPresence({
    direct,
    clock,
    logger,
    tally,
    rest,
    process: parts.process ?? null,
    nextId: () => runtime.ids.next('worker'),
    lastSweepAt: () => lastSweepAt,
  });
  return { deliveries, resumeFiles, resumeRemovals, operations, inbox, all, presence, rest };
}

function createOperationTasks(
  { operations: stepper, runtime, logger }: WorkerParts,
  looped: (task: OperationPoller) => LoopedTask<OperationPoller>,
): readonly LoopedTask<OperationPoller>[] {
  if (stepper === undefined) return [];
  const onMore = () => running.loop.wake();
  const running: LoopedTask<OperationPoller> = looped(
    createOperationPoller({ stepper, clock: runtime.clock, logger, onMore }),
  );
  return [running];
}

function createDeliveryTask(parts: WorkerParts, options: WorkerOptions, onCapacity: () => void): Deliverer {
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
    onBroken: observer.brokenBatch,
    onCapacity,
  });
}

function createResumeFileTask(
  parts: WorkerParts,
  options: WorkerOptions,
  { onCapacity, onEnded }: { readonly onCapacity: () => void; readonly onEnded: () => void },
): ResumeFetcher {
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
    onCapacity,
    onEnded,
    onGivenUp: observer.resumeGivenUp,
  });
}

export async function stopPeriodicTasks(
  tasks: PeriodicTasks,
  stopWithinMs: number,
  clock: Clock,
  logger: Logger,
): Promise<void> {
  const left = new Set(tasks.all.map(({ task }) => task));
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
  { deliveries, all, presence, rest }: PeriodicTasks,
  left: Set<PeriodicTask>,
): Promise<void> {
  const isAwake = rest.end();
  const isClosed = deliveries.task.close();
  await Promise.all(
    all.map(async ({ task, loop }) => {
      await loop.stop();
      await task.idle();
      left.delete(task);
    }),
  );
  await isClosed;
  await isAwake;
  await presence.leave();
}
