import type { Application } from '../../../packages/core/src/domain/application.js';
import { fingerprintBytes } from '../../../packages/core/src/domain/idempotency.js';
import type { VisibleJob } from '../../../packages/core/src/domain/job.js';
import type { FeedPage, ListQuery } from '../../../packages/core/src/domain/page.js';
import type { PartnerKey } from '../../../packages/core/src/domain/partner-key.js';
import type { RateState } from '../../../packages/core/src/domain/rate-limit.js';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import type { AdmitCall, PartnerApi, SubmitCall } from '../../../packages/core/src/partner/partner-api.js';
import { STORY_START } from '../clock.js';

/** The authenticated key. */
export const KEY: PartnerKey = {
  id: 'key_1',
  partnerId: 'ptn_1',
  environment: 'production',
  createdAt: STORY_START,
  loweredLimits: null,
};

/** Returns the rate state of a limit that counts the whole key. */
export function rateOf(limit: number, remaining: number): RateState {
  return {
    limit,
    remaining,
    resetAt: STORY_START + MINUTE_MS,
    countedAt: STORY_START,
    retryAfterSeconds: 60,
    bucketId: 'list_jobs:key_1',
    scope: { kind: 'partner' },
  };
}

/** The rate states that the fake returns. Each has another limit, so that tests can tell them apart. */
export const RATES = { admitted: rateOf(60, 59), guard: rateOf(300, 299), submitted: rateOf(10, 9) } as const;

/** Returns the fingerprint of a body. */
export function fingerprintOf(body: string | Uint8Array): string {
  return fingerprintBytes(typeof body === 'string' ? Buffer.from(body) : body);
}

/** The application of the fake. */
export const APPLICATION: Application = {
  id: 'ej_app_1',
  keyId: KEY.id,
  jobId: 'job_1',
  companyId: 'co_1',
  sourceApplicationId: 'their-1',
  status: 'in_progress',
  stage: 'under_review',
  submittedAt: STORY_START,
  lastStatusChangeAt: STORY_START + 1,
  changedAt: STORY_START + 2,
};

/** The job of the fake. */
export const JOB: VisibleJob = {
  job: {
    id: 'job_1',
    companyId: 'co_1',
    createdAt: STORY_START,
    title: 'Warehouse associate',
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { type: 'hourly', min: 21.5, max: null, currency: 'USD' },
    schedule: null,
    headcount: { total: null, filled: 1 },
    applicationFormSchema: null,
  },
  companyName: 'Initech',
  changedAt: STORY_START + 3,
};

/** The calls of the fake, in order. */
export interface Asked {
  readonly admissions: AdmitCall[];
  readonly guarded: PartnerKey[];
  readonly queries: ListQuery[];
  readonly reads: string[];
  readonly submissions: SubmitCall[];
}

/** Fake use cases. They authenticate every caller, find one row of each kind, and record the calls. */
export function createFakePartnerApi(changes: Partial<PartnerApi> = {}): {
  readonly partner: PartnerApi;
  readonly asked: Asked;
} {
  const asked: Asked = { admissions: [], guarded: [], queries: [], reads: [], submissions: [] };
  const page = <Row>(row: Row): FeedPage<Row> => ({ rows: [row], hasMore: false, head: STORY_START + 9 });
  const fake: PartnerApi = {
    admit: async () => ({
      kind: 'admitted',
      key: { ...KEY, secretHash: 'hash' },
      rate: RATES.admitted,
      application: undefined,
    }),
    chargeGuard: async () => ({ allowed: true, state: RATES.guard }),
    listJobs: async () => page(JOB),
    listApplications: async () => page(APPLICATION),
    listEvents: async () => ({ rows: [], hasMore: false, through: STORY_START + 9, recordedAfter: 0 }),
    readApplication: async () => APPLICATION,
    submitApplication: async () => ({
      kind: 'created',
      applicationId: 'ej_app_1',
      reply: { status: 201, body: '{"id":"ej_app_1"}' },
      rate: RATES.submitted,
    }),
    ...changes,
  };
  const partner: PartnerApi = {
    admit: (call) => noting(asked.admissions, call, fake.admit),
    chargeGuard: (key) => noting(asked.guarded, key, fake.chargeGuard),
    listJobs: (query) => noting(asked.queries, query, fake.listJobs),
    listApplications: (query) => noting(asked.queries, query, fake.listApplications),
    listEvents: fake.listEvents,
    readApplication: (call) => {
      asked.reads.push(call.id);
      return fake.readApplication(call);
    },
    submitApplication: (call) => noting(asked.submissions, call, fake.submitApplication),
  };
  return { partner, asked };
}

async function noting<Call, Answer>(
  calls: Call[],
  call: Call,
  answer: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  calls.push(call);
  return answer(call);
}
