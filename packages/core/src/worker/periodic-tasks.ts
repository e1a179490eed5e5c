import { AUDIT_MS } from '../domain/audit.js';
import { isSuccess } from '../domain/delivery.js';
import { createHourTally, type HourTally, latencyName } from '../domain/hour-count.js';
import { HOUR_MS } from '../domain/time.js';
import { createFailingWarner, WARN_EVERY_MS } from '../features/alerts/failing-task.js';
import { createAlertSender } from '../features/alerts/task.js';
import { createJobSyncTask } from '../features/jobs-sync/task.js';
import { createRetentionTask } from '../features/privacy/retention-task.js';
import { createRewriter } from '../features/privacy/rewrite-task.js';
import { createResumeFetcher } from '../features/resumes/fetch-task.js';
import { createResumeRemover } from '../features/resumes/removal-task.js';
import { createSandboxPlayer } from '../features/sandbox/task.js';
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
import { type InboxTask, NO_OBSERVER, type WorkerParts } from './worker-parts.js';

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
  readonly resumeFiles: ListedTask;
  readonly inbox: ListedTask<InboxTask> | null;
  readonly list: readonly ListedTask[];
  readonly presence: Presence;
  readonly rest: Rest;
}

interface TaskPlan {
  readonly everyMs?: number;
  readonly isDemanded?: boolean;
  /** True to wake the task's loop. */
  readonly wake?: true | (() => void);
  /** True to run the task's poll. */
  readonly inSleep?: true | (() => Promise<Found>);
}

/** Creates the tasks of a worker. Leaves out the tasks whose parts are missing. */
export function createPeriodicTasks(parts: WorkerParts, options: WorkerOptions): PeriodicTasks {
  const { storage, storageClock, runtime, logger, resumeSink, retention, sandbox } = parts;
  const { direct, rewriteErased } = storage;
  const { clock, ids } = runtime;
  const tally = createHourTally();
  const deployment = deploymentOf(parts);

  const rest = createRest({
    direct,
    clock,
    logger,
    options,
    announcesWork: storage.announcesWork ?? false,
    withInbox: parts.inbox !== undefined,
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
  const inbox = parts.inbox && listed(parts.inbox, { isDemanded: true, wake: true });
  const resumeFiles: ListedTask = listed(
    createResumeFileTask(parts, options, {
      onCapacity: () => resumeFiles.loop.wake(),
      onEnded: () => inbox?.loop.wake(),
    }),
    { isDemanded: true, wake: true },
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
  const onRetention = () => {
    rest.wake();
    poller?.wake();
  };
  const { auditMs = AUDIT_MS, requestsMs, recordsEvents, messages = {} } = parts;
  const sweeper = createSweeper({ direct, clock, logger, options, auditMs, requestsMs, recordsEvents });

  const list = [
    deliveries,
    resumeFiles,
    listed(createResumeRemover({ direct, sink: resumeSink, runtime, storageClock, logger }), {
      isDemanded: true,
      wake: true,
    }),
    listed(createAlertSender({ direct, alerts: parts.alerts, messages, runtime, logger, deployment }), {
      isDemanded: true,
    }),
    operations,
    parts.jobSyncs &&
      listed(createJobSyncTask(parts.jobSyncs, clock, logger), {
        isDemanded: true,
        wake: true,
        inSleep: true,
      }),
    sandbox &&
      listed(createSandboxPlayer({ direct, stepper: sandbox, clock, storageClock, logger }), {
        isDemanded: true,
        inSleep: true,
      }),
    inbox,
    listed(createFailingWarner({ storage, clock, nextAlertId: () => ids.next('alert') }), {
      everyMs: WARN_EVERY_MS,
    }),
    listed(sweeper, { everyMs: options.sweepEveryMs, inSleep: sweeper.pollExpired }),
    retention && listed(createRetentionTask(retention, clock, onRetention), { inSleep: true }),
    parts.deploymentWatch && listed(parts.deploymentWatch, { everyMs: HOUR_MS, inSleep: true }),
    rewriteErased && listed(createRewriter({ rewriteErased, clock, logger }), { inSleep: true }),
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

  return { deliveries, resumeFiles, inbox: inbox ?? null, list, presence, rest };
}

function deploymentOf({ process }: WorkerParts): string | undefined {
  return process?.deployment ?? undefined;
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
    deployment: deploymentOf(parts),
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

function createResumeFileTask(
  parts: WorkerParts,
  options: WorkerOptions,
  { onCapacity, onEnded }: { readonly onCapacity: () => void; readonly onEnded: () => void },
): PeriodicTask {
  const { storage, storageClock, runtime, logger, observer = NO_OBSERVER } = parts;
  return createResumeFetcher({
    storage,
    source: parts.resumeSource,
    scanner: parts.resumeScanner,
    sink: parts.resumeSink,
    runtime,
    storageClock,
    logger,
    deployment: deploymentOf(parts),
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
