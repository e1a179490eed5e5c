export type FieldErrorCode =
  | 'required'
  | 'invalid_type'
  | 'invalid_format'
  | 'too_short'
  | 'too_long'
  | 'must_be_true'
  | 'invalid_value'
  | 'unknown_field'
  | 'invalid_json'
  | 'invalid_cursor';

/** Never contains the rejected value. */
export interface FieldError {
  /** A path such as `candidate.email`, or a header or parameter. Empty for the whole body. */
  readonly field: string;
  readonly code: FieldErrorCode;
  /** For the partner's developers, not for candidates. */
  readonly message: string;
}
