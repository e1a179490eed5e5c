// Create and run the partner API.

export { createPartnerHiring, type PartnerHiring } from './create-partner-hiring.js';
export { describeApplication, describeCandidate } from './domain/application-facts.js';
export type { Actor, AuditEntry, AuditObject, AuditObjectKind } from './domain/audit.js';
export { silenceText, standingOf } from './domain/deployment.js';
export { FIELD_LABELS } from './domain/field-labels.js';
export type { Gap } from './domain/gap.js';
export { gapWords, type ShownGap, type WaitingEvents, waitWords } from './domain/gap-words.js';
export type { InboxItemId } from './domain/ids.js';
export { describeJob } from './domain/job-facts.js';
export { maskApplication } from './domain/mask-application.js';
export { NetworkUnavailable, OperatorError, type OperatorErrorCode, StorageUnavailable } from './errors.js';
export type {
  InboxContext,
  InboxOptions,
  InboxReceiver,
  LibraryTransactions,
} from './features/inbox/options.js';
export type {
  ApplicationChangedItem,
  ApplicationItem,
  ErasureItem,
  InboxChanges,
  InboxItem,
} from './features/inbox/rules.js';
export { INBOX_IS_OFF, INBOX_WAS_OFF } from './features/privacy/rules.js';
export { notSearched } from './groups/applications/candidate-target.js';
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

export type { ListedAlert, SentAlertFilter } from './features/alerts/commands.js';
export type { ListedAuditEntry, ListedAuditObject } from './features/audit/audit-entries.js';
export type { AuditFilter } from './features/audit/commands.js';
export { OPERATOR_COMMANDS } from './features/commands.js';
export type { InboxStatus } from './features/inbox/inbox-switch.js';
export type { RefusedItem } from './features/inbox/refused-items.js';
export type {
  JobSyncOptions,
  JobSyncResult,
  LastJobSync,
  ListedHeldJob,
} from './features/jobs-sync/commands.js';
export type { ListedOperation } from './features/operations/commands.js';
export type { CommandName } from './features/operator-commands.js';
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
} from './features/portal/own-rows.js';
export type { PartnerView } from './features/portal/partner-view.js';
export type { PortalVisit } from './features/portal/portal-passes.js';
export type { RouteLimit } from './features/portal/route-limits.js';
export type { ErasureInput, ErasureReceipt } from './features/privacy/commands.js';
export type { CandidateApplication } from './features/privacy/describe-application.js';
export type { Readiness, ReadinessEvidence, ReadinessRow } from './features/readiness/checklist.js';
export type { ExplainedRequest, ListedRequest, LoggedRequest } from './features/request-log/find-request.js';
export type { FoundPerson, SearchKind, SearchResult } from './features/search/search-types.js';
export type { OpenAlert } from './features/system/open-alerts.js';
export { findSealing, type SealingReport } from './features/system/secret-commands.js';
export type { SeenWorker, SystemStatus } from './features/system/system-status.js';
export type { TimelineTarget } from './features/timelines/commands.js';
export type {
  NewsState,
  PartnerNews,
  Timeline,
  TimelineEntry,
  TimelineOptions,
} from './features/timelines/timeline.js';
export type { UnseenJob } from './features/totals/list-missing.js';
export type { TotalsFilter, TotalsRow } from './features/totals/list-totals.js';
export type { StageMove } from './groups/applications/application-commands.js';
export type { ApplicationFilter } from './groups/applications/application-filter.js';
export type { CandidateTarget } from './groups/applications/candidate-target.js';
export type { ApplicationDetails } from './groups/applications/find-application.js';
export type { ListedApplication } from './groups/applications/list-applications.js';
export type { ApplicationOutcome } from './groups/applications/move-applications.js';
export type { DeliveryFilter } from './groups/deliveries/delivery-filter.js';
export type { EndpointDetails, EndpointReport } from './groups/deliveries/endpoint-report.js';
export type { TestDelivery } from './groups/deliveries/endpoint-tester.js';
export type { DeliveryCounts, DeliveryDetails, DeliveryTarget } from './groups/deliveries/find-delivery.js';
export type { Delivery } from './groups/deliveries/read-deliveries.js';
export type { ResendResult, ResendTarget } from './groups/deliveries/resend.js';
export type { BulkSending } from './groups/deliveries/send-many.js';
export type { JobOutcome, JobUpdate } from './groups/jobs/change-job.js';
export type { JobVisibility } from './groups/jobs/find-job.js';
export type { ListedJob } from './groups/jobs/job-commands.js';
export type { NewJob } from './groups/jobs/publish-jobs.js';
export type { JobPut } from './groups/jobs/put-jobs.js';
export type { JobSource, SourceJob } from './groups/jobs/source-job.js';
export type { ListedAccess } from './groups/partners/access-commands.js';
export type { AccessOutcome, AccessTarget } from './groups/partners/access-many.js';
export type { NewCompany } from './groups/partners/company-commands.js';
export type { CreatedPartner, NewPartner } from './groups/partners/create-partner.js';
export type { IssuedKey } from './groups/partners/issue-key.js';
export type { FoundKey, KeyView } from './groups/partners/key-commands.js';
export type { SecretView } from './groups/partners/key-secrets.js';
export type { PartnerTarget } from './groups/partners/partner-changes.js';
export type { HealthFigures, PartnerHealth } from './groups/partners/partner-health.js';
export type { ActorInput } from './operator/actor.js';
export { callCommand, type InputOf, type ResultFor, type ResultOf } from './operator/call-command.js';
export type { CommandField } from './operator/command/command-field.js';
export type { CommandFacts } from './operator/command/facts.js';
export { COMMAND_RIGHT_LISTS, COMMAND_RIGHTS, type CommandRight } from './operator/command/rights.js';
export type { OperatorLimits } from './operator/gate/limits.js';
export type {
  LimitedOperator,
  Operator,
  OperatorCommands,
  OperatorInTransaction,
} from './operator/operator.js';
export type { Page } from './operator/page-cursor.js';

