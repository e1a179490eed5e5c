/** Why a request was refused, and what the partner or the host does about it. */
export interface RequestRefusal {
  /** The rule that refused the request. */
  readonly rule: string;
  readonly fix: string;
}

/** An error that a partner can receive. */
export interface WireErrorRule {
  readonly status: number;
  /** What the API sends. */
  readonly message: string;
  /** The row of docs/contract.md. */
  readonly contract: `9.${number}`;
  /** The columns of docs/errors-and-limits.md. */
  readonly meaning: string;
  readonly sendAgain: string;
  /** What the portal says of a refused request. Names nothing of the host. */
  readonly partnerRule: string;
  readonly partnerFix: string;
  /**
   * What `requests.find`, the console and the command line say of a refused request. The console leaves out each sentence
   * that names a command, so it must be whole without them. Without a rule of its own, that of the partner.
   */
  readonly operatorRule?: string;
  readonly operatorFix: string;
}

/** The code of an error that a partner can receive. */
export type WireErrorCode =
  | 'IDEMPOTENCY_KEY_REQUIRED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'VALIDATION_ERROR'
  | 'JOB_NOT_FOUND'
  | 'JOB_CLOSED'
  | 'ACCESS_REVOKED'
  | 'DUPLICATE_SOURCE_APPLICATION_ID'
  | 'RATE_LIMITED'
  | 'UNAUTHORIZED'
  | 'APPLICATION_NOT_FOUND'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

