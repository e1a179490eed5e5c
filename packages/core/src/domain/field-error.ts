/** The closed list of what can be wrong with a field. */
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

/** One entry of `details.errors`. The rejected value is never echoed. */
export interface FieldError {
  /** A dotted path (`candidate.email`), a header's or a parameter's name; empty for the body as a whole. */
  readonly field: string;
  readonly code: FieldErrorCode;
  /** For the partner's developer; never shown to candidates. */
  readonly message: string;
}
