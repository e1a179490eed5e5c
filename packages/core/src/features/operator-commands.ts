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
import type { WithoutEach } from '../operator/page-cursor.js';
import type { AlertCommands } from './alerts/commands.js';
import type { AuditCommands } from './audit/commands.js';
import type { BulkCommands } from './bulk/commands.js';
import type { InboxCommands } from './inbox/commands.js';
import type { HeldJobCommands, JobSyncCommands, JobSyncer } from './jobs-sync/commands.js';
import type { OperationCommands } from './operations/commands.js';
import type { OperationWaiter } from './operations/wait-commands.js';
import type { PortalCommands } from './portal/commands.js';
import type { CandidateCommands } from './privacy/commands.js';
import type { ReadinessCommands } from './readiness/commands.js';
import type { KeyProber } from './readiness/prober-commands.js';
import type { RequestCommands } from './request-log/commands.js';
import type { SandboxCommands } from './sandbox/commands.js';
import type { SearchCommands } from './search/definitions.js';
import type { OpenAlertCommands, SystemCommands } from './system/commands.js';
import type { DeploymentCommands } from './system/deployment-commands.js';
import type { SecretCommands } from './system/secret-commands.js';
import type { TimelineCommands } from './timelines/commands.js';

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
  readonly jobs: JobCommands & HeldJobCommands & { readonly syncs: JobSyncCommands };
  readonly applications: ApplicationCommands;
  readonly candidates: CandidateCommands;
  readonly endpoints: EndpointCommands;
  readonly deliveries: DeliveryCommands;
  readonly events: EventCommands;
  readonly operations: OperationCommands;
  readonly bulk: BulkCommands;
  readonly inbox: InboxCommands;
  readonly timelines: TimelineCommands;
  readonly requests: RequestCommands;
  readonly portal: PortalCommands;
  readonly sandbox: SandboxCommands;
  readonly alerts: AlertCommands & OpenAlertCommands;
  readonly audit: AuditCommands;
  readonly system: SystemCommands & SearchCommands;
}

/** The commands of an operator with its own transactions. `operator.within` does not offer all of them. */
export interface AllCommands extends Omit<OperatorCommands, 'endpoints' | 'jobs' | 'keys' | 'operations'> {
  readonly keys: KeyCommands & ReadinessCommands & KeyProber;
  readonly jobs: JobCommands & HeldJobCommands & { readonly syncs: JobSyncCommands & JobSyncer };
  readonly endpoints: EndpointCommands & EndpointTester;
  readonly operations: OperationCommands & OperationWaiter;
  readonly deployment: DeploymentCommands;
  readonly secrets: SecretCommands;
}

/** The names of the commands of a group, such as `close` and `syncs.run`. */
type NamesIn<Group> = {
  [Verb in keyof WithoutEach<Group> & string]: Group[Verb] extends (...input: never[]) => unknown
    ? Verb
    : `${Verb}.${NamesIn<Group[Verb]>}`;
}[keyof WithoutEach<Group> & string];

/** A command by its name, such as `jobs.close`. */
export type CommandName = NamesIn<AllCommands>;
