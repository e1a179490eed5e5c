export const FIELD_ERROR_CODES = [
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

export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

/** A problem with one field of a request. It never contains the rejected value. */
export interface FieldError {
  /** A path such as `candidate.email`, a header or a parameter. Empty for the whole body. */
  readonly field: string;
  readonly code: FieldErrorCode;
  readonly message: string;
}
