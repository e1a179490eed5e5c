// Create and run the partner API.

export { createPartnerHiring, type PartnerHiring } from './create-partner-hiring.js';
export { describeApplication, describeCandidate } from './domain/application-facts.js';
export type { Actor, AuditEntry, AuditObject, AuditObjectKind } from './domain/audit.js';
export { silenceText, standingOf } from './domain/deployment.js';
export { INBOX_IS_OFF, INBOX_WAS_OFF } from './domain/erasure.js';
export { FIELD_LABELS } from './domain/field-labels.js';
export type { Gap } from './domain/gap.js';
export { gapWords, type ShownGap, type WaitingEvents, waitWords } from './domain/gap-words.js';
export type {
  ApplicationChangedItem,
  ApplicationItem,
  ErasureItem,
  InboxChanges,
  InboxItem,
  InboxItemId,
} from './domain/inbox.js';
export { describeJob } from './domain/job-facts.js';
export { maskApplication } from './domain/mask-application.js';
export { NetworkUnavailable, OperatorError, type OperatorErrorCode, StorageUnavailable } from './errors.js';
export type { InboxContext, InboxOptions, InboxReceiver, LibraryTransactions } from './inbox/options.js';
export { notSearched } from './operator/candidates/candidate-target.js';
export type { PartnerHiringOptions, RetentionOptions, SelfServiceOptions } from './options.js';
export type { Worker, WorkerOptions } from './worker/worker.js';

// The host's process.

export { createHealth, type Health, type HealthReport } from './process/create-health.js';
export { type Stopper, stopOnSignals } from './process/stop-on-signals.js';

// Mount it in a server.

export { createFetchHandler, type FetchHandler } from './http/fetch-handler.js';
export type {
  BodyLimits,
  BodyResult,
  DiscardLimits,
  Handler,
  HttpReply,
  HttpRequest,
} from './http/message.js';
export { resolveTarget } from './http/target.js';

// The operator's commands, inputs and results.

export type { ListedAccess } from './operator/access.js';
export type { AccessOutcome, AccessTarget } from './operator/access-types.js';
export type { ActorInput } from './operator/actor.js';
export type { StageMove } from './operator/applications.js';
export type { AuditFilter } from './operator/audit.js';
export type { ListedAuditEntry, ListedAuditObject } from './operator/audit-entries.js';
export { callCommand, type InputOf, type ResultFor, type ResultOf } from './operator/call-command.js';
export type { ErasureInput, ErasureReceipt } from './operator/candidates/candidate-commands.js';
export type { CandidateTarget } from './operator/candidates/candidate-target.js';
export type { ApplicationDetails, CandidateApplication } from './operator/candidates/describe-application.js';
export type { CommandField } from './operator/command/command-field.js';
export { COMMAND_RIGHTS, type CommandRight } from './operator/command/rights.js';
export { type CommandFacts, type CommandName, OPERATOR_COMMANDS } from './operator/commands.js';
export type { NewCompany } from './operator/companies.js';
export type { CreatedPartner, NewPartner } from './operator/create-partner.js';
export type { DeliveryFilter } from './operator/deliveries/delivery-filter.js';
export type { DeliveryCounts, DeliveryDetails, DeliveryTarget } from './operator/deliveries/find-delivery.js';
export type { Delivery } from './operator/deliveries/read-deliveries.js';
export type { ResendResult, ResendTarget } from './operator/deliveries/resend.js';
export type { BulkSending } from './operator/deliveries/send-many.js';
export type { EndpointDetails, EndpointReport } from './operator/endpoint-report.js';
export type { TestDelivery } from './operator/endpoint-tester.js';
export type { OperatorLimits } from './operator/gate/limits.js';
export type { InboxStatus } from './operator/inbox-switch.js';
export type { IssuedKey } from './operator/issue-key.js';
export type { JobOutcome, JobUpdate } from './operator/jobs/change-job.js';
export type { JobVisibility } from './operator/jobs/find-job.js';
export type { ListedJob } from './operator/jobs/job-commands.js';
export type { NewJob } from './operator/jobs/publish-jobs.js';
export type { JobPut } from './operator/jobs/put-jobs.js';
export type { JobSyncOptions, JobSyncResult, LastJobSync } from './operator/jobs/sync/job-sync-commands.js';
export type { JobSource, SourceJob } from './operator/jobs/sync/source-job.js';
export type { SecretView } from './operator/key-secrets.js';
export type { KeyView } from './operator/keys.js';
export type { ApplicationFilter, ListedApplication } from './operator/list-applications.js';
export type { ApplicationOutcome } from './operator/move-applications.js';
export type { ListedOperation } from './operator/operations/operation-commands.js';
export type {
  LimitedOperator,
  Operator,
  OperatorCommands,
  OperatorInTransaction,
} from './operator/operator.js';
export type { Page } from './operator/page-cursor.js';
export type { PartnerTarget } from './operator/partner-changes.js';
export type { HealthFigures, PartnerHealth } from './operator/partner-health.js';
export type {
  JobClosing,
  OwnApplication,
  OwnKey,
  OwnRequest,
  PortalAttempt,
  PortalBacklog,
  PortalDelivery,
  PortalDeliveryDetails,
  PortalEndpoint,
  PortalRequest,
  SeenCompany,
} from './operator/portal/own-rows.js';
export type { PartnerView } from './operator/portal/partner-view.js';
export type { PortalVisit } from './operator/portal/portal-passes.js';
export type { RouteLimit } from './operator/portal/route-limits.js';
export type { Readiness, ReadinessEvidence, ReadinessRow } from './operator/readiness/checklist.js';
export type { RefusedItem } from './operator/refused-items.js';
export type { ExplainedRequest, ListedRequest, LoggedRequest } from './operator/requests/find-request.js';
export { findSealing, type SealingReport } from './operator/secrets.js';
export type { FoundPerson, SearchKind, SearchResult } from './operator/system/search/search-types.js';
export type { SeenWorker, SystemStatus } from './operator/system/system-status.js';
export type {
  NewsState,
  PartnerNews,
  Timeline,
  TimelineEntry,
  TimelineOptions,
} from './operator/timelines/timeline.js';
export type { TimelineTarget } from './operator/timelines/timeline-commands.js';

