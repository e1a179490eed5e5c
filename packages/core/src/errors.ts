import type { FieldError } from './domain/field-error.js';

/**
 * Every error a partner can meet: its code, its status, and its message. The specification's table, with the
 * codes that it leaves open or that HTTP itself forces. Spec: Errors.
 */
export const WIRE_ERRORS = {
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 422,
    message: 'The Idempotency-Key header is required: a UUID v4, new for each submission.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was already used with a different request body.',
  },
  VALIDATION_ERROR: { status: 422, message: 'The request is not valid. See details.errors.' },
  JOB_NOT_FOUND: { status: 404, message: 'The job does not exist, or this key has no access to it.' },
  JOB_CLOSED: { status: 409, message: 'The job no longer accepts applications.' },
  ACCESS_REVOKED: { status: 403, message: "This key's access to the job's company was revoked." },
  DUPLICATE_SOURCE_APPLICATION_ID: {
    status: 409,
    message: 'An application with this sourceApplicationId was already submitted.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again after the time in Retry-After.' },
  UNAUTHORIZED: { status: 401, message: 'A valid API key is required: Authorization: Bearer <API_KEY>.' },
  APPLICATION_NOT_FOUND: { status: 404, message: 'The application does not exist.' },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed. Send it again.',
  },
  NOT_FOUND: { status: 404, message: 'There is nothing at this path.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not take this method. See the Allow header.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The request body must be application/json in UTF-8, without a content encoding.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Quote the X-Request-Id when you report it.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message:
      'The service is temporarily unavailable. Send the same request again, with the same Idempotency-Key.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

/** The machine code of an error. */
export type WireErrorCode = keyof typeof WIRE_ERRORS;

/** What `details` hold, for the codes that have them. */
export interface WireErrorDetails {
  readonly VALIDATION_ERROR: { readonly errors: readonly FieldError[] };
  /** Whether the two bodies are the same JSON in other bytes. */
  readonly IDEMPOTENCY_KEY_REUSED: { readonly sameJson: boolean };
  /** The caller's own application that carries the id already. */
  readonly DUPLICATE_SOURCE_APPLICATION_ID: { readonly applicationId: string };
}

/** An error on its way to a partner. A value, never thrown. */
export type WireError = {
  readonly [Code in WireErrorCode]: Code extends keyof WireErrorDetails
    ? { readonly code: Code; readonly details: WireErrorDetails[Code] }
    : { readonly code: Code; readonly details?: never };
}[WireErrorCode];

/** A validation failure with all its errors at once. */
export function validationError(errors: readonly FieldError[]): WireError {
  return { code: 'VALIDATION_ERROR', details: { errors } };
}

/** What the host's operator can get wrong. Stable; the message says how to put it right. */
export type OperatorErrorCode =
  | 'ACCESS_NOT_FOUND'
  | 'APPLICATION_NOT_FOUND'
  | 'COMPANY_EXISTS'
  | 'COMPANY_NOT_FOUND'
  | 'DELIVERY_NOT_FOUND'
  | 'ENDPOINT_NOT_FOUND'
  | 'ILLEGAL_MOVE'
  | 'INVALID_INPUT'
  | 'JOB_EXISTS'
  | 'JOB_NOT_FOUND'
  | 'KEY_EXISTS'
  | 'KEY_NOT_FOUND'
  | 'PARTNER_EXISTS'
  | 'PARTNER_NOT_FOUND'
  | 'SECRET_NOT_FOUND'
  | 'WORLD_MISMATCH'
  /** The library was put together wrongly: an option is missing or does not fit. */
  | 'MISCONFIGURED';

/** The one error that the library throws at its host. Nothing was changed. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  constructor(
    readonly code: OperatorErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The storage is down, or a commit's outcome is unknown. Partners get 503 and send the same request again. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /**
   * Whether it may have been done all the same: what was lost is the answer to a commit. Otherwise nothing was done,
   * and it can be tried again as it is.
   */
  readonly mayBeDone: boolean;

  constructor(message: string, options: ErrorOptions & { readonly mayBeDone?: boolean } = {}) {
    super(message, options);
    this.mayBeDone = options.mayBeDone ?? false;
  }
}

/**
 * This machine lacks something of its own, so that nothing could be sent: it has no file descriptor left, or reaches no
 * name server. Nobody that was to be called has a part in it, and nothing is counted against them. A host's own
 * `WebhookTransport` or `ResumeSource` may reject with it.
 */
export class NetworkUnavailable extends Error {
  override readonly name = 'NetworkUnavailable';
}

knowInEveryCopy(OperatorError, 'OperatorError');
knowInEveryCopy(StorageUnavailable, 'StorageUnavailable');
knowInEveryCopy(NetworkUnavailable, 'NetworkUnavailable');

/**
 * Lets `instanceof` know errors of another copy of this module: a host's bundle holds one, and the storage, which is left
 * out of it, brings its own. So does CommonJS beside ES modules. Every copy has the same symbol, on a prototype, where no
 * log shows it. A class that a host derives from one of ours goes by its own instances.
 */
function knowInEveryCopy(type: { readonly prototype: Error }, name: string): void {
  const kind = Symbol.for(`@partner-hiring/core/${name}`);
  Object.defineProperty(type.prototype, kind, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return Function.prototype[Symbol.hasInstance].call(this as typeof type, value);
      return typeof value === 'object' && value !== null && kind in value;
    },
  });
}
