import type { AccessCommands } from './access.js';
import type { ApplicationCommands } from './applications.js';
import type { AuditCommands } from './audit.js';
import type { CandidateCommands } from './candidates/candidate-commands.js';
import type { CompanyCommands } from './companies.js';
import type { DeliveryCommands } from './deliveries/delivery-commands.js';
import type { DeploymentCommands } from './deployment-commands.js';
import type { EndpointTester } from './endpoint-tester.js';
import type { EndpointCommands } from './endpoints.js';
import type { EventCommands } from './events.js';
import type { InboxCommands } from './inbox.js';
import type { JobCommands } from './jobs/job-commands.js';
import type { JobSyncCommands, JobSyncer } from './jobs/sync/job-sync-commands.js';
import type { KeyCommands } from './keys.js';
import type { OperationCommands } from './operations/operation-commands.js';
import type { OperationWaiter } from './operations/wait.js';
import type { PartnerCommands } from './partners.js';
import type { PortalCommands } from './portal/portal-commands.js';
import type { KeyProber } from './readiness/key-prober.js';
import type { ReadinessCommands } from './readiness/readiness-commands.js';
import type { RequestCommands } from './requests/request-commands.js';
import type { SandboxCommands } from './sandbox.js';
import type { SecretCommands } from './secrets.js';
import type { SystemCommands } from './system/system-commands.js';
import type { TimelineCommands } from './timelines/timeline-commands.js';

/**
 * The commands of the host. A command that throws `OperatorError` has changed nothing; each throws `INVALID_INPUT` if
 * its input is not valid, so its own list of codes leaves that out. A command that throws `StorageUnavailable` with
 * `mayBeDone` may have been committed: call it again. If a result has `changed: false`, the call found everything as
 * asked, wrote nothing, and the audit has no entry of it. Where filters can be combined, a row must meet all of them.
 * An object is `id` in its own group, such as `jobs.find({ id })`, and `jobId` in all others.
 * Each list returns a `Page`, and has an iterator: `each` for `list`, `eachAttempt` for `listAttempts`. If a row
 * changes while pages are read, it may be returned twice or not at all.
 */
export interface OperatorCommands {
  readonly partners: PartnerCommands;
  readonly keys: KeyCommands & ReadinessCommands;
  readonly companies: CompanyCommands;
  readonly access: AccessCommands;
  readonly jobs: JobCommands & { readonly syncs: JobSyncCommands };
  readonly applications: ApplicationCommands;
  readonly candidates: CandidateCommands;
  readonly endpoints: EndpointCommands;
  readonly deliveries: DeliveryCommands;
  readonly events: EventCommands;
  readonly operations: OperationCommands;
  readonly inbox: InboxCommands;
  readonly timelines: TimelineCommands;
  readonly requests: RequestCommands;
  readonly portal: PortalCommands;
  readonly sandbox: SandboxCommands;
  readonly audit: AuditCommands;
  readonly system: SystemCommands;
}

/** The commands of an operator with its own transactions. `operator.within` does not offer all of them. */
export interface AllCommands extends Omit<OperatorCommands, 'endpoints' | 'jobs' | 'keys' | 'operations'> {
  readonly keys: KeyCommands & ReadinessCommands & KeyProber;
  readonly jobs: JobCommands & { readonly syncs: JobSyncCommands & JobSyncer };
  readonly endpoints: EndpointCommands & EndpointTester;
  readonly operations: OperationCommands & OperationWaiter;
  readonly deployment: DeploymentCommands;
  readonly secrets: SecretCommands;
}
