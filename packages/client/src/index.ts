export type { HeaderReader } from './answer.js';
export type {
  ApplicationListOptions,
  ApplicationsClient,
  SubmitOptions,
} from './applications.js';
export type { Fetch, FetchInit, FetchResponse, Method } from './attempt.js';
export type { CallOptions } from './call-options.js';
export type { ClientOptions } from './client-options.js';
export type { ClientClock } from './clock.js';
export { createPartnerClient, type PartnerClient } from './create-partner-client.js';
export {
  type ApiErrorParts,
  type ConnectionFailure,
  type FieldError,
  type FieldErrorCode,
  type KnownErrorCode,
  PartnerApiError,
  PartnerClientError,
  PartnerConnectionError,
  type PartnerErrorCode,
  type PendingReason,
  SubmissionConflictError,
  SubmissionPendingError,
} from './errors.js';
export type {
  EventEachOptions,
  EventListOptions,
  EventSyncOptions,
  EventSyncReport,
  EventsClient,
} from './events.js';
export type { AttemptReport, RequestReport, WaitReport } from './hooks.js';
export type { JobsClient } from './jobs.js';
export type { Listing, ListOptions, Page } from './listing.js';
export type { PartnerRequest, PartnerResponse } from './request.js';
export {
  createMemorySubmissionStore,
  type PendingSubmission,
  type SettledSubmission,
  type SubmissionRecord,
  type SubmissionStore,
  type UnreadableSubmission,
} from './submission-store.js';
export type { Abandoned, Resumed, Submitted } from './submit/submitter.js';
export type { SyncOptions, SyncReport } from './sync.js';
export {
  createMemorySyncStore,
  type MemorySyncStore,
  type SyncChange,
  type SyncState,
  type SyncStore,
  type UnfinishedComparison,
} from './sync-store.js';
export type {
  DeliveryListOptions,
  ResumeOptions,
  RotateSecretOptions,
  WebhookEndpointClient,
} from './webhook-endpoint.js';
export type {
  Application,
  ApplicationStatus,
  Candidate,
  ChangedWebhookEndpoint,
  CreatedApplication,
  FetchedEvent,
  FormOption,
  FormQuestion,
  Job,
  JobClosing,
  JobOpening,
  Json,
  KnownEventType,
  NewSubmission,
  Open,
  ResentWebhookEvent,
  RotatedWebhookSecret,
  StatusChange,
  UnknownEventType,
  WebhookDelivery,
  WebhookDeliveryState,
  WebhookEndpoint,
  WebhookFailure,
  WebhookResend,
  WebhookTest,
} from './wire.js';
