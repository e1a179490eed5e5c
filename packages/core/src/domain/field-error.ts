/** Codes of the four routes. */
export const BASIC_FIELD_ERROR_CODES = [
  'required',
  'invalid_type',
  'invalid_format',
  'too_short',
  'too_long',
  'must_be_true',
  'invalid_value',
  'unknown_field',
  'invalid_json',
  'invalid_cursor',
] as const;

/** Codes of `/webhook-endpoint`, which partners see only if the host has turned it on. */
export const ENDPOINT_ERROR_CODES = [
  'endpoint_status',
  'endpoint_timeout',
  'endpoint_tls',
  'endpoint_refused',
  'no_endpoint',
  'unknown_event',
  'paused_by_operator',
  'already_running',
] as const;

export const FIELD_ERROR_CODES = [...BASIC_FIELD_ERROR_CODES, ...ENDPOINT_ERROR_CODES] as const;

export type BasicFieldErrorCode = (typeof BASIC_FIELD_ERROR_CODES)[number];

/** The problem of a field, such as `invalid_format`. The list is in docs/errors-and-limits.md. */
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

/** A problem with one field of a request. It never contains the rejected value. */
export interface FieldError {
  /** A path such as `candidate.email`, a header or a parameter. Empty for the whole body. */
  readonly field: string;
  readonly code: FieldErrorCode;
  readonly message: string;
}
