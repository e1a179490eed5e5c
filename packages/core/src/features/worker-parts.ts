import type { ApplicationId } from '../domain/ids.js';
import type { OperatorAlerts } from '../ports/host-services.js';
import type { ResumeScanner, ResumeSink, ResumeSource } from '../ports/resumes.js';
import type { PeriodicTask } from '../worker/loop.js';
import type { MessageOptions } from './alerts/message-rules.js';
import type { JobSyncRunner } from './jobs-sync/service.js';
import type { RetentionStarter } from './privacy/service.js';
import type { SandboxStepper } from './sandbox/service.js';

/** What the tasks of features need of a worker. */
export interface FeatureWorkerParts {
  readonly resumeSource?: ResumeSource | undefined;
  readonly resumeSink?: ResumeSink | undefined;
  /** Without a scanner, résumés are stored unscanned. */
  readonly resumeScanner?: ResumeScanner | undefined;
  /** Called for each résumé that is not tried again. */
  readonly onResumeGivenUp?: ((applicationId: ApplicationId, reason: string) => void) | undefined;
  readonly alerts?: OperatorAlerts | undefined;
  /** Where the messages to partners lead. By default, they have no link and name no support. */
  readonly messages?: MessageOptions | undefined;
  /** Without it, the worker has no source of jobs. */
  readonly jobSyncs?: JobSyncRunner | undefined;
  /** Without it, applications are kept. */
  readonly retention?: RetentionStarter | undefined;
  /** How long the request log is kept, in milliseconds. Default: seven days. */
  readonly requestsMs?: number | undefined;
  readonly sandbox?: SandboxStepper | undefined;
  /** How long audit entries are kept, in milliseconds. 400 days by default; null keeps them. */
  readonly auditMs?: number | null | undefined;
  readonly inbox?: PeriodicTask | undefined;
  /** Whether the logs of all keys record every event. Undefined leaves each log as it is. */
  readonly recordsEvents?: boolean | undefined;
}
