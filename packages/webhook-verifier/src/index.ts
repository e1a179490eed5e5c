export type {
  ApplicationStatus,
  ApplicationStatusChangedEvent,
  ClosedReason,
  JobClosedEvent,
  JobOpenedEvent,
  KnownEvent,
  Open,
  PartnerEvent,
  UnknownEvent,
  UnknownEventType,
} from './events.js';
export type { WebhookHeaders } from './header-value.js';
export type { RawBody } from './raw-body.js';
export type { WebhookRefusal, WebhookRefusalReason } from './refusal.js';
export { type SignWebhookOptions, signWebhook, type WebhookSignatureHeaders } from './sign.js';
export { SIGNATURE_HEADER, TIMESTAMP_HEADER } from './signature-header.js';
export type { SigningSecret } from './signatures.js';
export { type VerifiedWebhook, type VerifyWebhookOptions, verifyWebhook } from './verify.js';
