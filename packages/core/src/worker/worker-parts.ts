import type { ApplicationId } from '../domain/ids.js';
import type { OperatorAlerts } from '../ports/operator-alerts.js';
import type { ResumeScanner } from '../ports/resume-scanner.js';
import type { ResumeSink, ResumeSource } from '../ports/resume-sink.js';
import type { Runtime } from '../ports/runtime.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Storage } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { WebhookTransport } from '../ports/webhook-transport.js';
import type { StorageClock } from '../storage-clock.js';
import { type AttemptObserver, UNOBSERVED_ATTEMPTS } from './attempt.js';
import type { WorkerOptions } from './options.js';

/** Observes a worker. */
export interface WorkerObserver extends AttemptObserver {
  /** Called with the number of reports in each batch that is recorded. */
  settling(count: number): void;
  /** Called when a batch failed and its calls run one at a time. */
  brokenBatch(batcher: WorkerBatcher, size: number, err: unknown): void;
  /** Called when the worker stops trying to fetch a résumé. `reason` is the one that the application has. */
  resumeGivenUp(applicationId: ApplicationId, reason: string): void;
}

/** The batchers that senders share. */
export type WorkerBatcher = 'poll' | 'renewal' | 'settling';

/** The ports and options of a worker. */
export interface WorkerParts {
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction'>;
  /** Its clock measures durations: polls, cooldowns, timeouts and leases. */
  readonly runtime: Runtime;
  /** Decides what is due, and dates signatures and records. */
  readonly storageClock: StorageClock;
  readonly transport: WebhookTransport;
  readonly resumeSource: ResumeSource;
  readonly resumeSink: ResumeSink;
  /** Scans résumés before they are stored. Without it, they are not scanned. */
  readonly resumeScanner?: ResumeScanner;
  readonly alerts: OperatorAlerts;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  readonly observer?: WorkerObserver;
  readonly options?: Partial<WorkerOptions>;
  /** Runs the sandboxes of keys. Without it, they do not advance. */
  readonly sandbox?: SandboxStepper;
}

/** Observes nothing. */
export const NO_OBSERVER: WorkerObserver = {
  ...UNOBSERVED_ATTEMPTS,
  settling: () => {},
  brokenBatch: () => {},
  resumeGivenUp: () => {},
};
