import { randomUUID } from 'node:crypto';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import type { ReadinessItem } from '../../../packages/core/src/features/readiness/rules.js';

/** A platform with a partner whose sandbox key has proved nothing yet. */
export interface GoLiveStage {
  readonly fixture: Fixture;
  readonly partner: Partner;
  readonly jobId: `job_${string}`;
  readonly companyId: `co_${string}`;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Small, so that a 429 takes few requests. */
export const LIST_JOBS = 12;

export const GO_LIVE_OPTIONS = { limits: { list_jobs: LIST_JOBS } };

/** Adds a partner with a job. Its endpoint accepts everything. */
export async function joinPlatform(
  fixture: Fixture,
  options: { readonly sandbox: boolean; readonly partnerId?: `ptn_${string}` } = { sandbox: true },
): Promise<GoLiveStage> {
  fixture.transport.answerWith(200);
  const partner = await createPartner(fixture, options);
  return { fixture, partner, ...(await createEmployer(fixture, partner, options)) };
}

/** Returns the open items with their reasons. */
export async function openItems({
  fixture,
  partner,
}: Pick<GoLiveStage, 'fixture' | 'partner'>): Promise<Partial<Record<ReadinessItem, string>>> {
  const { items } = await fixture.operator.keys.readiness({ id: partner.keyId });
  return Object.fromEntries(items.flatMap(({ item, reason }) => (reason === null ? [] : [[item, reason]])));
}

/** What a partner does about an item. Time passes before each step. */
interface Step {
  readonly right: (stage: GoLiveStage) => Promise<unknown>;
  /** Is done before all steps, if the partner is to make the mistake. */
  readonly before?: (stage: GoLiveStage) => void;
  /** The items that stay open too, because they need this one. */
  readonly blocks?: readonly ReadinessItem[];
  /** A mistake that leaves the item open. */
  readonly wrong: (stage: GoLiveStage) => Promise<unknown>;
}

async function untilLimited({ partner }: GoLiveStage): Promise<void> {
  for (let count = 0; count <= LIST_JOBS; count += 1) {
    if ((await partner.get('/jobs')).status === 429) return;
  }
  throw new Error('No request got 429.');
}

async function duplicate({ partner, jobId }: GoLiveStage): Promise<void> {
  await partner.submit(submission(jobId, { sourceApplicationId: 's1' }));
  await partner.submit(submission(jobId, { sourceApplicationId: 's1' }));
}

const read = ({ partner }: GoLiveStage) => partner.get('/applications');

/** The partner gets an event. */
async function newJob({ fixture, companyId }: GoLiveStage): Promise<void> {
  await fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB });
  await fixture.pass(SECOND_MS);
}

/** The steps of a partner, by item. */
export const STEPS: Partial<Record<ReadinessItem, Step>> = {
  jobs_cursor: {
    right: async (stage) => {
      await newJob(stage);
      const { next_cursor: cursor } = (await stage.partner.get('/jobs?limit=1')).json;
      await stage.partner.get(`/jobs?limit=1&cursor=${cursor}`);
    },
    wrong: ({ partner }) => partner.get('/jobs?page=2'),
  },
  jobs_updated_since: {
    right: ({ partner }) => partner.get('/jobs?updated_since=2026-01-01T00:00:00Z'),
    wrong: ({ partner }) => partner.get('/jobs?since=2026-01-01T00:00:00Z'),
  },
  submitted: {
    right: ({ partner, jobId }) => partner.submit(submission(jobId)),
    blocks: ['replayed', 'recovered_409'],
    wrong: ({ partner }) => partner.submit(submission('job_none')),
  },
  replayed: {
    right: async ({ partner, jobId }) => {
      const [key, body] = [randomUUID(), submission(jobId)];
      await partner.submit(body, key);
      return partner.submit(body, key);
    },
    wrong: async ({ partner, jobId }) => {
      const body = submission(jobId);
      await partner.submit(body);
      return partner.submit(body);
    },
  },
  recovered_422: { right: ({ partner }) => partner.submit({}), wrong: ({ partner }) => partner.submit({}) },
  recovered_409: { right: duplicate, wrong: duplicate },
  recovered_429: {
    right: async (stage) => {
      await untilLimited(stage);
      await stage.fixture.clock.advance(MINUTE_MS);
    },
    wrong: untilLimited,
  },
  applications_read: {
    right: read,
    wrong: ({ partner }) => partner.get('/applications/ej_app_none'),
  },
  endpoint_2xx: {
    right: newJob,
    before: ({ fixture }) => fixture.transport.answerWith(500),
    blocks: ['repeated_event'],
    wrong: newJob,
  },
  repeated_event: {
    right: async ({ fixture, partner: { keyId } }) => {
      const [newest] = (await fixture.operator.deliveries.list({ keyId })).items;
      if (newest === undefined) throw new Error('There is no event.');
      await fixture.operator.deliveries.resend({ keyId, eventIds: [newest.eventId] });
      await fixture.pass(SECOND_MS);
    },
    wrong: ({ fixture }) => fixture.pass(SECOND_MS),
  },
};

/** Does the step of each item, then a correct request. Makes the mistake of one item instead of its step, at the end. */
export async function play(stage: GoLiveStage, wrong: ReadinessItem | null = null): Promise<void> {
  const { clock } = stage.fixture;
  const mistake = wrong === null ? undefined : STEPS[wrong];
  mistake?.before?.(stage);
  for (const [item, step] of Object.entries(STEPS)) {
    if (step === mistake || mistake?.blocks?.some((blocked) => blocked === item)) continue;
    await clock.advance(SECOND_MS);
    await step.right(stage);
  }
  await clock.advance(MINUTE_MS);
  await stage.partner.get('/jobs');
  await clock.advance(SECOND_MS);
  await mistake?.wrong(stage);
}
