import type { ApplicationId, KeyId } from '../domain/ids.js';
import type { OperatorAlerts } from '../ports/operator-alerts.js';
import type { ResumeSink, ResumeSource } from '../ports/resume-sink.js';
import type { Runtime } from '../ports/runtime.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Storage } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { WebhookTransport } from '../ports/webhook-transport.js';
import { type AttemptObserver, UNOBSERVED_ATTEMPTS } from './attempt-observer.js';
import { createDeliverer } from './deliver-events.js';
import { createResumeFetcher } from './fetch-resumes.js';
import { type Chore, createLoop, type Found } from './loop.js';
import { WORKER_DEFAULTS, type WorkerOptions } from './options.js';
import { createSandboxPlayer } from './play-sandboxes.js';
import { createAlertSender } from './send-alerts.js';
import { createSettle } from './settle.js';
import { createSlots } from './slots.js';
import { createSweeper } from './sweep.js';
import { startTimeLimit } from './time-limit.js';

export type { WorkerOptions } from './options.js';

/** Does what happens later: sends events, hands over alerts, fetches résumés, sweeps, plays sandboxes. */
export interface Worker {
  /**
   * Runs until stopped. Any number of workers, in any number of processes, share the work. Called within a request of
   * the host's, it has no part in that one's async context.
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
  nudge(keyIds?: ReadonlySet<KeyId>): void;
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
  nudgeResumes(): void;
}

/** Watches a worker. */
export interface WorkerObserver extends AttemptObserver {
  /** So many lanes' reports are recorded together. */
  settling(count: number): void;
  /** They, or what else lanes do together, failed as a whole, and are done again one by one. */
  brokenBatch(group: WorkerGroup, size: number, err: unknown): void;
  /** A résumé is not tried again. `reason`: as the application has it. */
  resumeGivenUp(applicationId: ApplicationId, reason: string): void;
}

/** The groups in which what lanes do goes together. */
export type WorkerGroup = 'look' | 'renewal' | 'settling';

/** What a worker is made of. */
export interface WorkerParts {
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction'>;
  readonly runtime: Runtime;
  readonly transport: WebhookTransport;
  readonly resumeSource: ResumeSource;
  readonly resumeSink: ResumeSink;
  readonly alerts: OperatorAlerts;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  /** Watches attempts and settling; nobody does unless given. */
  readonly observer?: WorkerObserver;
  readonly options?: Partial<WorkerOptions>;
  /** Plays the sandboxes of keys; nobody does unless given. */
  readonly sandbox?: SandboxStepper;
}

const NO_OBSERVER: WorkerObserver = {
  ...UNOBSERVED_ATTEMPTS,
  settling: () => {},
  brokenBatch: () => {},
  resumeGivenUp: () => {},
};

/** Builds a worker. It does nothing until it is started or drained. */
export function createWorker(parts: WorkerParts): OwnWorker {
  const { storage, runtime, logger, observer = NO_OBSERVER } = parts;
  const { direct } = storage;
  const { clock } = runtime;
  const options = { ...WORKER_DEFAULTS, ...parts.options };

  const deliverer = createDeliverer({
    direct,
    settle: createSettle(storage, runtime, {
      gathers: true,
      onBatch: observer.settling,
      onBroken: (size, err) => observer.brokenBatch('settling', size, err),
    }),
    slots: createSlots(options.maxInFlight),
    ports: { transport: parts.transport, secretBox: parts.secretBox, clock, observer },
    runtime,
    logger,
    options,
    onBroken: observer.brokenBatch,
    onRoom: () => loops.deliveries.wake(),
  });
  const resumes = createResumeFetcher({
    storage,
    source: parts.resumeSource,
    sink: parts.resumeSink,
    runtime,
    logger,
    concurrency: options.resumeConcurrency,
    onRoom: () => loops.resumes.wake(),
    onGivenUp: observer.resumeGivenUp,
  });
  const alerts = createAlertSender({ direct, alerts: parts.alerts, runtime, logger });
  const sweeper = createSweeper({ direct, clock, options });
  const { sandbox: stepper } = parts;
  const players = stepper === undefined ? [] : [createSandboxPlayer({ direct, stepper, clock, logger })];

  const timing = { everyMs: options.pollEveryMs, clock, logger };
  const loops = {
    deliveries: createLoop(deliverer, timing),
    resumes: createLoop(resumes, timing),
    alerts: createLoop(alerts, timing),
    sweep: createLoop(sweeper, { ...timing, everyMs: options.sweepEveryMs }),
  };
  // In the order of the chores.
  const allLoops = [...Object.values(loops), ...players.map((player) => createLoop(player, timing))];
  const chores = [deliverer, resumes, alerts, sweeper, ...players];

  /** Each chore leaves `left` once it has ended. */
  async function endWhatIsUnderWay(left: Set<Chore>): Promise<void> {
    const isClosed = deliverer.close();
    await Promise.all(
      chores.map(async (chore, index) => {
        await allLoops[index]?.stop();
        await chore.idle();
        left.delete(chore);
      }),
    );
    await isClosed;
  }

  async function idle(): Promise<void> {
    await Promise.all(chores.map((chore) => chore.idle()));
  }

  return {
    start() {
      for (const loop of allLoops) loop.start();
    },

    async stop() {
      const { stopWithinMs } = options;
      const left = new Set<Chore>(chores);
      const limit = startTimeLimit(clock, stopWithinMs);
      await limit.waitFor(endWhatIsUnderWay(left));
      limit.end();
      deliverer.abandon();
      if (left.size === 0) return;
      const names = [...left].map(({ name }) => name);
      logger.warn(
        { chores: names, stopWithinMs },
        'The worker did not stop in time; what was under way is done again.',
      );
    },

    nudge(keyIds) {
      const isTaken = deliverer.nudge(keyIds);
      if (!isTaken) loops.deliveries.wake();
      if (keyIds === undefined) loops.resumes.wake();
    },

    nudgeResumes: loops.resumes.wake,

    async drain() {
      let found: readonly Found[];
      do {
        await idle();
        found = await Promise.all(allLoops.map((loop) => loop.look()));
      } while (found.some((each) => each !== 'nothing'));
      await idle();
    },
  };
}
