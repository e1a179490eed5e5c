/** Contract: 2. The HTTP suite compares every field of a reply; these are other values. */

import { createPartner, submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { useStory } from '@partner-hiring/test-support/story';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';

const story = useStory();

async function readJob(): Promise<Readonly<Record<string, unknown>>> {
  const { json } = await story.partner.get('/jobs');
  return (json.data as Record<string, unknown>[])[0] ?? {};
}

describe('Job', () => {
  it('createdAt is the time of the creation, and updatedAt that of the last modification', async () => {
    const created = await readJob();
    const createdAt = story.fixture.clock.now();
    expect(created.createdAt).toBe(new Date(createdAt).toISOString());
    await story.fixture.clock.advance(60_000);
    await story.fixture.operator.jobs.update({ id: story.jobId, changes: { title: 'Shift lead' } });
    expect(await readJob()).toMatchObject({
      createdAt: created.createdAt,
      updatedAt: new Date(createdAt + 60_000).toISOString(),
    });
  });

  it('the type of the compensation is always hourly', async () => {
    const { min, max, currency } = WAREHOUSE_JOB.compensation;
    await story.fixture.operator.jobs.update({
      id: story.jobId,
      changes: { compensation: { min, max, currency } },
    });
    expect(await readJob()).toMatchObject({ compensation: { type: 'hourly' } });
  });

  it('schedule, compensation.min, .max and headcount.total are null if unset', async () => {
    await story.fixture.operator.jobs.update({
      id: story.jobId,
      changes: {
        schedule: null,
        compensation: { type: 'hourly', min: null, max: null, currency: 'USD' },
        headcount: { total: null, filled: 0 },
      },
    });
    expect(await readJob()).toMatchObject({
      schedule: null,
      compensation: { min: null, max: null },
      headcount: { total: null, filled: 0 },
    });
  });

  it('applicationFormSchema has key, label, type and required of each question', async () => {
    const question = { key: 'forklift', label: 'Can you drive a forklift?', type: 'boolean', required: true };
    await story.fixture.operator.jobs.update({
      id: story.jobId,
      changes: { applicationFormSchema: [question] },
    });
    expect((await readJob()).applicationFormSchema).toEqual([question]);
  });
});

describe('Application', () => {
  it('sourceApplicationId is null where the partner gave none', async () => {
    const { json } = await story.partner.submit(submission(story.jobId));
    expect((await story.partner.get(`/applications/${String(json.id)}`)).json.sourceApplicationId).toBeNull();
  });

  it('submittedAt is the time of the submission, and lastStatusChangeAt that of the last status, not of the stage', async () => {
    const { json } = await story.partner.submit(submission(story.jobId));
    const id = json.id as `ej_app_${string}`;
    const instants = async () => {
      const { submittedAt, lastStatusChangeAt } = (await story.partner.get(`/applications/${id}`)).json;
      return [submittedAt, lastStatusChangeAt];
    };
    expect(await instants()).toEqual([json.createdAt, json.createdAt]);
    await story.fixture.clock.advance(60_000);
    const evaluatedAt = new Date(story.fixture.clock.now()).toISOString();
    await story.fixture.operator.applications.move({ id });
    expect(await instants()).toEqual([json.createdAt, evaluatedAt]);
    await story.fixture.clock.advance(60_000);
    await story.fixture.operator.applications.move({ id, stage: 'final_review' });
    expect(await instants()).toEqual([json.createdAt, evaluatedAt]);
  });

  it.each([
    ['Video Interview: awaiting or in video interview', 'video_interview'],
    ['Under Review: video submitted, scoring', 'under_review'],
  ] as const)('currentStage is %s', async (label, stage) => {
    const id = String((await story.partner.submit(submission(story.jobId))).json.id) as `ej_app_${string}`;
    await story.fixture.operator.applications.move({ id });
    await story.fixture.operator.applications.move({ id, stage });
    const { json } = await story.partner.get(`/applications/${id}`);
    expect(json).toMatchObject({
      status: 'in_progress',
      currentStage: label.slice(0, label.indexOf(':')),
    });
  });
});

describe('Error', () => {
  it('details are absent where there is nothing to say', async () => {
    expect(Object.keys((await story.partner.get('/applications/ej_app_none')).json).sort()).toEqual([
      'error',
      'message',
    ]);
  });
});

describe('Webhook event envelope', () => {
  it('the id is globally unique and identical across retries, and createdAt is when it occurred, not when delivered', async () => {
    const { updatedAt: occurredAt } = await readJob();
    const second = await createPartner(story.fixture);
    await story.fixture.operator.access.grant({ keyId: second.keyId, companyId: story.companyId });
    story.fixture.transport.answerWith(() => answered(500));
    await story.fixture.clock.advance(60_000);
    await story.fixture.partnerHiring.worker.drain();
    await story.fixture.pass(120_000, 10_000);
    const ids = story.fixture.transport.events().map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
    for (const { createdAt, data } of story.fixture.transport.events()) {
      expect([createdAt, data.openedAt]).toEqual([occurredAt, occurredAt]);
    }
  });
});
