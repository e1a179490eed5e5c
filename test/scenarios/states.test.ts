/** Contract: 3. A test for each rule, and for the moves that it does not allow. */

import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import { beginStory } from '@partner-hiring/test-support/story';
import type { ReceivedEvent } from '@partner-hiring/test-support/transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let fixture: Fixture;
let partner: Partner;
let jobId: `job_${string}`;
let companyId: `co_${string}`;
beforeEach(async () => {
  ({ fixture, partner, jobId, companyId } = await beginStory());
});
afterEach(() => fixture.close());

async function submitted(): Promise<`ej_app_${string}`> {
  const { json } = await partner.submit(submission(jobId, { sourceApplicationId: 'ats-1' }));
  return json.id as `ej_app_${string}`;
}

async function newEvents(change: () => Promise<unknown>): Promise<readonly ReceivedEvent[]> {
  await fixture.partnerHiring.worker.drain();
  const before = fixture.transport.attempts.length;
  await change();
  await fixture.partnerHiring.worker.drain();
  return fixture.transport.events().slice(before);
}

describe('Application status', () => {
  it('POST /applications succeeds: the résumé is fetched later, and a failed fetch does not fail the submission', async () => {
    const fetched: string[] = [];
    await fixture.close();
    fixture = await createFixture({
      resumeSource: {
        fetch: async (url) => {
          fetched.push(url);
          return { kind: 'failed', reason: 'bad_status', retryable: false };
        },
        close: async () => {},
      },
    });
    partner = await createPartner(fixture);
    ({ jobId } = await createEmployer(fixture, partner));
    const resumeUrl = 'https://files.example.org/ada.pdf';
    const { status, json } = await partner.submit(submission(jobId, { resumeUrl }));
    expect([status, fetched]).toEqual([201, []]);
    await fixture.partnerHiring.worker.drain();
    expect(fetched).toEqual([resumeUrl]);
    const id = json.id as `ej_app_${string}`;
    expect((await fixture.operator.applications.find({ id }))?.resume).toMatchObject({ kind: 'failed' });
    expect((await partner.get(`/applications/${id}`)).json).toMatchObject({ id, status: 'received' });
  });

  it('received → in_progress when evaluation begins; no webhook is sent', async () => {
    const id = await submitted();
    const events = await newEvents(() => fixture.operator.applications.move({ id }));
    expect(events).toEqual([]);
    expect((await partner.get(`/applications/${id}`)).json.status).toBe('in_progress');
  });

  it.each([
    ['accepted', 'Hired'],
    ['rejected', 'Closed'],
  ] as const)(
    'from in_progress to %s, application.status_changed is sent with the stage label %s',
    async (decision, label) => {
      const id = await submitted();
      await fixture.operator.applications.move({ id });
      const events = await newEvents(() => fixture.operator.applications.decide({ id, decision }));
      const application = (await partner.get(`/applications/${id}`)).json;
      expect(application).toMatchObject({ status: decision, currentStage: label });
      expect(events).toEqual([
        {
          id: expect.stringMatching(/^evt_/),
          type: 'application.status_changed',
          apiVersion: 'v1',
          createdAt: application.lastStatusChangeAt,
          data: {
            applicationId: id,
            sourceApplicationId: 'ats-1',
            jobId,
            oldStatus: 'in_progress',
            newStatus: decision,
            currentStage: label,
            occurredAt: application.lastStatusChangeAt,
          },
        },
      ]);
    },
  );

  it('received → accepted is illegal, says so to the host, and changes nothing', async () => {
    const id = await submitted();
    const decide = () => fixture.operator.applications.decide({ id, decision: 'accepted' });
    const events = await newEvents(() => expect(decide()).rejects.toMatchObject({ code: 'ILLEGAL_MOVE' }));
    expect(events).toEqual([]);
    expect((await partner.get(`/applications/${id}`)).json.status).toBe('received');
  });

  it.each(['accepted', 'rejected'] as const)('nothing leaves the terminal state %s', async (decision) => {
    const id = await submitted();
    await fixture.operator.applications.move({ id });
    await fixture.operator.applications.decide({ id, decision });
    const other = decision === 'accepted' ? 'rejected' : 'accepted';
    await expect(fixture.operator.applications.decide({ id, decision: other })).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
    });
    await expect(fixture.operator.applications.move({ id })).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
    });
    const again = await newEvents(() => fixture.operator.applications.decide({ id, decision }));
    expect(again).toEqual([]);
  });

  it('a stage move inside in_progress reaches the feed without an event', async () => {
    const id = await submitted();
    await fixture.operator.applications.move({ id });
    const through = (await partner.get('/applications')).headers.get('x-updated-through');
    const events = await newEvents(() => fixture.operator.applications.move({ id, stage: 'final_review' }));
    expect(events).toEqual([]);
    const { json } = await partner.get(`/applications?updated_since=${through}`);
    expect(json.data).toMatchObject([{ id, currentStage: 'Final Review' }]);
  });

  it('a host may let decisions fall from received', async () => {
    await fixture.close();
    fixture = await createFixture({ decideFromReceived: true });
    partner = await createPartner(fixture);
    ({ jobId } = await createEmployer(fixture, partner));
    const id = await submitted();
    const events = await newEvents(() => fixture.operator.applications.decide({ id, decision: 'rejected' }));
    expect(events).toMatchObject([{ data: { oldStatus: 'received', newStatus: 'rejected' } }]);
  });
});

