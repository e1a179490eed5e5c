import { isError, isRecord } from './json.js';
import type { Open } from './wire.js';

/** The codes of v1. Contract: 9, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md */
export type KnownErrorCode =
  | 'ACCESS_REVOKED'
  | 'APPLICATION_NOT_FOUND'
  | 'DUPLICATE_SOURCE_APPLICATION_ID'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REQUIRED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTERNAL_ERROR'
  | 'JOB_CLOSED'
  | 'JOB_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_ERROR';

/** A code of the service, or `HTTP_<status>` of another server, such as a gateway. */
export type PartnerErrorCode = Open<KnownErrorCode>;

/** The code of an invalid field. */
export type FieldErrorCode = Open<
  | 'required'
  | 'invalid_type'
  | 'invalid_format'
  | 'too_short'
  | 'too_long'
  | 'must_be_true'
  | 'invalid_value'
  | 'unknown_field'
  | 'invalid_json'
  | 'invalid_cursor'
  | 'endpoint_status'
  | 'endpoint_timeout'
  | 'endpoint_tls'
  | 'endpoint_refused'
  | 'no_endpoint'
  | 'unknown_event'
  | 'paused_by_operator'
  | 'already_running'
>;

/** One entry of `details.errors`. */
export interface FieldError {
  /** The path of the field, such as `candidate.email`. Empty if the error is about the whole body. */
  readonly field: string;
  readonly code: FieldErrorCode;
  readonly message: string;
}

/** The content of an error response. */
export interface ApiErrorParts {
  readonly status: number;
  readonly code: PartnerErrorCode;
  readonly message: string;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
  readonly scope: Open<'partner' | 'partner_company'> | null;
  readonly companyId: string | null;
}

/**
 * The base of the errors that the client throws. `instanceof` also works for errors of another copy of this package, such
 * as in a program that loads it as ESM and as CommonJS.
 * @example
 * const isOurs = (error: unknown) => error instanceof PartnerClientError;
 */
export class PartnerClientError extends Error {}

/**
 * The service answered with an error. Branch on `code`.
 * Contract: 9, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
 */
export class PartnerApiError extends PartnerClientError {
  declare readonly name: 'PartnerApiError';
  declare readonly status: number;
  declare readonly code: PartnerErrorCode;
  /** `X-Request-Id`: quote it to the platform. Null if something else answered. */
  declare readonly requestId: string | null;
  /** The `details` of the response; empty if it has none. */
  declare readonly details: Readonly<Record<string, unknown>>;
  /** The `Retry-After` of the response in whole seconds; null if it has none. */
  declare readonly retryAfterSeconds: number | null;
  /** For a 429: whether a company's submissions or the whole key is throttled. Otherwise null. */
  declare readonly scope: Open<'partner' | 'partner_company'> | null;
  /** For a 429: the throttled company. Otherwise null. */
  declare readonly companyId: string | null;

  constructor({ message, ...fields }: ApiErrorParts) {
    const { status, code, requestId } = fields;
    super(`${status} ${code}: ${message}${describeFields(fields)}${describeRequest(requestId)}`);
    Object.assign(this, fields);
  }

  /** For `VALIDATION_ERROR`; otherwise empty. */
  get fieldErrors(): readonly FieldError[] {
    return fieldErrorsOf(this);
  }

  /** For `DUPLICATE_SOURCE_APPLICATION_ID`: the earlier application. Otherwise null. */
  get applicationId(): string | null {
    const { applicationId } = this.details;
    const isDuplicate = this.code === 'DUPLICATE_SOURCE_APPLICATION_ID' && typeof applicationId === 'string';
    return isDuplicate ? applicationId : null;
  }
}

/**
 * Why a request has no usable response. `throttled`: the request was not sent, because the rate limit did not allow
 * it before the deadline.
 */
export type ConnectionFailure = 'network' | 'timeout' | 'invalid_answer' | 'throttled';

/** No attempt received a usable response. The service may have processed the request anyway. */
export class PartnerConnectionError extends PartnerClientError {
  declare readonly name: 'PartnerConnectionError';
  declare readonly reason: ConnectionFailure;
  /** `X-Request-Id` of an answer that does not match the API: quote it to the platform. Null without such an answer. */
  declare readonly requestId: string | null;

  constructor(
    reason: ConnectionFailure,
    message: string,
    options: ErrorOptions & { readonly requestId?: string | null | undefined } = {},
  ) {
    const { requestId = null, ...rest } = options;
    super(`${message}${describeRequest(requestId)}`, rest);
    Object.assign(this, { reason, requestId });
  }
}

