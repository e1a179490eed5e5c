import type { AuditCommands } from '../features/audit/commands.js';
import type { InboxCommands } from '../features/inbox/commands.js';
import type { JobSyncCommands, JobSyncer } from '../features/jobs-sync/commands.js';
import type { OperationCommands } from '../features/operations/commands.js';
import type { OperationWaiter } from '../features/operations/wait-commands.js';
import type { PortalCommands } from '../features/portal/commands.js';
import type { CandidateCommands } from '../features/privacy/commands.js';
import type { ReadinessCommands } from '../features/readiness/commands.js';
import type { KeyProber } from '../features/readiness/prober-commands.js';
import type { RequestCommands } from '../features/request-log/commands.js';
import type { SandboxCommands } from '../features/sandbox/commands.js';
import type { SystemCommands } from '../features/system/commands.js';
import type { DeploymentCommands } from '../features/system/deployment-commands.js';
import type { SecretCommands } from '../features/system/secret-commands.js';
import type { TimelineCommands } from '../features/timelines/commands.js';
import type { ApplicationCommands } from '../groups/applications/application-commands.js';
import type { DeliveryCommands } from '../groups/deliveries/delivery-commands.js';
import type { EndpointCommands } from '../groups/deliveries/endpoint-commands.js';
import type { EndpointTester } from '../groups/deliveries/endpoint-tester.js';
import type { EventCommands } from '../groups/deliveries/event-commands.js';
import type { JobCommands } from '../groups/jobs/job-commands.js';
import type { AccessCommands } from '../groups/partners/access-commands.js';
import type { CompanyCommands } from '../groups/partners/company-commands.js';
import type { KeyCommands } from '../groups/partners/key-commands.js';
import type { PartnerCommands } from '../groups/partners/partner-commands.js';

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
