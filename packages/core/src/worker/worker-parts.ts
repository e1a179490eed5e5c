import type { EventId, KeyId } from '../domain/ids.js';
import type { Optional } from '../domain/optional.js';
import type { Instant } from '../domain/time.js';
import type { WorkerProcess } from '../domain/worker-instance.js';
import type { GuardedSecretBox, WebhookTransport } from '../ports/host-services.js';
import type { Runtime } from '../ports/runtime.js';
import type { OperationStepper } from '../ports/steppers.js';
import type { Storage } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';
import { type AttemptObserver, UNOBSERVED_ATTEMPTS } from './attempt.js';
import type { Found, PeriodicTask } from './loop.js';
import type { WorkerOptions } from './options.js';
import type { Sweep } from './sweep.js';

export interface WorkerObserver extends AttemptObserver {
  settling(count: number): void;
  brokenBatch(batcher: WorkerBatcher, size: number, err: unknown): void;
}

/** An event that an endpoint has accepted. */
export interface Delivered {
  readonly keyId: KeyId;
  readonly eventId: EventId;
  /** Whether the event was resent after its delivery had ended. */
  readonly isRepeated: boolean;
}

export type WorkerBatcher = 'poll' | 'renewal' | 'settling';

export interface WorkerParts {
  readonly features: readonly WorkerFeature[];
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction' | 'rewriteErased' | 'announcesWork'>;
  /** Its clock measures durations. */
  readonly runtime: Runtime;
  /** Decides what is due, and gives the time of records. */
  readonly storageClock: StorageClock;
  readonly transport: WebhookTransport;
  readonly secretBox: GuardedSecretBox;
  readonly logger: Logger;
  readonly observer?: WorkerObserver;
  readonly options?: Optional<WorkerOptions> | undefined;
  readonly operations?: OperationStepper | undefined;
  /** Called for each attempt that succeeds. */
  readonly onDelivered?: ((delivered: Delivered, at: Instant) => void) | undefined;
  /** The process, for the list of workers. Without it, the list does not have this worker. */
  readonly process?: WorkerProcess;
  /** Names an empty database, and says if the process sends nothing. */
  readonly deploymentWatch?: PeriodicTask | undefined;
}

export const NO_OBSERVER: WorkerObserver = {
  ...UNOBSERVED_ATTEMPTS,
  settling: () => {},
  brokenBatch: () => {},
};

/** The name of the task that hands items to the host. Other tasks wake it. */
export const INBOX_TASK = 'inbox';

/** How the worker runs a task. */
export interface TaskPlan {
  /** Default: the option `pollEveryMs`. */
  readonly everyMs?: number;
  readonly isDemanded?: boolean;
  /** True to wake the task's loop. */
  readonly wake?: true | (() => void);
  /** True to run the task's poll. */
  readonly inSleep?: true | (() => Promise<Found>);
}

/** A task of a feature. */
export interface PlannedTask extends TaskPlan {
  readonly task: PeriodicTask;
}

/** What the tasks of features get of their worker. */
export interface TaskWorker {
  readonly options: WorkerOptions;
  /** Polls a task soon. Does nothing if the worker does not have it. */
  wake(task: string): void;
  /** Ends the sleep of an idle worker. */
  rouse(): void;
}

/** The work of a feature. */
export interface WorkerFeature {
  /** Makes its tasks. A task whose options are not set is left out. */
  readonly tasks?: (worker: TaskWorker) => readonly PlannedTask[];
  /** Which of its rows expire. */
  readonly sweeps?: readonly Sweep[];
}
