/**
 * The interface `Storage` that a storage implements, its repositories, the domain types that they use, and the rules of the
 * domain that a storage applies.
 * Ports that a host implements are in `@partner-hiring/core`.
 * @packageDocumentation
 */
export type { Company } from '../domain/access.js';
export type {
  ClaimedAlert,
  CollectedAlert,
  NewAlert,
  OfOtherDeployment,
  SentAlert,
  StoredAlert,
} from '../domain/alert.js';
export type { RequestRoute } from '../domain/answered-request.js';
export type {
  ApplicationRecord,
  ApplicationStatus,
  ResumeState,
  Stage,
  UndecidedStatus,
} from '../domain/application.js';
export type { FormAnswers, FormQuestion } from '../domain/application-form.js';
export type {
  Act,
  Actor,
  AuditEntry,
  AuditFields,
  AuditObject,
  AuditObjectKind,
  Door,
} from '../domain/audit.js';
export type { EndpointBacklog } from '../domain/backlog.js';
export type { AttemptOutcome, DeliveryState, EndpointFailure, StoredDelivery } from '../domain/delivery.js';
export type { EventSuccess, EvidenceBatch } from '../domain/delivery-evidence.js';
export type { NamedDeployment } from '../domain/deployment.js';
export type {
  EndpointHealth,
  EndpointState,
  PauseReason,
  ReplacedUrl,
  SealedSigningSecret,
  StoredEndpoint,
} from '../domain/endpoint.js';
export type { EventType, LoggedEvent } from '../domain/event.js';
export type { PartnerOfKey } from '../domain/failing-endpoint.js';
export type { StampRequest, TakenStamps } from '../domain/feed.js';
export type { Gap } from '../domain/gap.js';
export type { HourCount, HourCountKind } from '../domain/hour-count.js';
export type {
  AlertId,
  ApplicationId,
  AuditId,
  CompanyId,
  EventId,
  JobId,
  KeyId,
  OperationId,
  PartnerId,
  WorkerId,
} from '../domain/ids.js';
export type { Job, JobState, VisibleJob } from '../domain/job.js';
export type { Operation, OperationPlan, OperationState } from '../domain/operation.js';
export type { EventPage, EventQuery, FeedPage, ListQuery } from '../domain/page.js';
export type { Environment, PartnerContact, PartnerKey } from '../domain/partner-key.js';
export type { LoweredLimits, WindowCount } from '../domain/rate-limit.js';
export type { ResumeRemoval } from '../domain/resume.js';
export type { FoundForSubmission, JobForKey } from '../domain/submission.js';
export type { SyncCounts } from '../domain/sync-counts.js';
export type { Instant } from '../domain/time.js';
export type { WorkerSealing } from '../domain/worker-instance.js';
export type {
  InboxClaim,
  InboxQuestion,
  RefusedPosition,
} from '../features/inbox/repository.js';
export type {
  ApplicationChange,
  ErasureKey,
  InboxChanges,
  InboxEntry,
  InboxEntryKey,
  InboxEntryState,
  InboxItemKind,
  ListedEntry,
  PostponedEntry,
  RefusedEntry,
  UnreadEntry,
} from '../features/inbox/rules.js';
export type { PortalPassKind, PortalRight } from '../features/portal/rules.js';
export type { WalkRange } from '../features/privacy/repository.js';
export type { ErasureCounts } from '../features/privacy/rules.js';
export type { ReadinessName } from '../features/readiness/rules.js';
export type { RequestPosition, RequestScope } from '../features/request-log/repository.js';
export type { RequestReads, RequestRecord } from '../features/request-log/rules.js';
export type {
  ApplicationRepository,
  ApplicationScope,
  CandidateRange,
  NewestPosition,
} from './repositories/applications.js';
export type { AuditRepository, NewAuditEntry } from './repositories/audit.js';
export type { Lease } from './repositories/claims.js';
export type {
  DeliveryRepository,
  DueDelivery,
  EventStamp,
  EvidenceRepository,
} from './repositories/deliveries.js';
export type { DeploymentRepository, DisarmedCounts } from './repositories/deployment.js';
export type {
  EndpointRepository,
  EndpointSettlement,
  Holding,
  LeasedEndpoint,
} from './repositories/endpoints.js';
export type { EventRepository, FeedRepository } from './repositories/feed.js';
export type {
  AccessRepository,
  CompanyRepository,
  JobRepository,
  KeyJobRepository,
} from './repositories/jobs.js';
export type { OperationRepository } from './repositories/operations.js';
export type {
  AgePosition,
  KeyOfSecret,
  KeyRepository,
  ListPage,
  NamedMatch,
  NameRepository,
  NamesByWord,
  PartnerRepository,
} from './repositories/partners.js';
export type {
  AcceptedSubmission,
  LimitedCharge,
  RateWindowRepository,
  SubmissionRepository,
} from './repositories/submissions.js';
export type {
  ExpiredBefore,
  FirstWaiting,
  HourCountRepository,
  NextWork,
  StorageFactsRepository,
  WorkerRepository,
  WorkRepository,
} from './repositories/system.js';
export type { Clock } from './runtime.js';
export type { Repositories, Storage, TimeRepository } from './storage.js';

// Rules of the domain that a storage applies.

export { UNDECIDED_STATUSES } from '../domain/application.js';
export { attemptToKeep, hasExcerpt, withoutExcerpt } from '../domain/delivery.js';
export { emailKey } from '../domain/email-address.js';
export { applicationOfEvent } from '../domain/event.js';
export { lastNameKey } from '../domain/last-name-key.js';
export { nameWords } from '../domain/name-words.js';
export { PAGE_LIMIT, startsAfter } from '../domain/page.js';
export { keyOfBucket, WINDOW_MS } from '../domain/rate-limit.js';
export { collectMessages } from '../features/alerts/collect-rules.js';
export { NO_SYNC } from '../features/jobs-sync/rules.js';
