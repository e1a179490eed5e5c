// Create and run the partner API.

export { createPartnerHiring, type PartnerHiring } from './create-partner-hiring.js';
export { describeApplication, describeCandidate } from './domain/application-facts.js';
export type { ApplicationWarning } from './domain/application-warnings.js';
export type {
  Act,
  Actor,
  AuditEntry,
  AuditFields,
  AuditObject,
  AuditObjectKind,
  Door,
} from './domain/audit.js';
export { collectMessages } from './domain/collect-messages.js';
export {
  type DeploymentStanding,
  type NamedDeployment,
  type SilenceReason,
  silenceText,
  standingOf,
} from './domain/deployment.js';
export { hideQuery } from './domain/endpoint.js';
export { INBOX_IS_OFF, INBOX_WAS_OFF } from './domain/erasure.js';
export type { Gap } from './domain/gap.js';
export { gapWords, type OwnGap, type WaitingEvents, waitWords } from './domain/gap-words.js';
export type {
  ApplicationChange,
  ApplicationChangedItem,
  ApplicationItem,
  ApplicationItemKind,
  ApplicationProgress,
  CandidateErasedItem,
  ErasureItem,
  InboxChanges,
  InboxEntry,
  InboxEntryState,
  InboxItem,
  InboxItemHeader,
  InboxItemId,
  InboxItemKind,
  ListedEntry,
  PostponedEntry,
  RefusedEntry,
  UnreadEntry,
} from './domain/inbox.js';
export { describeJob } from './domain/job-facts.js';
export { NO_SYNC } from './domain/job-sync.js';
export { maskApplication } from './domain/mask-application.js';
export { NetworkUnavailable, OperatorError, type OperatorErrorCode, StorageUnavailable } from './errors.js';
export type {
  InboxContext,
  InboxInHost,
  InboxInStorage,
  InboxOptions,
  InboxReceiver,
  LibraryTransactions,
} from './inbox/options.js';
export { notSearched } from './operator/candidates/candidate-target.js';
export type {
  DeploymentClaim,
  DeploymentClaimed,
  DeploymentCommands,
  DeploymentNaming,
} from './operator/deployment-commands.js';
export type { DeploymentReport } from './operator/find-deployment.js';
export type { PartnerHiringOptions, RetentionOptions, SelfServiceOptions } from './options.js';
export type { DisarmedCounts } from './ports/repositories/deployment.js';
export type {
  Worker,
  WorkerOptions,
  WorkerState,
} from './worker/worker.js';

// The host's process.

export type { StoppableServer } from './process/closing-server.js';
export { createHealth, type Health, type HealthReport } from './process/create-health.js';
export {
  type StopOptions,
  type Stopper,
  type StopTimes,
  stopOnSignals,
} from './process/stop-on-signals.js';

// Mount it in a server.

export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from './http/fetch-handler.js';
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