// The ids, objects and states that inputs and results contain.

export type { Company } from './domain/access.js';
export type { OperatorAlert } from './domain/alert.js';
export type {
  ApplicationRecord,
  ApplicationStatus,
  Decision,
  EvaluationStage,
  ResumeState,
  Stage,
} from './domain/application.js';
export type { FormQuestion } from './domain/application-form.js';
export type { DeliveryTotals } from './domain/backlog.js';
export type {
  AttemptOutcome,
  AttemptRecord,
  DeliveryState,
  EndpointFailure,
  StoredDelivery,
} from './domain/delivery.js';
export type { DeliveryEvidence } from './domain/delivery-evidence.js';
export type { Endpoint, EndpointState, PauseReason } from './domain/endpoint.js';
export type { EventData, EventType, PartnerEvent } from './domain/event.js';
export type { Fact } from './domain/fact.js';
export { highPayText } from './domain/high-pay.js';
export type {
  AlertId,
  ApplicationId,
  AuditId,
  CompanyId,
  EventId,
  IdKind,
  IdOf,
  JobId,
  KeyId,
  OperationId,
  PartnerId,
  WorkerId,
} from './domain/ids.js';
export type { Job, JobState } from './domain/job.js';
export type { MissingJobs, RefusedRow, SyncCounts } from './domain/job-sync.js';
export type { Operation, OperationPlan, OperationState, ResendSelection } from './domain/operation.js';
export type { Optional } from './domain/optional.js';
export type { Environment, Partner, PartnerContact, PartnerKey } from './domain/partner-key.js';
export { PORTAL_PRESET, PORTAL_RIGHTS, type PortalRight } from './domain/portal.js';
export type { LoggedField, LoggedFieldCode } from './domain/request-log.js';
export {
  type EndpointRights,
  failureWords,
  type OwnFailure,
  SELF_SERVICE_PRESET,
} from './domain/self-service.js';
export type { Support } from './domain/support.js';
export type { Instant } from './domain/time.js';

// Ports that a host can replace. `@partner-hiring/core/ports` has what a storage implements.

export type {
  OperatorAlerts,
  PhoneNumbers,
  SecretBox,
  SecretContext,
  WebhookRequest,
  WebhookTransport,
} from './ports/host-services.js';
export type {
  ResumeDownload,
  ResumeFile,
  ResumeScanner,
  ResumeScanResult,
  ResumeSink,
  ResumeSource,
  StoredResume,
} from './ports/resumes.js';
export type { Clock, Random, Runtime } from './ports/runtime.js';
export type { EndpointTest, Own, OwnRefusal } from './ports/self-service.js';
export type { Storage } from './ports/storage.js';
export type { Attributes, LogFields, Logger, Span, Telemetry } from './ports/telemetry.js';

// Default implementations of the ports.

export { createConsoleLogger, createPinoLogger, type PinoLogger } from './defaults/loggers.js';
export { createPhoneNumbers } from './defaults/phone-numbers.js';
export { createPrometheusTelemetry } from './defaults/prometheus-telemetry.js';
export { createResumeFolder } from './defaults/resume/resume-folder.js';
export { createResumeSource } from './defaults/resume/resume-source.js';
export { createSafeTransport, type SafeTransportOptions } from './defaults/safe-transport.js';
export { createSecretBox, type LocalSecretBox, type SealingKey } from './defaults/sealed-secrets.js';
export { createSystemRuntime } from './defaults/system-runtime.js';

// Domain rules that a storage needs.

export { APPLICATION_STATUSES } from './domain/application.js';
export { RATE_LIMITS, type RateLimits } from './domain/rate-limit.js';