/**
 * Why the outcome of a submission is not known. `not_sent`: the rate limit did not allow it in time. `unauthorized`: the
 * service refused the key. `foreign_answer`: something else than the API answered, such as a gateway, which proves
 * nothing. `no_answer`: no clear answer. `store`: the store failed.
 */
export type PendingReason = 'not_sent' | 'unauthorized' | 'foreign_answer' | 'no_answer' | 'store';

/** The parts of a `SubmissionPendingError`. */
export interface PendingParts {
  readonly sourceApplicationId: string;
  readonly reason: PendingReason;
  readonly cause: unknown;
  /** Whether the service has certainly stored nothing of this submission. */
  readonly wasNothingStored?: boolean | undefined;
  /** Of the answer that the store could not save. Default: that of the cause. */
  readonly requestId?: string | null | undefined;
}

/**
 * The outcome of a submission is unknown or not saved. **This is not a refusal.** Fix the `cause`. Then
 * `submit` with the same content or `resumePending` sends the same bytes and idempotency key. To give it up, call
 * `abandon`, and to send other content, `submit` with `replace: true`.
 */
export class SubmissionPendingError extends PartnerClientError {
  declare readonly name: 'SubmissionPendingError';
  declare readonly sourceApplicationId: string;
  declare readonly reason: PendingReason;
  /** `X-Request-Id` of the last answer: quote it to the platform. Null without an answer. */
  declare readonly requestId: string | null;

  constructor({ sourceApplicationId, reason, cause, wasNothingStored, requestId }: PendingParts) {
    const why = isError(cause) ? cause.message : String(cause);
    const stored = wasNothingStored ? 'The service has stored nothing. ' : '';
    super(
      `The outcome of submission ${sourceApplicationId} is not ${reason === 'store' ? 'saved' : 'known'} (${reason}): ${why} ${stored}It stays in the store: ` +
        'fix the cause, then submit it again or call resumePending().',
      { cause },
    );
    const isOurs = cause instanceof PartnerApiError || cause instanceof PartnerConnectionError;
    const ofCause = isOurs ? cause.requestId : null;
    Object.assign(this, { sourceApplicationId, reason, requestId: requestId ?? ofCause });
  }
}

/** The store has different content under this `sourceApplicationId`. Nothing was sent. */
export class SubmissionConflictError extends PartnerClientError {
  declare readonly name: 'SubmissionConflictError';
  declare readonly sourceApplicationId: string;
  /** True if the stored content was already submitted; false if it is still pending. */
  declare readonly isSubmitted: boolean;

  constructor(sourceApplicationId: string, isSubmitted: boolean) {
    super(
      isSubmitted
        ? `Different content was already submitted as ${sourceApplicationId}. Use a new sourceApplicationId.`
        : `Different content is pending as ${sourceApplicationId}. Call resumePending() first, or pass replace: true.`,
    );
    Object.assign(this, { sourceApplicationId, isSubmitted });
  }
}

for (const [name, type] of Object.entries({
  PartnerClientError,
  PartnerApiError,
  PartnerConnectionError,
  SubmissionPendingError,
  SubmissionConflictError,
})) {
  // In every copy of the package. Logs do not show the symbol. A subclass of the caller is not known in other copies.
  const kind = Symbol.for(`@partner-hiring/client/${name}`);
  Object.defineProperties(type.prototype, { name: { value: name }, [kind]: { value: true } });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this as typeof type, value);
      return typeof value === 'object' && value !== null && kind in value;
    },
  });
}

function isFieldError(value: unknown): value is FieldError {
  return (
    isRecord(value) && [value.field, value.code, value.message].every((part) => typeof part === 'string')
  );
}

function fieldErrorsOf({
  code,
  details: { errors },
}: Pick<ApiErrorParts, 'code' | 'details'>): readonly FieldError[] {
  return code === 'VALIDATION_ERROR' && Array.isArray(errors) ? errors.filter(isFieldError) : [];
}

/** A log shows the message, but no list inside `details`. */
function describeFields(parts: Pick<ApiErrorParts, 'code' | 'details'>): string {
  const first = fieldErrorsOf(parts).slice(0, MOST_SHOWN);
  return first.map(({ field, message }) => ` ${field || 'body'}: ${message}`).join('');
}

const MOST_SHOWN = 5;

function describeRequest(requestId: string | null): string {
  return requestId === null ? '' : ` (request ${requestId})`;
}

export function isInvalidCursor(error: unknown): boolean {
  return error instanceof PartnerApiError && error.fieldErrors.some(({ code }) => code === 'invalid_cursor');
}
