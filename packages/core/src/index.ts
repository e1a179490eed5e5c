// Create and run the partner API.

export { createPartnerHiring, type PartnerHiring } from './create-partner-hiring.js';
export { NetworkUnavailable, OperatorError, type OperatorErrorCode, StorageUnavailable } from './errors.js';
export type { PartnerHiringOptions } from './options.js';
export type { Worker, WorkerOptions } from './worker/worker.js';

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

export type { AccessCommands, AccessOutcome, AccessTarget } from './operator/access.js';
export type {
  ApplicationCommands,
  ApplicationFilter,
  ApplicationOutcome,
  ApplicationTarget,
} from './operator/applications.js';
export type { CompanyCommands, CompanyOutcome, NewCompany } from './operator/companies.js';
export type { DeliveryOutcome, RedeliveryOutcome } from './operator/deliveries/change-delivery.js';
export type { DeliveryCommands } from './operator/deliveries/delivery-commands.js';
export type { DeliveryCounts, DeliveryDetails, DeliveryTarget } from './operator/deliveries/find-delivery.js';
export type {
  AttemptPage,
  DeliveryFilter,
  DeliveryPage,
  PageFilter,
} from './operator/deliveries/list-deliveries.js';
export type { EndpointTester, TestDelivery } from './operator/endpoint-tester.js';
export type {
  EndpointCommands,
  EndpointHealthReport,
  EndpointOutcome,
  EndpointResumption,
  EndpointTarget,
  EndpointUrlOutcome,
  EndpointView,
  SigningSecretRotation,
} from './operator/endpoints.js';
export type { JobOutcome, JobUpdate } from './operator/jobs/change-job.js';
export type { JobCommands, JobTarget } from './operator/jobs/job-commands.js';
export type { JobDetailsInput } from './operator/jobs/job-details.js';
export type { NewJob } from './operator/jobs/publish-jobs.js';
export type {
  IssuedKey,
  KeyCommands,
  KeyRevocation,
  KeyRotation,
  KeyView,
  NewKey,
  RevokedSecrets,
  RotatedKey,
  SecretState,
  SecretView,
} from './operator/keys.js';
export type { Operator, OperatorCommands } from './operator/operator.js';
export type { NewPartner, PartnerCommands } from './operator/partners.js';
export type { SandboxCommands } from './operator/sandbox.js';

// Ports that a host can replace. `@partner-hiring/core/ports` has all types.

export type { OperatorAlerts } from './ports/operator-alerts.js';
export type { PhoneNumbers } from './ports/phone-numbers.js';
export type {
  ResumeFile,
  ResumeScanner,
  ResumeScanResult,
  ResumeSink,
  ResumeSource,
} from './ports/resumes.js';
export type { Runtime } from './ports/runtime.js';
export type { SecretBox, SecretContext } from './ports/secret-box.js';
export type { Storage } from './ports/storage.js';
export type { Logger, Telemetry } from './ports/telemetry.js';
export type { WebhookTransport } from './ports/webhook-transport.js';

// Default implementations of the ports.

export { createLogAlerts } from './defaults/log-alerts.js';
export { createOpenTelemetry } from './defaults/open-telemetry.js';
export { createPhoneNumbers } from './defaults/phone-numbers.js';
export { createResumeFolder } from './defaults/resume/resume-folder.js';
export { createResumeSource, type ResumeSourceOptions } from './defaults/resume/resume-source.js';
export { createSafeTransport, type SafeTransportOptions } from './defaults/safe-transport.js';
export { createSecretBox } from './defaults/sealed-secrets.js';
export { createSystemRuntime } from './defaults/system-runtime.js';

// The sandbox, for the host's own pages.

export { SANDBOX_DOMAIN } from './domain/sandbox-address.js';
export { type SandboxJobName, sandboxJobId } from './domain/sandbox-jobs.js';
export {
  SANDBOX_CATALOGUE,
  SANDBOX_PAGE_HEADERS,
  type SandboxCatalogue,
  sandboxMarkdown,
  sandboxPage,
} from './guide/sandbox-guide.js';

// Domain rules that a storage needs.

export { attemptToKeep } from './domain/delivery.js';
export { PAGE_LIMIT, startsAfter } from './domain/page.js';
export { RATE_LIMITS, type RateLimits, WINDOW_MS, windowStart } from './domain/rate-limit.js';