// The ids, objects and states that inputs and results contain.

export type { ClosedReason, Company } from './domain/access.js';
export type { OperatorAlert } from './domain/alert.js';
export type { LoggedField, LoggedFieldCode } from './domain/answered-request.js';
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
export { failureWords, type OwnFailure } from './domain/endpoint-failure.js';
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
export type {
  BulkAct,
  Operation,
  OperationFailure,
  OperationPlan,
  OperationState,
  ResendSelection,
} from './domain/operation.js';
export type { Optional } from './domain/optional.js';
export type { Environment, Partner, PartnerContact, PartnerKey } from './domain/partner-key.js';
export type { RefusedRow } from './domain/source-row.js';
export type { Support } from './domain/support.js';
export type { MissingJobs, SyncCounts } from './domain/sync-counts.js';
export type { Instant } from './domain/time.js';
export { PORTAL_PRESET, PORTAL_RIGHTS, type PortalRight } from './features/portal/rules.js';
export { type EndpointRights, SELF_SERVICE_PRESET } from './features/self-service/rules.js';

// Ports that a host can replace. `@partner-hiring/core/ports` has what a storage implements.

export type { EndpointTest, Own, OwnRefusal } from './features/self-service/service.js';
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
export type { Storage } from './ports/storage.js';
export type { Attributes, LogFields, Logger, Span, Telemetry } from './ports/telemetry.js';

// Default implementations of the ports.

export { createConsoleLogger, createPinoLogger, type PinoLogger } from './defaults/loggers.js';
export { createPhoneNumbers } from './defaults/phone-numbers.js';
export { createPrometheusTelemetry } from './defaults/prometheus-telemetry.js';
export { createSafeTransport, type SafeTransportOptions } from './defaults/safe-transport.js';
export { createSecretBox, type LocalSecretBox, type SealingKey } from './defaults/sealed-secrets.js';
export { createSystemRuntime } from './defaults/system-runtime.js';
export { createResumeFolder } from './features/resumes/defaults/resume-folder.js';
export { createResumeSource } from './features/resumes/defaults/resume-source.js';

// Domain rules that a storage needs.

export { APPLICATION_STATUSES } from './domain/application.js';
export { LIMITED_REQUESTS, type LoweredLimits, RATE_LIMITS, type RateLimits } from './domain/rate-limit.js';
