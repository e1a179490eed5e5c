import type { WireErrorCode } from '../../errors.js';
import type { RequestRefusal } from '../requests/request-rules.js';

/** The rule behind each error code, and what to do about it, in words for the partner. They name nothing of the host. */
const OWN_REFUSALS: Readonly<Record<WireErrorCode, RequestRefusal>> = {
  UNAUTHORIZED: {
    rule: 'Each request needs a valid API key.',
    fix: 'Send `Authorization: Bearer <API_KEY>` with the newest secret of this key.',
  },
  ACCESS_REVOKED: {
    rule: 'Your access to the company of this job was revoked.',
    fix: 'Stop submitting to jobs of this company. If you expected access, ask the platform.',
  },
  JOB_NOT_FOUND: {
    rule: 'The key does not see a job with this id.',
    fix: 'Use an id from `GET /jobs` of the same key. Sandbox and production have different jobs.',
  },
  JOB_CLOSED: {
    rule: 'A job takes applications only while it is open.',
    fix: 'Remove the job when `job.closed` arrives, or when `GET /jobs` no longer lists it.',
  },
  DUPLICATE_SOURCE_APPLICATION_ID: {
    rule: 'A `sourceApplicationId` is unique for each key, and an application already has this one.',
    fix: 'Do not submit the candidate again. To retry a submission, send the same body with the same Idempotency-Key.',
  },
  APPLICATION_NOT_FOUND: {
    rule: 'A key reads only applications that it submitted itself.',
    fix: 'Check the id, and that you use the key that submitted the application.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    rule: '`POST /applications` needs the header `Idempotency-Key` with a UUID v4.',
    fix: 'Send a new UUID v4 with each submission, and the same one when you retry it.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    rule: 'For 24 hours, an Idempotency-Key belongs to the exact bytes of its first accepted body. This body differs.',
    fix: 'Store the bytes of a body and retry with them. Use a new key for another submission.',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    rule: 'Requests with the same Idempotency-Key run one at a time, and an earlier one was still running.',
    fix: 'Send the same request again after a second.',
  },
  VALIDATION_ERROR: {
    rule: 'Some fields did not have the form that the reference describes.',
    fix: 'Correct the fields that are named here, and send the request again.',
  },
  RATE_LIMITED: {
    rule: 'You sent more requests in a minute than the limit allows, or too many at once.',
    fix: 'Wait for the seconds in `Retry-After`, and spread your requests.',
  },
  NOT_FOUND: {
    rule: 'The API has no such path.',
    fix: 'Correct the path. It has no trailing slash, and case matters.',
  },
  METHOD_NOT_ALLOWED: {
    rule: 'Each path supports only some methods.',
    fix: 'Use one of the methods in the `Allow` header of the reply.',
  },
  PAYLOAD_TOO_LARGE: {
    rule: 'The body was larger than the limit.',
    fix: 'Send a `resumeUrl` instead of a file, and shorten long answers.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    rule: 'A body must be `application/json` in UTF-8, without a content encoding.',
    fix: 'Send `Content-Type: application/json`, and do not compress the body.',
  },
  INTERNAL_ERROR: {
    rule: 'The platform had an error.',
    fix: 'Send the same request again. If it fails again, give the platform this request id.',
  },
  SERVICE_UNAVAILABLE: {
    rule: 'The platform could not answer for the moment, or the body took too long to arrive.',
    fix: 'Send the same request again, with the same Idempotency-Key.',
  },
};

const UNKNOWN: RequestRefusal = {
  rule: 'The request was refused.',
  fix: 'Look the code up in the documentation.',
};

/** Explains the error code of a request to its partner. Null for a request that succeeded. */
export function ownRefusalOf(code: string | null): RequestRefusal | null {
  if (code === null) return null;
  const known: Readonly<Record<string, RequestRefusal | undefined>> = OWN_REFUSALS;
  return known[code] ?? UNKNOWN;
}