/** Every error that a partner can receive. Contract: 9. */
export const WIRE_ERRORS: Readonly<Record<WireErrorCode, WireErrorRule>> = {
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 422,
    message: 'The Idempotency-Key header is required: a UUID v4, new for each submission.',
    contract: '9.13',
    meaning: 'the header `Idempotency-Key` is missing or empty',
    sendAgain: 'yes, with the header',
    partnerRule: '`POST /applications` needs the header `Idempotency-Key` with a UUID v4.',
    partnerFix: 'Send a new UUID v4 with each submission, and the same one when you retry it.',
    operatorFix:
      'The partner sends a new UUID v4 with each submission, and the same one when it retries that submission.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was already used with a different request body.',
    contract: '9.13',
    meaning:
      'another body was submitted with this idempotency key; `details.sameJson` says whether only the formatting differs',
    sendAgain: 'no',
    partnerRule:
      'For 24 hours, an Idempotency-Key belongs to the exact bytes of its first accepted body. This body differs.',
    partnerFix: 'Store the bytes of a body and retry with them. Use a new key for another submission.',
    operatorFix:
      'The partner stores the bytes of a body and retries with them. A different submission gets a new key.',
  },
  VALIDATION_ERROR: {
    status: 422,
    message: 'The request is not valid. See details.errors.',
    contract: '9.14',
    meaning: 'a field is wrong: see `details.errors`',
    sendAgain: 'yes, after you correct it',
    partnerRule: 'Some fields did not have the form that the reference describes.',
    partnerFix: 'Correct the fields that are named here, and send the request again.',
    operatorRule: 'Each field must have the form that the reference for partners describes.',
    operatorFix:
      'The partner corrects the fields that the reply names. A corrected submission may have the same Idempotency-Key.',
  },
  JOB_NOT_FOUND: {
    status: 404,
    message: 'The job does not exist, or this key has no access to it.',
    contract: '9.4',
    meaning: 'the job does not exist, or was never open to you',
    sendAgain: 'no',
    partnerRule: 'The key does not see a job with this id.',
    partnerFix: 'Use an id from `GET /jobs` of the same key. Sandbox and production have different jobs.',
    operatorRule:
      'The job must exist, in the environment of the key, at a company that the key has access to.',
    operatorFix:
      'The partner uses an id from `GET /jobs` of the same key. If the job should be visible to it, look at the job, and at the access of the key to its company. The commands are jobs.find and access.list.',
  },
  JOB_CLOSED: {
    status: 409,
    message: 'The job no longer accepts applications.',
    contract: '9.8',
    meaning: 'the job takes no more applications',
    sendAgain: 'no',
    partnerRule: 'A job takes applications only while it is open.',
    partnerFix:
      'Do not send this candidate again. Remove the job from your list, as `job.closed` asks, and tell the recruiter.',
    operatorRule:
      'A job takes applications only while it is open and not internal. It was closed, archived or internal when the request came.',
    operatorFix:
      'The partner removes the job when `job.closed` arrives or `GET /jobs` no longer lists it. To take applications again, reopen the job or show it to partners. The commands are jobs.reopen and jobs.setVisibility.',
  },
  ACCESS_REVOKED: {
    status: 403,
    message: "This key's access to the job's company was revoked.",
    contract: '9.3',
    meaning: 'the company ended your access',
    sendAgain: 'no',
    partnerRule: 'Your access to the company of this job was revoked.',
    partnerFix: 'Stop submitting to jobs of this company. If you expected access, ask the platform.',
    operatorRule:
      "A key may submit only to jobs of companies that it has access to. The access to this job's company was revoked.",
    operatorFix:
      'If the company wants candidates from this partner again, grant the access. Otherwise, the partner stops submitting to its jobs. The command is access.grant.',
  },
  DUPLICATE_SOURCE_APPLICATION_ID: {
    status: 409,
    message: 'An application with this sourceApplicationId was already submitted.',
    contract: '9.9',
    meaning: 'already submitted as `details.applicationId`',
    sendAgain: 'no',
    partnerRule: 'A `sourceApplicationId` is unique for each key, and an application already has this one.',
    partnerFix:
      'Do not submit the candidate again. To retry a submission, send the same body with the same Idempotency-Key.',
    operatorRule:
      'A `sourceApplicationId` is unique for each key. The application of this row already has it.',
    operatorFix:
      'The partner does not submit the candidate again. To retry a submission, it sends the same body with the same Idempotency-Key.',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests. Try again after the time in Retry-After.',
    contract: '9.16',
    meaning: 'too many requests: see [limits](#requests-per-minute)',
    sendAgain: 'yes, after `Retry-After`',
    partnerRule: 'You sent more requests in a minute than the limit allows, or too many at once.',
    partnerFix: 'Wait for the seconds in `Retry-After`, and spread your requests.',
    operatorRule:
      'Requests per minute are limited: submissions for each key and company, reads and refused requests for each key, requests without a key for each client. A key also has a limit of concurrent requests.',
    operatorFix:
      'The partner waits for `Retry-After`, and spreads its requests. For many candidates at once, allow more submissions for a day. The command is access.raiseLimit, and the option `limits` changes the limits.',
  },
  UNAUTHORIZED: {
    status: 401,
    message: 'A valid API key is required: Authorization: Bearer <API_KEY>.',
    contract: '9.2',
    meaning: 'missing, malformed, unknown, expired or revoked key',
    sendAgain: 'no',
    partnerRule: 'Each request needs a valid API key.',
    partnerFix: 'Send `Authorization: Bearer <API_KEY>` with the newest secret of this key.',
    operatorRule:
      'Each request needs a valid API key: `Authorization: Bearer <API_KEY>`. `fields` says whether the header was missing, malformed, or had an unknown key.',
    operatorFix:
      'The partner sends the key that it was given last. Look at the state of each secret of the key, or issue a new one. The commands are keys.find and keys.rotate.',
  },
  APPLICATION_NOT_FOUND: {
    status: 404,
    message: 'The application does not exist.',
    contract: '9.5',
    meaning: 'you have no application with this id',
    sendAgain: 'no',
    partnerRule: 'A key reads only applications that it submitted itself.',
    partnerFix: 'Check the id, and that you use the key that submitted the application.',
    operatorFix:
      'The partner checks the id, and that it uses the key that submitted the application: production and sandbox are separate.',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being processed. Send it again.',
    contract: '9.10',
    meaning: 'the first request with this idempotency key is under way',
    sendAgain: 'yes, unchanged',
    partnerRule:
      'Requests with the same Idempotency-Key run one at a time, and an earlier one was still running.',
    partnerFix: 'Send the same request again after a second.',
    operatorRule:
      'Requests with the same Idempotency-Key run one at a time. The first one took longer than two seconds.',
    operatorFix:
      'The partner sends the same request again after a second. If it repeats, look for a slow database or a lock that is held for long.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'This path does not exist.',
    contract: '9.6',
    meaning: 'the path does not exist; paths have no trailing slash, and case matters',
    sendAgain: 'no',
    partnerRule: 'The API has no such path.',
    partnerFix: 'Correct the path. It has no trailing slash, and case matters.',
    operatorRule: 'Only the four routes exist. Paths have no trailing slash, and case matters.',
    operatorFix:
      'The partner corrects the path. If all paths fail, check `basePath` and where the API is mounted.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support this method. See the Allow header.',
    contract: '9.7',
    meaning: 'the path exists, but not with this method; the header `Allow` lists its methods',
    sendAgain: 'no',
    partnerRule: 'Each path supports only some methods.',
    partnerFix: 'Use one of the methods in the `Allow` header of the reply.',
    operatorFix: 'The partner uses one of the methods in the `Allow` header of the reply.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large.',
    contract: '9.11',
    meaning: 'the body exceeds its [limit](#sizes-and-times)',
    sendAgain: 'no',
    partnerRule: 'The body was larger than the limit.',
    partnerFix: 'Send a `resumeUrl` instead of a file, and shorten long answers.',
    operatorRule: 'A body may have at most `maxBodyBytes`, 256 KiB by default.',
    operatorFix:
      'The partner sends a `resumeUrl` instead of a file, and shortens answers. The option `maxBodyBytes` changes the limit.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The request body must be application/json in UTF-8, without a content encoding.',
    contract: '9.12',
    meaning: 'send `application/json` in UTF-8, not compressed; `message` names the header and its problem',
    sendAgain: 'no',
    partnerRule: 'A body must be `application/json` in UTF-8, without a content encoding.',
    partnerFix: 'Send `Content-Type: application/json`, and do not compress the body.',
    operatorFix: 'The partner sends `Content-Type: application/json`, and does not compress the body.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'An internal error occurred. Quote the X-Request-Id when you report it.',
    contract: '9.18',
    meaning: 'a bug in the service',
    sendAgain: 'yes, unchanged',
    partnerRule: 'The platform had an error.',
    partnerFix: 'Send the same request again. If it fails again, give the platform this request id.',
    operatorRule: 'The library or a port of the host threw an error that it did not expect.',
    operatorFix:
      "Search the host's log for this request id: the error is logged as `A partner request failed.` The partner can send the same request again.",
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message:
      'The service is temporarily unavailable. Send the same request again. A submission keeps its Idempotency-Key.',
    contract: '9.18',
    meaning: 'the service is temporarily down',
    sendAgain: 'yes, unchanged, after `Retry-After`',
    partnerRule: 'The platform could not answer for the moment, or the body took too long to arrive.',
    partnerFix: 'Send the same request again, with the same Idempotency-Key.',
    operatorRule: 'The database did not answer, or the body did not arrive within `bodyTimeoutMs`.',
    operatorFix:
      "The partner sends the same request again, with the same Idempotency-Key. Search the host's log for this request id: an outage of the database is logged, a slow body is not.",
  },
};

/** The code of each. */
export const WIRE_ERROR_CODES = Object.keys(WIRE_ERRORS) as readonly WireErrorCode[];

/** Explains a stored code to the partner or the operator. Null for a code that this version does not have. */
export function explainRefusal(code: string, reader: 'partner' | 'operator'): RequestRefusal | null {
  const found = Object.entries(WIRE_ERRORS).find(([known]) => known === code)?.[1];
  if (found === undefined) return null;
  return { rule: found[`${reader}Rule`] ?? found.partnerRule, fix: found[`${reader}Fix`] };
}
