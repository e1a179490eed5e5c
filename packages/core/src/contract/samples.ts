import type { Application } from '../domain/application.js';
import { createEvent, type EventFact, type EventType } from '../domain/event.js';
import type { VisibleJob } from '../domain/job.js';
import { encodeCursor } from '../domain/page.js';
import type { RateState } from '../domain/rate-limit.js';
import { createSigner, signatureHeaders } from '../domain/signature.js';
import type { WireErrorCode } from '../domain/wire-errors.js';
import type { WireError } from '../errors.js';
import { noJsonErrors } from '../http/read-json.js';
import { buildErrorReply } from '../http/reply.js';
import { buildReply, serializeApplication, serializeApplications, serializeJobs } from '../http/wire.js';

/** The signature headers and the parsed body of a delivery. */
export interface WireDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly event: unknown;
}

/** Fixed dates keep the document reproducible. */
const PUBLISHED_AT = Date.parse('2026-11-02T09:00:00.000Z');
const CHANGED_AT = Date.parse('2026-11-20T16:41:07.201Z');
const SUBMITTED_AT = Date.parse('2026-11-21T10:15:30.123Z');
const DECIDED_AT = Date.parse('2026-11-28T14:02:11.874Z');

const JOB: VisibleJob = {
  companyName: 'Bistro Nord',
  changedAt: CHANGED_AT,
  job: {
    id: 'job_01k2f7',
    companyId: 'co_bistro',
    title: 'Line Cook',
    location: { city: 'Austin', state: 'TX', country: 'US' },
    compensation: { type: 'hourly', min: 18, max: 22.5, currency: 'USD' },
    schedule: 'full_time',
    headcount: { total: 3, filled: 1 },
    applicationFormSchema: [
      { key: 'weekends', label: 'Can you work weekends?', type: 'boolean', required: true },
      {
        key: 'shift',
        label: 'Which shift suits you?',
        type: 'single_select',
        required: false,
        options: [
          { value: 'early', label: 'Early' },
          { value: 'late', label: 'Late' },
        ],
      },
    ],
    createdAt: PUBLISHED_AT,
  },
};

const RECEIVED: Application = {
  id: 'ej_app_01k2f9',
  keyId: 'key_01k2f3',
  jobId: JOB.job.id,
  companyId: JOB.job.companyId,
  sourceApplicationId: 'ats-4711',
  status: 'received',
  stage: 'initial_outreach',
  submittedAt: SUBMITTED_AT,
  lastStatusChangeAt: SUBMITTED_AT,
  changedAt: SUBMITTED_AT,
};
const HIRED: Application = {
  ...RECEIVED,
  status: 'accepted',
  stage: 'hired',
  lastStatusChangeAt: DECIDED_AT,
  changedAt: DECIDED_AT,
};

const CURSOR = encodeCursor(
  'jobs',
  { keyId: RECEIVED.keyId, updatedSince: null, companyId: null, status: null },
  CHANGED_AT,
);

const SUBMISSION = {
  jobId: JOB.job.id,
  candidate: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@ats.example',
    phone: '+14155550123',
  },
  consentToContact: true,
  source: 'career-site',
  sourceApplicationId: 'ats-4711',
  applicationFormAnswers: { weekends: true, shift: 'early' },
  resumeUrl: 'https://files.ats.example/ada.pdf',
};
const BUCKET: Omit<RateState, 'scope'> = {
  limit: 10,
  remaining: 0,
  resetAt: SUBMITTED_AT,
  countedAt: SUBMITTED_AT - 17_000,
  retryAfterSeconds: 17,
  bucketId: 'list_jobs:key_1',
};
const OF_COMPANY: RateState = { ...BUCKET, scope: { kind: 'partner_company', companyId: 'co_bistro' } };
const OF_PARTNER: RateState = { ...BUCKET, scope: { kind: 'partner' } };

const ERRORS = {
  VALIDATION_ERROR: {
    code: 'VALIDATION_ERROR',
    details: {
      errors: [
        { field: 'candidate.lastName', code: 'required', message: 'This field is required.' },
        {
          field: 'candidate.email',
          code: 'invalid_format',
          message: 'Must be an e-mail address with an at sign.',
        },
      ],
    },
  },
  IDEMPOTENCY_KEY_REUSED: { code: 'IDEMPOTENCY_KEY_REUSED', details: { sameJson: true } },
  DUPLICATE_SOURCE_APPLICATION_ID: {
    code: 'DUPLICATE_SOURCE_APPLICATION_ID',
    details: { applicationId: RECEIVED.id },
  },
} as const satisfies Partial<Record<WireErrorCode, WireError>>;

function bodyOf(error: WireError, rate = OF_PARTNER): unknown {
  return parse(buildErrorReply(error, rate).body);
}

/** Receivers must read bodies as UTF-8, and verify them as they arrived: serializers write a slash differently. */
const TITLE = 'Köchin/Koch 🍳';

const FACTS: { readonly [Type in EventType]: EventFact & { readonly type: Type } } = {
  'application.status_changed': {
    type: 'application.status_changed',
    application: { ...HIRED, sourceApplicationId: TITLE },
    oldStatus: 'in_progress',
    newStatus: 'accepted',
  },
  'job.opened': {
    type: 'job.opened',
    jobId: JOB.job.id,
    companyId: JOB.job.companyId,
    title: TITLE,
  },
  'job.closed': {
    type: 'job.closed',
    jobId: JOB.job.id,
    companyId: JOB.job.companyId,
    reason: 'closed_by_customer',
  },
};

const SIGNING_SECRET = `whsec_${'example'.repeat(6)}e`;

/** Example bodies and headers, from the code that writes the replies and the events of the service. */
export const WIRE_SAMPLES = {
  cursor: CURSOR,
  submission: SUBMISSION,
  smallSubmission: {
    jobId: SUBMISSION.jobId,
    candidate: SUBMISSION.candidate,
    consentToContact: true,
  },
  created: parse(buildReply(RECEIVED).body),
  received: parse(serializeApplication(RECEIVED)),
  hired: parse(serializeApplication(HIRED)),
  applications: parse(serializeApplications([RECEIVED], null)),
  jobs: {
    more: parse(serializeJobs([JOB], CURSOR)),
    last: parse(serializeJobs([JOB], null)),
    none: parse(serializeJobs([], null)),
  },
  /** A 429 for a submission that exceeds the limit for one company. */
  companyLimited: bodyOf({ code: 'RATE_LIMITED' }, OF_COMPANY),
  noJson: bodyOf({ code: 'VALIDATION_ERROR', details: { errors: noJsonErrors('no_json') } }),
  badQuery: bodyOf({
    code: 'VALIDATION_ERROR',
    details: { errors: [{ field: 'limit', code: 'invalid_value', message: 'Must be at least 1.' }] },
  }),
  /** Returns an example body for an error code. A 429 has the scope of the partner's key. */
  error(code: WireErrorCode): unknown {
    return bodyOf(code in ERRORS ? ERRORS[code as keyof typeof ERRORS] : ({ code } as WireError));
  },
  signingSecret: SIGNING_SECRET,
  /** Returns an example delivery, signed with `signingSecret`. */
  delivery(type: EventType): WireDelivery {
    const { body } = createEvent('evt_01k2fb', RECEIVED.keyId, DECIDED_AT, FACTS[type]);
    return {
      headers: signatureHeaders([createSigner(SIGNING_SECRET)], DECIDED_AT, body),
      event: parse(body),
    };
  },
};

function parse(json: string): unknown {
  return JSON.parse(json);
}
