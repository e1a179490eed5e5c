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

/** A stable code of an `OperatorError`, whose message says how to fix the problem. */
export type OperatorErrorCode =
  /** The key never had access to the company, or has none now where it needs some. */
  | 'ACCESS_NOT_FOUND'
  /** The key's access was revoked, and the grant has `renew: false`. */
  | 'ACCESS_REVOKED'
  /** The application does not exist. */
  | 'APPLICATION_NOT_FOUND'
  /** The id of the company is taken. */
  | 'COMPANY_EXISTS'
  /** The company does not exist, or a name means none or several. */
  | 'COMPANY_NOT_FOUND'
  /** Only for partners: the API key or the session has ended before the act could commit. */
  | 'CREDENTIAL_ENDED'
  /** The key has no such event: it is unknown, older than the endpoint, or past its retention. */
  | 'DELIVERY_NOT_FOUND'
  /** The key, or each key of the partner, has no webhook endpoint. */
  | 'ENDPOINT_NOT_FOUND'
  /** The state of the object does not allow the command. */
  | 'ILLEGAL_MOVE'
  /** The inbox is off, and no item of before is left to take. */
  | 'INBOX_OFF'
  /** The input is not valid: the message names the command, each wrong field and its rule. */
  | 'INVALID_INPUT'
  /** The id of the job is taken. */
  | 'JOB_EXISTS'
  /** The job does not exist. */
  | 'JOB_NOT_FOUND'
  /** The partner already has a key of that environment. */
  | 'KEY_EXISTS'
  /** The key does not exist. */
  | 'KEY_NOT_FOUND'
  /** Only with `operator.limitedTo`: the command touches more than the partners of the limit. */
  | 'NEEDS_ALL_PARTNERS'
  /** The partner's sandbox key lacks items of `goLive.required`. */
  | 'NOT_READY'
  /** The operation stands still, and no worker reports that it runs. */
  | 'NO_WORKER'
  /** The operation does not exist, or was deleted some time after its end. */
  | 'OPERATION_NOT_FOUND'
  /** The partner is disabled: enable it first. */
  | 'PARTNER_DISABLED'
  /** The id of the partner is taken. */
  | 'PARTNER_EXISTS'
  /** The partner does not exist. */
  | 'PARTNER_NOT_FOUND'
  /** The partner was removed permanently. */
  | 'PARTNER_REMOVED'
  /** The endpoint was probed less than a minute ago. */
  | 'PROBED_RECENTLY'
  /** Within a minute, too many sign-ins to the portal have failed, or somebody there has acted too often. */
  | 'RATE_LIMITED'
  /** Only for partners: the call needs a right in the portal that the person lacks. */
  | 'RIGHT_MISSING'
  /** No secret of the key matches. */
  | 'SECRET_NOT_FOUND'
  /** Another secret than `ifCurrent` is the current one. */
  | 'SECRET_REPLACED'
  /** No worker has the option `jobs`. */
  | 'SYNC_NOT_FOUND'
  /** Another sync of jobs is running, in this process or another one. */
  | 'SYNC_RUNNING'
  /** Only for partners: three old secrets would go on working after the rotation. */
  | 'TOO_MANY_SECRETS'
  /** The objects belong to different environments, or the key belongs to the wrong one. */
  | 'ENVIRONMENT_MISMATCH'
  /** The database belongs to another deployment than the command or the process says. */
  | 'OTHER_DEPLOYMENT'
  /** A worker of another deployment was alive in the last 90 seconds. */
  | 'DEPLOYMENT_IN_USE'
  /** An option is missing or wrong, or the command needs an option that is not set. */
  | 'MISCONFIGURED';

/**
 * The error that the library throws when the host makes a mistake: the command changed nothing.
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

/** The error for an option that is missing or wrong. The message says how to fix it. */
export function misconfiguration(message: string, options?: ErrorOptions): OperatorError {
  return new OperatorError('MISCONFIGURED', message, options);
}

/** The database is unavailable, or the result of a commit is unknown. Partners get 503 and try again. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /**
   * Whether the commit may have succeeded; if false, the default, nothing was changed and you can retry. If true, look
   * first.
   */
  readonly mayBeDone: boolean;
  /** Whether other transactions held what this one needs; default: false. Nothing was changed; try again later. */
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
 * The error of a transport without a network, and of commands whose key service cannot seal or open a signing secret.
 * The attempt is not counted, and nothing was changed.
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