export type { Consent, ErasureCounts } from './domain/erasure.js';
export type { RequestRefusal } from './domain/wire-errors.js';
export type {
  AccessCommands,
  AccessFilter,
  ListedAccess,
} from './operator/access.js';
export type {
  AccessGrant,
  AccessGrants,
  AccessOutcome,
  AccessTarget,
  AccessTargets,
} from './operator/access-types.js';
export type { ActorInput } from './operator/actor.js';
export type { ApplicationCommands, ApplicationOutcome, ApplicationTarget } from './operator/applications.js';
export type { AuditCommands, AuditFilter, ListExport } from './operator/audit.js';
export type { AuditTarget, ListedAuditEntry, ListedAuditObject } from './operator/audit-entries.js';
export { type CommandOf, callCommand, type InputOf, type ResultOf } from './operator/call-command.js';
export type {
  CandidateCommands,
  CandidateFilter,
  ErasureInput,
  ErasureReceipt,
} from './operator/candidates/candidate-commands.js';
export type { CandidateTarget } from './operator/candidates/candidate-target.js';
export type { ApplicationDetails, CandidateApplication } from './operator/candidates/describe-application.js';
export type { ErasedApplication } from './operator/candidates/erase-applications.js';
export type { BulkErasure, BulkErasureInput } from './operator/candidates/erase-many.js';
export type {
  CandidateExport,
  ExportedApplication,
  RevealTarget,
} from './operator/candidates/export-candidate.js';
export type {
  EndpointOutcome,
  EndpointResumption,
  EndpointTarget,
  EndpointUrlOutcome,
  EndpointView,
  ResumeTarget,
  SigningSecretRotation,
} from './operator/change-endpoint.js';
export type { Claim, Claims } from './operator/command/claims.js';
export type { CommandField } from './operator/command/command-field.js';
export { COMMAND_RIGHTS, type CommandRight } from './operator/command/rights.js';
export {
  type CommandFacts,
  type CommandName,
  OPERATOR_COMMANDS,
} from './operator/commands.js';
export type { CompanyCommands, CompanyOutcome, KnownCompanies, NewCompany } from './operator/companies.js';
export type {
  DeliveryOutcome,
  DryRun,
  EventWindow,
  RedeliveredOne,
  RedeliveryOutcome,
} from './operator/deliveries/change-delivery.js';
export type { DeliveryCommands } from './operator/deliveries/delivery-commands.js';
export type { DeliveryFilter, PageFilter } from './operator/deliveries/delivery-filter.js';
export type {
  DeliveryCounts,
  DeliveryDetails,
  DeliveryLookup,
  DeliveryTarget,
} from './operator/deliveries/find-delivery.js';
export type { ListedDelivery } from './operator/deliveries/list-deliveries.js';
export type { Evidenced, TypedDelivery } from './operator/deliveries/read-deliveries.js';
export type { BulkSending } from './operator/deliveries/send-many.js';
export type { SendCounts } from './operator/deliveries/send-steps.js';
export type {
  KeySending,
  PartnerSending,
  PartnerSendingInput,
} from './operator/deliveries/send-to-partner.js';
export type { EndpointTester, TestDelivery } from './operator/endpoint-tester.js';
export type {
  EndpointCommands,
  EndpointFilter,
  EndpointHealthReport,
  FoundEndpoint,
  ListedEndpoint,
} from './operator/endpoints.js';
export type { EventCommands, EventFilter, ListedEvent } from './operator/events.js';
export type { FailingEndpoint } from './operator/failing-endpoints.js';
export type {
  InboxCommands,
  InboxRequest,
  InboxRetry,
} from './operator/inbox.js';
export type { InboxStatus, InboxSwitch } from './operator/inbox-switch.js';
export type { IssuedKey, NewKey } from './operator/issue-key.js';
export type { JobChanges, JobOutcome, JobUpdate } from './operator/jobs/change-job.js';
export type {
  JobCommands,
  JobCountFilter,
  JobFilter,
  JobTarget,
  ListedJob,
} from './operator/jobs/job-commands.js';
export type { JobDetailsInput, JobVisibility } from './operator/jobs/job-details.js';
export type { NewJob } from './operator/jobs/publish-jobs.js';
export type { JobPut } from './operator/jobs/put-jobs.js';
export type {
  JobSyncCommands,
  JobSyncer,
  JobSyncOptions,
  JobSyncOutcome,
  JobSyncResult,
  LastJobSync,
  LastJobSyncOptions,
} from './operator/jobs/sync/job-sync-commands.js';
export type { JobsOption } from './operator/jobs/sync/job-sync-runner.js';
export type { JobSource, SourceJob } from './operator/jobs/sync/source-job.js';
export type {
  KeyRevocation,
  KeyRotation,
  RevokedSecrets,
  RotatedKey,
  SecretView,
} from './operator/key-secrets.js';
export type { KeyCommands, KeyFilter, KeyView } from './operator/keys.js';
export type {
  ApplicationFilter,
  ListedApplication,
} from './operator/list-applications.js';
export type { KeyNames } from './operator/names.js';
export type { OnboardedPartner, PartnerToOnboard } from './operator/onboard-partner.js';
export type {
  ListedOperation,
  OperationCommands,
  OperationFilter,
  OperationOutcome,
  OperationTarget,
} from './operator/operations/operation-commands.js';
export type { OperationWait, OperationWaiter } from './operator/operations/wait.js';
export type { Operator, OperatorCommands, OperatorInTransaction } from './operator/operator.js';
export type { Page, PageOptions } from './operator/page-cursor.js';
export type {
  PartnerContactChange,
  PartnerOutcome,
  PartnerRemoval,
  PartnerTarget,
} from './operator/partner-changes.js';
export type {
  HealthFigures,
  HealthPeriods,
  KeyHealth,
  NamedCount,
  PartnerHealth,
} from './operator/partner-health.js';
export type { NewPartner, PartnerCommands, PartnerFilter } from './operator/partners.js';
export type { OwnCount } from './operator/portal/own-deliveries.js';
export type {
  OwnApplicationFilter,
  OwnDeliveryFilter,
  OwnRequestFilter,
} from './operator/portal/own-filters.js';
export type { OwnLimit } from './operator/portal/own-limits.js';
export type {
  OwnApplication,
  OwnAttempt,
  OwnBacklog,
  OwnClosing,
  OwnCompany,
  OwnDeliveryDetails,
  OwnDeliveryView,
  OwnEndpointView,
  OwnFailedAttempt,
  OwnKey,
  OwnRequest,
  OwnRequestDetails,
  OwnSigningSecret,
} from './operator/portal/own-rows.js';
export type { PartnerAccess, PartnerView } from './operator/portal/partner-view.js';
export type { PortalCommands } from './operator/portal/portal-commands.js';
export type {
  NewPortalLink,
  PortalLink,
  PortalRevocation,
  PortalSession,
  PortalSignIn,
  PortalToken,
  PortalVisit,
} from './operator/portal/portal-passes.js';
export type { Readiness, ReadinessEvidence, ReadinessRow } from './operator/readiness/checklist.js';
export type { KeyProber, ProbeResult, ProbeRun } from './operator/readiness/key-prober.js';
export type { ReadinessCommands } from './operator/readiness/readiness-commands.js';
export type { RefusedItem } from './operator/refused-items.js';
export type {
  ExplainedRequest,
  ListedRequest,
  LoggedRequest,
  RequestFilter,
  RequestReadFilter,
} from './operator/requests/find-request.js';
export type { RequestCommands } from './operator/requests/request-commands.js';
export type { CompanyNames } from './operator/resolve-companies.js';
export type { SandboxCommands } from './operator/sandbox.js';
export {
  findSealing,
  type ResealedBatch,
  type Resealing,
  type SealedCount,
  type SealingReport,
  type SecretCommands,
} from './operator/secrets.js';
export type {
  FoundEvent,
  FoundPerson,
  SearchInput,
  SearchKind,
  SearchResult,
} from './operator/system/search/search-types.js';
export type { SystemCommands } from './operator/system/system-commands.js';
export type {
  AttemptHour,
  EndpointActivity,
  HourFilter,
  OverviewHour,
  SystemOverview,
} from './operator/system/system-overview.js';
export type {
  EndpointSummary,
  SeenWorker,
  SystemStatus,
  WaitingWork,
} from './operator/system/system-status.js';
export type { JobTimelineTarget } from './operator/timelines/job-timeline.js';
export type {
  ApplicationTimeline,
  JobTimeline,
  NewsState,
  PartnerNews,
  Timeline,
  TimelineEntry,
  TimelineFact,
  TimelineOptions,
} from './operator/timelines/timeline.js';

