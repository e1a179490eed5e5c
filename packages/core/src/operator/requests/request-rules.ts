import type { AuthorizationFault } from '../../domain/partner-key.js';
import type { WireErrorCode } from '../../errors.js';

/** Why a request was refused, and what the partner or the host does about it. */
export interface RequestRefusal {
  /** The rule that refused the request. */
  readonly rule: string;
  readonly fix: string;
}

/** The rule behind each error code. */
export const REQUEST_REFUSALS: Readonly<Record<WireErrorCode, RequestRefusal>> = {
  UNAUTHORIZED: {
    rule: 'Each request needs a valid API key: `Authorization: Bearer <API_KEY>`. `fields` says whether the header was missing, malformed, or had an unknown key.',
    fix: 'The partner sends the key that it was given last. keys.find shows the state of each secret; keys.rotate issues a new one.',
  },
  ACCESS_REVOKED: {
    rule: "A key may submit only to jobs of companies that it has access to. The access to this job's company was revoked.",
    fix: 'If the company wants candidates from this partner again: access.grant. Otherwise, the partner stops submitting to its jobs.',
  },
  JOB_NOT_FOUND: {
    rule: 'The job must exist, in the environment of the key, at a company that the key has access to.',
    fix: 'The partner uses an id from `GET /jobs` of the same key. If the job should be visible to it, check access.list and jobs.find.',
  },
  JOB_CLOSED: {
    rule: 'A job takes applications only while it is open and not internal. It was closed, archived or internal when the request came.',
    fix: 'The partner removes the job when `job.closed` arrives or `GET /jobs` no longer lists it. To take applications again: jobs.reopen or jobs.setVisibility.',
  },
  DUPLICATE_SOURCE_APPLICATION_ID: {
    rule: 'A `sourceApplicationId` is unique for each key. The application of this row already has it.',
    fix: 'The partner does not submit the candidate again. To retry a submission, it sends the same body with the same Idempotency-Key.',
  },
  APPLICATION_NOT_FOUND: {
    rule: 'A key reads only applications that it submitted itself.',
    fix: 'The partner checks the id, and that it uses the key that submitted the application: production and sandbox are separate.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    rule: '`POST /applications` needs the header `Idempotency-Key` with a UUID v4.',
    fix: 'The partner sends a new UUID v4 with each submission, and the same one when it retries that submission.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    rule: 'For 24 hours, an Idempotency-Key belongs to the exact bytes of its first accepted body. This body differs.',
    fix: 'The partner stores the bytes of a body and retries with them. A different submission gets a new key.',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    rule: 'Requests with the same Idempotency-Key run one at a time. The first one took longer than two seconds.',
    fix: 'The partner sends the same request again after a second. If it repeats, look for a slow database or a lock that is held for long.',
  },
  VALIDATION_ERROR: {
    rule: 'Each field must have the form that the reference describes. `fields` names the fields that have not.',
    fix: 'The partner corrects these fields; `details.errors` of the reply says what is wrong with each. A corrected submission may have the same Idempotency-Key.',
  },
  RATE_LIMITED: {
    rule: 'Requests per minute are limited: submissions for each key and company, reads and refused requests for each key, requests without a key for each client. A key also has a limit of concurrent requests.',
    fix: 'The partner waits for `Retry-After`, and spreads its requests. For many candidates at once: access.raiseLimit. The option `limits` changes the limits.',
  },
  NOT_FOUND: {
    rule: 'Only the four endpoints exist. Paths have no trailing slash, and case matters.',
    fix: 'The partner corrects the path. If all paths fail, check `basePath` and where the API is mounted.',
  },
  METHOD_NOT_ALLOWED: {
    rule: 'Each path supports only some methods.',
    fix: 'The partner uses one of the methods in the `Allow` header of the reply.',
  },
  PAYLOAD_TOO_LARGE: {
    rule: 'A body may have at most `maxBodyBytes`, 256 KiB by default.',
    fix: 'The partner sends a `resumeUrl` instead of a file, and shortens answers. The option `maxBodyBytes` changes the limit.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    rule: 'A body must be `application/json` in UTF-8, without a content encoding.',
    fix: 'The partner sends `Content-Type: application/json`, and does not compress the body.',
  },
  INTERNAL_ERROR: {
    rule: 'The library or a port of the host threw an error that it did not expect.',
    fix: "Search the host's log for this request id: the error is logged as `A partner request failed.` The partner can send the same request again.",
  },
  SERVICE_UNAVAILABLE: {
    rule: 'The database did not answer, or the body did not arrive within `bodyTimeoutMs`.',
    fix: "The partner sends the same request again, with the same Idempotency-Key. Search the host's log for this request id: an outage of the database is logged, a slow body is not.",
  },
};

const RESEND = REQUEST_REFUSALS.UNAUTHORIZED.fix;

/** The rule behind each cause of `UNAUTHORIZED`. Partners get the same reply for all of them. */
export const AUTHORIZATION_REFUSALS: Readonly<Record<AuthorizationFault, RequestRefusal>> = {
  'Authorization.missing': {
    rule: 'Each request needs a valid API key. No `Authorization` header arrived.',
    fix: 'The partner sends `Authorization: Bearer <API_KEY>`. If it does so, a proxy or gateway removes the header: let it pass `Authorization` on.',
  },
  'Authorization.malformed': {
    rule: 'Each request needs a valid API key. The `Authorization` header is not `Bearer` with one whole key, or it arrived twice.',
    fix: `${RESEND} Look for another scheme such as Basic, quotes, a key that was cut off, and a proxy that adds a header.`,
  },
  'Authorization.unknown_key': {
    rule: 'Each request needs a valid API key. This one is well formed, but unknown, expired or revoked.',
    fix: `${RESEND} Check that the key is of this installation. The log has a \`warn\` line if the key was valid once.`,
  },
};