describe('Job visibility to a key', () => {
  const isListed = async () =>
    ((await partner.get('/jobs')).json.data as { id: string }[]).some(({ id }) => id === jobId);

  it('a new job becomes visible', async () => {
    const events = await newEvents(() =>
      fixture.operator.jobs.publish({
        companyId,
        title: 'Night shift lead',
        location: { city: 'Reno', state: 'NV', country: 'US' },
        compensation: { type: 'hourly', min: null, max: null, currency: 'USD' },
        schedule: null,
        headcount: { total: null, filled: 0 },
        applicationFormSchema: null,
      }),
    );
    expect(events).toMatchObject([{ type: 'job.opened', data: { companyId, title: 'Night shift lead' } }]);
  });

  it('a job becomes visible when access is granted', async () => {
    await fixture.operator.access.revoke({ keyId: partner.keyId, companyId });
    const events = await newEvents(() => fixture.operator.access.grant({ keyId: partner.keyId, companyId }));
    expect(events).toMatchObject([{ type: 'job.opened', data: { jobId, companyId } }]);
    expect(await isListed()).toBe(true);
  });

  it('a job becomes visible when it is unarchived', async () => {
    await fixture.operator.jobs.archive({ id: jobId });
    const events = await newEvents(() => fixture.operator.jobs.reopen({ id: jobId, from: 'archived' }));
    expect(events).toMatchObject([{ type: 'job.opened', data: { jobId } }]);
    expect(await isListed()).toBe(true);
  });

  it.each([
    ['the job is closed', 'closed_by_customer', () => fixture.operator.jobs.close({ id: jobId })],
    ['the job is archived', 'closed_by_customer', () => fixture.operator.jobs.archive({ id: jobId })],
    [
      'access is revoked',
      'access_revoked',
      () => fixture.operator.access.revoke({ keyId: partner.keyId, companyId }),
    ],
    [
      'the job is marked internal-only',
      'internal_sourcing_only',
      () => fixture.operator.jobs.setVisibility({ id: jobId, visibility: 'internal_only' }),
    ],
  ] as [string, string, () => Promise<unknown>][])(
    'a job stops being visible when %s, for the reason %s',
    async (_, reason, change) => {
      const events = await newEvents(change);
      expect(events).toMatchObject([{ type: 'job.closed', data: { jobId, companyId, reason } }]);
      expect(events[0]?.data.closedAt).toBe(events[0]?.createdAt);
      expect(await isListed()).toBe(false);
    },
  );

  it('a second key hears of it too, and a key without access does not', async () => {
    const second = await createPartner(fixture);
    await createPartner(fixture);
    await fixture.operator.access.grant({ keyId: second.keyId, companyId });
    const events = await newEvents(() => fixture.operator.jobs.close({ id: jobId }));
    expect(events).toHaveLength(2);
  });
});
