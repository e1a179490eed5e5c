// A client, and what it is built from.

export type { HeaderReader } from './answer.js';
export type { ClientOptions } from './client-options.js';
export type { ClientClock } from './clock.js';
export { createPartnerClient, type PartnerClient } from './create-partner-client.js';
export type { Fetch, FetchInit, FetchResponse } from './execute/attempt.js';
export type { AttemptReport } from './execute/attempt-report.js';

// What it does: lists, copies kept up to date, submissions.

export type {
  ApplicationListOptions,
  ApplicationsClient,
  CallOptions,
  SubmitOptions,
} from './applications.js';
export type { JobsClient } from './jobs.js';
export type { Listing, ListOptions, Page } from './listing.js';
export type { Resumed, Submitted } from './submit/submitted.js';
export type { SyncOptions, SyncReport } from './sync/sync-options.js';

// Why something was not done.

export {
  type ApiErrorParts,
  type ConnectionFailure,
  type FieldError,
  type FieldErrorCode,
  type KnownErrorCode,
  PartnerApiError,
  PartnerConnectionError,
  type PartnerErrorCode,
  SubmissionConflictError,
  SubmissionPendingError,
} from './errors.js';

// Where submissions and copies are kept: in memory, or by your own.

export {
  createMemorySubmissionStore,
  type PendingSubmission,
  type SettledSubmission,
  type SubmissionRecord,
  type SubmissionStore,
  type UnreadableSubmission,
} from './submission-store.js';
export {
  createMemorySyncStore,
  type MemorySyncStore,
  type SyncChange,
  type SyncState,
  type SyncStore,
} from './sync-store.js';

// What the API takes and answers.

export type {
  Application,
  ApplicationStatus,
  Candidate,
  CreatedApplication,
  FormOption,
  FormQuestion,
  Job,
  Json,
  NewSubmission,
  Open,
} from './wire.js';
