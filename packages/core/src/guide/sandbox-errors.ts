import type { WireErrorCode } from '../errors.js';

/** How each error is met on purpose in a sandbox. An identifier that ends in `…` is one of the key's own. */
export const SANDBOX_ERRORS: Readonly<Record<WireErrorCode, string>> = {
  IDEMPOTENCY_KEY_REQUIRED: 'Submit without `Idempotency-Key`.',
  IDEMPOTENCY_KEY_REUSED: 'Submit; then another candidate with the same `Idempotency-Key`.',
  VALIDATION_ERROR: 'Submit without `consentToContact`, or to `job_sandbox_form_…` without answers.',
  JOB_NOT_FOUND: 'Submit to `job_sandbox_none`.',
  JOB_CLOSED: 'Submit to `job_sandbox_internal_…`.',
  ACCESS_REVOKED: 'Submit to `job_sandbox_former_…`.',
  DUPLICATE_SOURCE_APPLICATION_ID:
    'Submit with a `sourceApplicationId`; then another candidate with the same one and a new `Idempotency-Key`.',
  RATE_LIMITED:
    'Submit `rate-limited@sandbox.example` for the scope `partner_company`, ' +
    '`rate-limited-partner@sandbox.example` for `partner`; or go over a limit: eleven candidates in a minute.',
  UNAUTHORIZED: 'Call with a character of the key changed, or without one.',
  APPLICATION_NOT_FOUND: 'Read `ej_app_none`.',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'Submit `in-progress@sandbox.example`.',
  NOT_FOUND: 'Call a path that is not there, such as `/candidates`.',
  METHOD_NOT_ALLOWED: 'Send `DELETE` to `/jobs`.',
  PAYLOAD_TOO_LARGE:
    'Submit a body that is larger than the service takes: 256 KiB unless the host says otherwise.',
  UNSUPPORTED_MEDIA_TYPE: 'Submit with `Content-Type: text/plain`.',
  INTERNAL_ERROR: 'Submit `internal-error@sandbox.example`.',
  SERVICE_UNAVAILABLE:
    'Submit `unavailable@sandbox.example`, or `lost-reply@sandbox.example`, which is recorded.',
};