// The ids, objects and states that inputs and results contain.

export type { Access, ClosedReason, Company } from './domain/access.js';
export type {
  AlertExtras,
  AlertHead,
  ClaimedAlert,
  ClaimedKeyAlert,
  CollectedAlert,
  KeyAlert,
  NewAlert,
  NewKeyAlert,
  OfOtherDeployment,
  OperatorAlert,
  PartnerDoor,
  PartnerMessage,
  StoredAlert,
  SyncAlert,
} from './domain/alert.js';
export type {
  Application,
  ApplicationRecord,
  ApplicationStatus,
  Candidate,
  Decision,
  EvaluationStage,
  ResumeState,
  Stage,
  StageLabel,
} from './domain/application.js';
export type { FormAnswers, FormQuestion, Json } from './domain/application-form.js';
export type { BacklogCounts } from './domain/backlog.js';
export type {
  AttemptEnd,
  AttemptOutcome,
  AttemptRecord,
  Delivery,
  DeliveryState,
  EndpointFailure,
  TransportFailure,
} from './domain/delivery.js';
export type { DeliveryEvidence, EventSuccess } from './domain/delivery-evidence.js';
export type {
  Endpoint,
  EndpointHealth,
  EndpointState,
  FailurePauseReason,
  PauseReason,
  ReplacedUrl,
  SealedSigningSecret,
} from './domain/endpoint.js';
export type { EventData, EventType, PartnerEvent } from './domain/event.js';
export type { Fact } from './domain/fact.js';
export type { FailingFacts, FailingReason, PartnerOfKey } from './domain/failing-endpoint.js';
export type { FieldErrorCode } from './domain/field-error.js';
export { type HighPay, highPayText } from './domain/high-pay.js';
export type { IdempotencyRecord } from './domain/idempotency.js';
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
export type { Job, JobDetails, JobState, UnknownCountry } from './domain/job.js';
export type {
  JobSyncState,
  MissingJobs,
  RefusedRow,
  SyncCounts,
  SyncRefusalCode,
  SyncTrouble,
} from './domain/job-sync.js';
export type {
  Operation,
  OperationPlan,
  OperationState,
} from './domain/operation.js';
export type { Optional } from './domain/optional.js';
export type { Environment, KeySecret, Partner, PartnerContact, PartnerKey } from './domain/partner-key.js';
export {
  PORTAL_PRESET,
  PORTAL_RIGHTS,
  type PortalPassKind,
  type PortalRight,
} from './domain/portal.js';
export type { BucketKind } from './domain/rate-limit.js';
export type { GoLiveOptions, ReadinessItem } from './domain/readiness.js';
export type {
  LoggedField,
  LoggedFieldCode,
  RequestReads,
  RequestRecord,
  RequestRoute,
} from './domain/request-log.js';
export type { ResumeFileTask, ResumeRemoval } from './domain/resume.js';
export {
  type EndpointFailureKind,
  type EndpointRight,
  type EndpointRights,
  failureWords,
  type OwnFailure,
  SELF_SERVICE_PRESET,
} from './domain/self-service.js';
export type { Support } from './domain/support.js';
export type { Instant } from './domain/time.js';
export type { WorkerInstance, WorkerSealing } from './domain/worker-instance.js';

