import type { ApplicationId } from '../domain/ids.js';
import type { OperatorAlerts } from '../ports/operator-alerts.js';
import type { ResumeScanner, ResumeSink, ResumeSource } from '../ports/resumes.js';
import type { Runtime } from '../ports/runtime.js';
import type { SandboxStepper } from '../ports/sandbox-stepper.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Storage } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { WebhookTransport } from '../ports/webhook-transport.js';
import type { StorageClock } from '../storage-clock.js';
import { type AttemptObserver, UNOBSERVED_ATTEMPTS } from './attempt-observer.js';
import type { WorkerOptions } from './options.js';

/** Watches a worker. */
export interface WorkerObserver extends AttemptObserver {
  /** So many lanes' reports are recorded together. */
  settling(count: number): void;
  /** They, or what else lanes do together, failed as a whole, and are done again one by one. */
  brokenBatch(batcher: WorkerGroup, size: number, err: unknown): void;
  /** A résumé is not tried again. `reason`: as the application has it. */
  resumeGivenUp(applicationId: ApplicationId, reason: string): void;
}

/** The groups in which what lanes do goes together. */
export type WorkerGroup = 'poll' | 'renewal' | 'settling';

/** What a worker is made of. */
export interface WorkerParts {
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction'>;
  /** Its clock is for durations: polls, rests, time-outs, and how long a lease surely lasts. */
  readonly runtime: Runtime;
  /** For what is due, and for what is signed, recorded and swept. */
  readonly storageClock: StorageClock;
  readonly transport: WebhookTransport;
  readonly resumeSource: ResumeSource;
  readonly resumeSink: ResumeSink;
  /** Scans résumés before they are stored; nobody does unless given. */
  readonly resumeScanner?: ResumeScanner;
  readonly alerts: OperatorAlerts;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  /** Watches attempts and settling; nobody does unless given. */
  readonly observer?: WorkerObserver;
  readonly options?: Partial<WorkerOptions>;
  /** Plays the sandboxes of keys; nobody does unless given. */
  readonly sandbox?: SandboxStepper;
}

/** Watches nothing. */
export const NO_OBSERVER: WorkerObserver = {
  ...UNOBSERVED_ATTEMPTS,
  settling: () => {},
  brokenBatch: () => {},
  resumeGivenUp: () => {},
};
