import { WIRE_ERROR_CODES, WIRE_ERRORS, type WireErrorCode } from '../../domain/wire-errors.js';
import { SANDBOX_ADDRESSES, SANDBOX_DOMAIN } from './address-rules.js';
import { SANDBOX_JOB_NAMES, SANDBOX_JOBS } from './job-rules.js';

/** The addresses, jobs and errors of the sandbox, for a host's own page. */
export interface SandboxCatalogue {
  readonly addresses: readonly { readonly address: string; readonly about: string }[];
  /** The id without its end, which differs between keys. Example: `job_sandbox_open_`. */
  readonly jobs: readonly { readonly id: string; readonly title: string; readonly about: string }[];
  readonly errors: readonly { readonly code: string; readonly status: number; readonly how: string }[];
}

/** How to cause each error. The `…` in an id stands for the end that differs between keys. */
const SANDBOX_ERRORS: Readonly<Record<WireErrorCode, string>> = {
  IDEMPOTENCY_KEY_REQUIRED: 'Submit without `Idempotency-Key`.',
  IDEMPOTENCY_KEY_REUSED: 'Submit a candidate, then another one with the same `Idempotency-Key`.',
  VALIDATION_ERROR: 'Submit without `consentToContact`, or to `job_sandbox_form_…` without answers.',
  JOB_NOT_FOUND: 'Submit to `job_sandbox_none`.',
  JOB_CLOSED: 'Submit to `job_sandbox_internal_…`.',
  ACCESS_REVOKED: 'Submit to `job_sandbox_former_…`.',
  DUPLICATE_SOURCE_APPLICATION_ID:
    'Submit with a `sourceApplicationId`, then another candidate with the same one and a new `Idempotency-Key`.',
  RATE_LIMITED:
    'Submit `rate-limited@sandbox.example` for the scope `partner_company`, ' +
    '`rate-limited-partner@sandbox.example` for `partner`; or exceed a limit with eleven candidates in a minute.',
  UNAUTHORIZED: 'Call without a key, or change a character of the key.',
  APPLICATION_NOT_FOUND: 'Read `ej_app_none`.',
  IDEMPOTENCY_KEY_IN_PROGRESS: 'Submit `in-progress@sandbox.example`.',
  NOT_FOUND: 'Call a path that does not exist, such as `/candidates`.',
  METHOD_NOT_ALLOWED: 'Send `DELETE` to `/jobs`.',
  PAYLOAD_TOO_LARGE: 'Submit a body above the limit of the service: 256 KiB by default.',
  UNSUPPORTED_MEDIA_TYPE: 'Submit with `Content-Type: text/plain`.',
  INTERNAL_ERROR: 'Submit `internal-error@sandbox.example`.',
  SERVICE_UNAVAILABLE:
    'Submit `unavailable@sandbox.example`, or `lost-reply@sandbox.example`, which records the application.',
};

/** The contents of the sandbox guide as data. */
export const SANDBOX_CATALOGUE: SandboxCatalogue = {
  addresses: Object.entries(SANDBOX_ADDRESSES).map(([name, { about }]) => ({
    address: `${name}@${SANDBOX_DOMAIN}`,
    about,
  })),
  jobs: SANDBOX_JOB_NAMES.map((name) => {
    const { title, about } = SANDBOX_JOBS[name];
    return { id: `job_sandbox_${name}_`, title, about };
  }),
  errors: WIRE_ERROR_CODES.map((code) => ({
    code,
    status: WIRE_ERRORS[code].status,
    how: SANDBOX_ERRORS[code],
  })),
};
