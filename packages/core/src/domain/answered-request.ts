import type { FIELD_ERROR_CODES, FieldErrorCode } from './field-error.js';
import type { Instant } from './time.js';

/** A route of the partner API, without the base path. */
export type RequestRoute =
  | '/jobs'
  | '/applications'
  | '/applications/{id}'
  | '/events'
  | '/webhook-endpoint'
  | '/webhook-endpoint/test'
  | '/webhook-endpoint/pause'
  | '/webhook-endpoint/resume'
  | '/webhook-endpoint/rotate-secret'
  | '/webhook-endpoint/deliveries'
  | '/webhook-endpoint/deliveries/{eventId}/resend'
  | '/webhook-endpoint/resend';

/** The routes that a partner can read. */
export const READ_ROUTES: readonly RequestRoute[] = [
  '/applications',
  '/applications/{id}',
  '/events',
  '/jobs',
];

/** A partner that has read this range of a list knows each change after `after`, up to and including `through`. */
export interface ReadRange {
  readonly after: Instant;
  readonly through: Instant;
}

/** The names of fields that the request log may contain. A partner wrote any other name, so it may be personal data. */
export const LOGGED_FIELDS = [
  'jobId',
  'candidate',
  'candidate.firstName',
  'candidate.lastName',
  'candidate.email',
  'candidate.phone',
  'consentToContact',
  'source',
  'sourceApplicationId',
  'resumeUrl',
  'applicationFormAnswers',
  'applicationFormAnswers.*',
  'unknown_field',
  'body',
  'Idempotency-Key',
  'updated_since',
  'company_id',
  'status',
  'cursor',
  'limit',
  'url',
  'retryNow',
  'overlapSeconds',
  'since',
  'state',
  'eventId',
] as const;

/** The name of a field in the request log. */
export type LoggedField = (typeof LOGGED_FIELDS)[number];

/** Why a field failed, in the request log. */
export type LoggedFieldCode = (typeof FIELD_ERROR_CODES)[number];

/** A field may fail with several codes, so a row could have a few hundred entries. */
export const MOST_LOGGED_FIELDS = 20;

/** Writes a field that failed, as the request log has it. */
export function fieldEntry(field: LoggedField, code: FieldErrorCode): string {
  return `${field}: ${code}`;
}
