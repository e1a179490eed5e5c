import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ApplicationId } from '@partner-hiring/core';
import { expectEqual, expectThat } from './demo-failure.js';
import {
  type ApiReply,
  createPartnerClient,
  type PartnerClient,
  rowsOf,
  type SentSubmission,
} from './partner-client.js';
import type { PartnerReceiver } from './partner-receiver.js';
import type { Platform } from './platform.js';
import type { Step } from './storyteller.js';

const JOB_ID = 'job_harbor_driver';
const RESUME_LOOKS = 20;
const RESUME_PAUSE_MS = 500;

/** The participants. */
export interface Cast {
  readonly platform: Platform;
  readonly receiver: PartnerReceiver;
  readonly step: Step;
}

/** A candidate's way from an open job to a hire. */
export async function playStory(cast: Cast): Promise<void> {
  const { platform, receiver, step } = cast;
  const partner = createPartnerClient(platform.baseUrl, platform.apiKey);
  await step('The partner lists the open jobs', () => listJobs(partner));
  await step('It got a webhook for each', () => hearOfJobs(receiver));

  const submission = newSubmission(receiver.resumeUrl);
  const created = await step('It submits a candidate', () => submit(partner, submission));
  const id = created.json.id as ApplicationId;
  await step('The same request again returns the same reply', () => replay(partner, submission, created));
  await step('The same Idempotency-Key with another body is refused', () => reuse(partner, submission));
  const since = await step('It saves how far its list is complete', () => readList(partner, id));

  await step('The platform starts the evaluation', () => evaluate(cast, partner, id));
  await step('The platform hires', () => hire(platform, id));
  await step('The webhook arrives, and two verifiers accept it', () => hearOfHire(receiver, id));
  await step('The résumé is in its folder', () => findResume(platform, id));
  await step('The changes since then include the candidate', () => readChanges(partner, id, since));
}

async function listJobs(partner: PartnerClient) {
  const reply = await partner.get('/jobs');
  expectEqual(reply.status, 200, 'GET /jobs');
  const ids = rowsOf(reply).map((job) => String(job.id));
  expectThat(ids.includes(JOB_ID), `The jobs should include ${JOB_ID}, but are ${ids.join(', ')}`);
  expectThat(!ids.includes('job_harbor_clerk'), 'A closed job should not be listed');
  return { value: undefined, told: `200: ${ids.join(', ')}` };
}

async function hearOfJobs(receiver: PartnerReceiver) {
  await receiver.waitForEvent(
    (event) => event.type === 'job.opened' && event.data.jobId === JOB_ID,
    `Waiting for job.opened of ${JOB_ID}`,
  );
  return { value: undefined, told: `job.opened, signed, for ${JOB_ID} and the other jobs` };
}

async function submit(partner: PartnerClient, submission: SentSubmission) {
  const reply = await partner.submit(submission);
  expectEqual(reply.status, 201, `POST /applications (${reply.text})`);
  expectEqual(reply.json.status, 'received', 'The status');
  return { value: reply, told: `201: ${reply.text}` };
}

async function replay(partner: PartnerClient, submission: SentSubmission, created: ApiReply) {
  const reply = await partner.submit(submission);
  expectEqual(reply.status, 201, 'The replayed status');
  expectEqual(reply.text, created.text, 'The replayed body');
  expectEqual(reply.headers.get('idempotent-replayed'), 'true', 'Idempotent-Replayed');
  return { value: undefined, told: '201 with the same bytes, Idempotent-Replayed: true' };
}

async function reuse(partner: PartnerClient, { idempotencyKey, body }: SentSubmission) {
  const reply = await partner.submit({ idempotencyKey, body: body.replace('Ada', 'Eva') });
  expectEqual(reply.status, 422, 'The status');
  expectEqual(reply.json.error, 'IDEMPOTENCY_KEY_REUSED', 'The code');
  return { value: undefined, told: `422: ${String(reply.json.error)}` };
}

async function readList(partner: PartnerClient, id: string) {
  const reply = await partner.get('/applications');
  expectEqual(reply.status, 200, 'GET /applications');
  expectEqual(
    rowsOf(reply)
      .map((row) => row.id)
      .join(),
    id,
    'The applications',
  );
  const since = reply.headers.get('x-updated-through');
  expectThat(since !== null, 'X-Updated-Through should be there');
  return { value: since, told: `X-Updated-Through: ${since}` };
}

async function evaluate({ platform, receiver }: Cast, partner: PartnerClient, id: ApplicationId) {
  await platform.operator.applications.move({ id });
  await platform.operator.applications.move({ id, stage: 'under_review' });
  const reply = await partner.get(`/applications/${id}`);
  expectEqual(reply.json.status, 'in_progress', 'The status');
  expectEqual(reply.json.currentStage, 'Under Review', 'The stage');
  const isQuiet = receiver.events().every(({ type }) => type !== 'application.status_changed');
  expectThat(isQuiet, 'No webhook should tell of an evaluation');
  return { value: undefined, told: 'in_progress, Under Review; no webhook for that' };
}

async function hire({ operator }: Platform, id: ApplicationId) {
  const { application } = await operator.applications.decide({ id, decision: 'accepted' });
  expectEqual(application.status, 'accepted', 'The status');
  return { value: undefined, told: `${application.candidate.email} is accepted` };
}

async function hearOfHire(receiver: PartnerReceiver, id: string) {
  const event = await receiver.waitForEvent(
    ({ type, data }) => type === 'application.status_changed' && data.applicationId === id,
    `Waiting for application.status_changed of ${id}`,
  );
  expectThat(event.type === 'application.status_changed', 'The event should be of the awaited type');
  expectEqual(event.data.newStatus, 'accepted', 'The new status');
  return { value: undefined, told: JSON.stringify(event) };
}

/** The résumé is fetched after the response to the submission. */
async function findResume({ operator }: Platform, id: ApplicationId) {
  for (let look = 1; ; look += 1) {
    const resume = (await operator.applications.find({ id }))?.resume;
    if (resume?.kind === 'fetched') return { value: undefined, told: resume.location };
    const mayCome = resume?.kind === 'pending' && look < RESUME_LOOKS;
    expectThat(mayCome, `The résumé should be fetched, but its state is ${JSON.stringify(resume)}`);
    await setTimeout(RESUME_PAUSE_MS);
  }
}

async function readChanges(partner: PartnerClient, id: string, since: string) {
  const reply = await partner.get(`/applications?updated_since=${encodeURIComponent(since)}`);
  const [row] = rowsOf(reply);
  expectEqual(row?.id, id, 'The changed application');
  expectEqual(row?.status, 'accepted', 'The status');
  expectEqual(row?.currentStage, 'Hired', 'The stage');
  return { value: undefined, told: 'accepted, Hired' };
}

function newSubmission(resumeUrl: string): SentSubmission {
  const body = JSON.stringify({
    jobId: JOB_ID,
    candidate: { firstName: 'Ada', lastName: 'Reyes', email: 'ada@example.com', phone: '+1 775 555 0123' },
    consentToContact: true,
    sourceApplicationId: 'ats-1001',
    applicationFormAnswers: { license: true },
    resumeUrl,
  });
  return { idempotencyKey: randomUUID(), body };
}
