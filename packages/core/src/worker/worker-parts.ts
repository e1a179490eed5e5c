import type { ApplicationId, EventId, KeyId } from '../domain/ids.js';
import type { Optional } from '../domain/optional.js';
import type { Instant } from '../domain/time.js';
import type { WorkerProcess } from '../domain/worker-instance.js';
import type { MessageOptions } from '../features/alerts/message-rules.js';
import type { GuardedSecretBox, OperatorAlerts, WebhookTransport } from '../ports/host-services.js';
import type { ResumeScanner, ResumeSink, ResumeSource } from '../ports/resumes.js';
import type { Runtime } from '../ports/runtime.js';
import type { JobSyncRunner, OperationStepper, RetentionStarter, SandboxStepper } from '../ports/steppers.js';
import type { Storage } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';
import { type AttemptObserver, UNOBSERVED_ATTEMPTS } from './attempt.js';
import type { PeriodicTask } from './loop.js';
import type { WorkerOptions } from './options.js';

export interface WorkerObserver extends AttemptObserver {
  settling(count: number): void;
  brokenBatch(batcher: WorkerBatcher, size: number, err: unknown): void;
  resumeGivenUp(applicationId: ApplicationId, reason: string): void;
}

/** Hands new applications to the host. `hint` names a key with new ones, so that no poll has to search. */
export interface InboxTask extends PeriodicTask {
  hint(keyId: KeyId): void;
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
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction' | 'rewriteErased' | 'announcesWork'>;
  /** Its clock measures durations. */
  readonly runtime: Runtime;
  /** Decides what is due, and gives the time of records. */
  readonly storageClock: StorageClock;
  readonly transport: WebhookTransport;
  readonly resumeSource: ResumeSource;
  readonly resumeSink: ResumeSink;
  /** Without a scanner, résumés are stored unscanned. */
  readonly resumeScanner?: ResumeScanner | undefined;
  readonly alerts: OperatorAlerts;
  /** Where the messages to partners lead. By default, they have no link and name no support. */
  readonly messages?: MessageOptions | undefined;
  readonly secretBox: GuardedSecretBox;
  readonly logger: Logger;
  readonly observer?: WorkerObserver;
  readonly options?: Optional<WorkerOptions> | undefined;
  readonly operations?: OperationStepper | undefined;
  /** Without it, the worker has no source of jobs. */
  readonly jobSyncs?: JobSyncRunner | undefined;
  /** Without it, applications are kept. */
  readonly retention?: RetentionStarter | undefined;
  /** How long the request log is kept, in milliseconds. Default: seven days. */
  readonly requestsMs?: number | undefined;
  readonly sandbox?: SandboxStepper | undefined;
  /** How long audit entries are kept, in milliseconds. 400 days by default; null keeps them. */
  readonly auditMs?: number | null | undefined;
  readonly inbox?: InboxTask | undefined;
  /** Whether the logs of all keys record every event. Undefined leaves each log as it is. */
  readonly recordsEvents?: boolean | undefined;
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
  resumeGivenUp: () => {},
};