// Ports that a host can replace. `@partner-hiring/core/ports` has what a storage implements.

export type {
  OperatorAlerts,
  PhoneNumbers,
  SealingKeys,
  SecretBox,
  SecretContext,
  WebhookRequest,
  WebhookTransport,
} from './ports/host-services.js';
export type { InboxCounts } from './ports/repositories/inbox.js';
export type { RemovedPasses } from './ports/repositories/portal.js';
export type { StorageFacts } from './ports/repositories/system.js';
export type {
  ResumeDownload,
  ResumeFailure,
  ResumeFile,
  ResumeScanner,
  ResumeScanResult,
  ResumeSink,
  ResumeSource,
  StoredResume,
} from './ports/resumes.js';
export type { Clock, IdSource, Random, Runtime } from './ports/runtime.js';
export type {
  Own,
  OwnDelivery,
  OwnEndpoint,
  OwnRefusal,
  OwnTest,
  OwnUrlChange,
} from './ports/self-service.js';
export type { Storage } from './ports/storage.js';
export type {
  Attributes,
  Instrument,
  LogFields,
  Logger,
  Measure,
  Span,
  SpanKind,
  Telemetry,
} from './ports/telemetry.js';

// Default implementations of the ports.

export {
  type ConsoleLoggerOptions,
  createConsoleLogger,
  createPinoLogger,
  type LogLevel,
  type PinoLogger,
} from './defaults/loggers.js';
export { createPhoneNumbers } from './defaults/phone-numbers.js';
export {
  createPrometheusTelemetry,
  type PrometheusClient,
  type PrometheusGauge,
  type PrometheusOptions,
} from './defaults/prometheus-telemetry.js';
export { createResumeFolder } from './defaults/resume/resume-folder.js';
export { createResumeSource, type ResumeSourceOptions } from './defaults/resume/resume-source.js';
export type { TargetPolicy } from './defaults/safe-http/check-url.js';
export type { Resolve } from './defaults/safe-http/pinned-connect.js';
export type { ProxyOptions } from './defaults/safe-http/proxy.js';
export type { SafeHttpOptions } from './defaults/safe-http/safe-http.js';
export { createSafeTransport, type SafeTransportOptions } from './defaults/safe-transport.js';
export { createSecretBox, type LocalSecretBox, type SealingKey } from './defaults/sealed-secrets.js';
export { createSystemRuntime } from './defaults/system-runtime.js';

// The sandbox, for the host's own pages.

// Domain rules that a storage needs.

export { APPLICATION_STATUSES, UNDECIDED_STATUSES } from './domain/application.js';
export { attemptToKeep, hasExcerpt, withoutExcerpt } from './domain/delivery.js';
export { emailKey } from './domain/email-address.js';
export { applicationOfEvent } from './domain/event.js';
export { lastNameKey } from './domain/last-name-key.js';
export { nameWords } from './domain/name-words.js';
export { PAGE_LIMIT, startsAfter } from './domain/page.js';
export { keyOfBucket, RATE_LIMITS, type RateLimits, WINDOW_MS, windowStart } from './domain/rate-limit.js';
