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
    fix: 'Do not send this candidate again. Remove the job from your list, as `job.closed` asks, and tell the recruiter.',
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

const DATE_TIME = 'Send a date and a time with an offset or Z, such as `2026-01-31T09:30:00Z`.';
const FORM_ANSWERS = "Send each answer in the form that the job's `applicationFormSchema` describes.";

/** How to correct a field, by the entry of the request log: the field and the code. A field alone stands for its other codes. */
const HINTS: Readonly<Record<string, string>> = {
  'candidate.email': 'Send one e-mail address with a valid domain name, such as `sam@example.org`.',
  'candidate.phone':
    "Send the number with `+` and the country code, such as `+442071838750`, without an extension. Without a country code, it must be valid in the job's country.",
  'candidate.firstName':
    'Send text with a visible character, on one line. For a person with one name, send `-` as the first name.',
  'candidate.lastName': 'Send text with a visible character, on one line.',
  consentToContact: 'Ask the candidate, then send `true`. Without consent, do not submit the candidate.',
  resumeUrl:
    'Send an https URL without a user name, such as `https://files.example.org/cv.pdf`, or leave the field out.',
  sourceApplicationId: 'Send your own id of the application as text, or leave the field out.',
  applicationFormAnswers: FORM_ANSWERS,
  'applicationFormAnswers.*': FORM_ANSWERS,
  'applicationFormAnswers.*: required':
    'The job asks a question that must be answered. `applicationFormSchema` has it.',
  jobId: 'Send the `id` of a job from `GET /jobs`.',
  body: 'Send one JSON object in UTF-8.',
  'Idempotency-Key':
    'Send a new UUID v4, such as `0b5f3f0e-7c1d-4b6a-9f35-2c1f6d1f9a11`, with each submission.',
  updated_since: DATE_TIME,
  since: DATE_TIME,
  cursor: 'Send the `next_cursor` of the last page with the same filters, or start again without a cursor.',
  limit: 'Send a whole number from 1 to 200.',
};

/** Says how to correct each invalid field, in words for the partner. */
export function ownHintsOf(fields: readonly string[]): readonly string[] {
  const hints: Readonly<Record<string, string | undefined>> = HINTS;
  const found = fields.flatMap((entry) => hints[entry] ?? hints[entry.split(': ', 1).join('')] ?? []);
  return [...new Set(found)];
}
