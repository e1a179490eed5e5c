import type { FieldError } from './domain/field-error.js';
import type { WireErrorCode } from './domain/wire-errors.js';

export interface WireErrorDetails {
  readonly VALIDATION_ERROR: { readonly errors: readonly FieldError[] };
  readonly IDEMPOTENCY_KEY_REUSED: { readonly sameJson: boolean };
  readonly DUPLICATE_SOURCE_APPLICATION_ID: { readonly applicationId: string };
}

export type WireError = {
  readonly [Code in WireErrorCode]: Code extends keyof WireErrorDetails
    ? { readonly code: Code; readonly details: WireErrorDetails[Code]; readonly problem?: never }
    : {
        readonly code: Code;
        readonly details?: never;
        /** A sentence that follows the code's message, without anything that the partner wrote. */
        readonly problem?: string;
      };
}[WireErrorCode];

export function validationError(errors: readonly FieldError[]): WireError {
  return { code: 'VALIDATION_ERROR', details: { errors } };
}

/** A stable code. The message says how to fix the problem. */
export type OperatorErrorCode =
  | 'ACCESS_NOT_FOUND'
  | 'ACCESS_REVOKED'
  | 'APPLICATION_NOT_FOUND'
  | 'COMPANY_EXISTS'
  | 'COMPANY_NOT_FOUND'
  | 'CREDENTIAL_ENDED'
  | 'DELIVERY_NOT_FOUND'
  | 'ENDPOINT_NOT_FOUND'
  | 'ILLEGAL_MOVE'
  | 'INBOX_OFF'
  | 'INVALID_INPUT'
  | 'JOB_EXISTS'
  | 'JOB_NOT_FOUND'
  | 'KEY_EXISTS'
  | 'KEY_NOT_FOUND'
  | 'NEEDS_ALL_PARTNERS'
  | 'NOT_READY'
  | 'NO_WORKER'
  | 'OPERATION_NOT_FOUND'
  | 'PARTNER_DISABLED'
  | 'PARTNER_EXISTS'
  | 'PARTNER_NOT_FOUND'
  | 'PARTNER_REMOVED'
  | 'PROBED_RECENTLY'
  | 'RATE_LIMITED'
  | 'RIGHT_MISSING'
  | 'SECRET_NOT_FOUND'
  | 'SECRET_REPLACED'
  | 'SYNC_NOT_FOUND'
  | 'SYNC_RUNNING'
  | 'TOO_MANY_SECRETS'
  | 'ENVIRONMENT_MISMATCH'
  | 'OTHER_DEPLOYMENT'
  | 'DEPLOYMENT_IN_USE'
  | 'MISCONFIGURED';

/**
 * The error that the library throws when the host makes a mistake. Nothing was changed.
 * @example
 * try {
 *   await operator.keys.issue({ partnerId, environment: 'production' });
 * } catch (error) {
 *   if (!(error instanceof OperatorError && error.code === 'KEY_EXISTS')) throw error;
 * }
 */
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

/** The database is unavailable, or the result of a commit is unknown. Partners get 503 and try again. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** Whether the commit may have succeeded. If false, nothing was changed and you can retry. */
  readonly mayBeDone: boolean;
  /** Whether other transactions held what this one needs. Nothing was changed; try again later. */
  readonly isBusy: boolean;

  constructor(
    message: string,
    options: ErrorOptions & {
      readonly mayBeDone?: boolean | undefined;
      readonly isBusy?: boolean | undefined;
    } = {},
  ) {
    super(message, options);
    this.mayBeDone = options.mayBeDone ?? false;
    this.isBusy = options.isBusy ?? false;
  }
}

/**
 * The error that a transport throws when this machine has no network. The attempt is not counted. Commands throw it if a key
 * service cannot seal or open a signing secret. Nothing was changed.
 */
export class NetworkUnavailable extends Error {
  override readonly name = 'NetworkUnavailable';
}

knowInEveryCopy(OperatorError, 'OperatorError');
knowInEveryCopy(StorageUnavailable, 'StorageUnavailable');
knowInEveryCopy(NetworkUnavailable, 'NetworkUnavailable');

/** Makes `instanceof` work across bundled copies of this module. Logs do not show the symbol. */
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
