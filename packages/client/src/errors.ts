import type { Open } from './wire.js';

/** The codes of v1. Spec: Errors. */
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

/** A code of the service; `HTTP_502` and the like if the answer was none of the service's. */
export type PartnerErrorCode = Open<KnownErrorCode>;

/** What is wrong with a field. */
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
>;

/** One entry of `details.errors`. */
export interface FieldError {
  /** A dotted path such as `candidate.email`; empty for the body as a whole. */
  readonly field: string;
  readonly code: FieldErrorCode;
  readonly message: string;
}

/** What an error answer said. */
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

/** The service answered with an error. Branch on `code`. Spec: Errors. */
export class PartnerApiError extends Error {
  override readonly name = 'PartnerApiError';
  readonly status: number;
  readonly code: PartnerErrorCode;
  /** `X-Request-Id`: what the operator of the service will ask for. Null if something else answered. */
  readonly requestId: string | null;
  /** Empty if there are none. */
  readonly details: Readonly<Record<string, unknown>>;
  /** How long to wait, in whole seconds; null if the answer does not say. */
  readonly retryAfterSeconds: number | null;
  /** Of a 429, what is throttled: one company's submissions, or the key. Null of all else. */
  readonly scope: Open<'partner' | 'partner_company'> | null;
  /** Of a 429, the company whose submissions are throttled; null of all else. */
  readonly companyId: string | null;

  constructor(parts: ApiErrorParts) {
    super(`${parts.status} ${parts.code}: ${parts.message}${describeRequest(parts.requestId)}`);
    this.status = parts.status;
    this.code = parts.code;
    this.requestId = parts.requestId;
    this.details = parts.details;
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.scope = parts.scope;
    this.companyId = parts.companyId;
  }

  /** Of `VALIDATION_ERROR`, everything that is wrong; empty of all else. */
  get fieldErrors(): readonly FieldError[] {
    const { errors } = this.details;
    const isTold = this.code === 'VALIDATION_ERROR' && Array.isArray(errors);
    return isTold ? (errors as readonly FieldError[]) : [];
  }

  /** Of `DUPLICATE_SOURCE_APPLICATION_ID`, the application that has it; null of all else. */
  get applicationId(): string | null {
    const { applicationId } = this.details;
    const isTold = this.code === 'DUPLICATE_SOURCE_APPLICATION_ID' && typeof applicationId === 'string';
    return isTold ? applicationId : null;
  }
}

/** Why there is no answer. `throttled`: the wait for a rate limit would have been longer than the time allowed. */
export type ConnectionFailure = 'network' | 'timeout' | 'invalid_answer' | 'throttled';

/** There is no answer of the service, after all attempts. What was asked may have been done all the same. */
export class PartnerConnectionError extends Error {
  override readonly name = 'PartnerConnectionError';
  constructor(
    readonly reason: ConnectionFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * It is not known whether the candidate was submitted, or the request was refused before the service looked at
 * the submission, or the store could not note what came of it. **This is no refusal**: the submission stays in the store, and `submit` with the same content
 * or `resumePending` goes on with the same key and the same bytes. `cause` says what is in the way.
 */
export class SubmissionPendingError extends Error {
  override readonly name = 'SubmissionPendingError';
  constructor(
    readonly sourceApplicationId: string,
    override readonly cause: unknown,
  ) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `The submission ${sourceApplicationId} is not settled: ${why} It stays in the store; ` +
        'submit it again unchanged, or call resumePending(), once that is put right.',
    );
  }
}

/** The store has another content under this `sourceApplicationId`. Nothing was sent. */
export class SubmissionConflictError extends Error {
  override readonly name = 'SubmissionConflictError';
  constructor(
    readonly sourceApplicationId: string,
    /** Whether the other one is submitted; otherwise it is not settled yet. */
    readonly isSubmitted: boolean,
  ) {
    super(
      isSubmitted
        ? `Another content was submitted as ${sourceApplicationId}. Give this one a sourceApplicationId of its own.`
        : `Another content is under way as ${sourceApplicationId}. Let resumePending() settle it first, or give this one a sourceApplicationId of its own.`,
    );
  }
}

function describeRequest(requestId: string | null): string {
  return requestId === null ? '' : ` (request ${requestId})`;
}
