import { describe, expect, it } from 'vitest';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator } = stage;

/** Submits an application, by default for a key with an endpoint. */
async function received(options: { endpoint?: boolean } = {}) {
  const [keyId, companyId] = [await stage.key(options), await stage.company()];
  await operator.access.grant({ keyId, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  return stage.application(keyId, job);
}

async function statusEvents(keyId: Awaited<ReturnType<typeof received>>['keyId']) {
  return (await stage.events(keyId)).filter(({ type }) => type === 'application.status_changed');
}

describe('an application', () => {
  it('gets a new instant with each change, and keeps lastStatusChangeAt when only the stage changes', async () => {
    const { id, changedAt } = await received();
    const { application: begun } = await operator.applications.beginEvaluation({ id, stage: 'under_review' });
    const { application: moved } = await operator.applications.moveStage({ id, stage: 'final_review' });
    expect(begun).toMatchObject({ stage: 'under_review', lastStatusChangeAt: begun.changedAt });
    expect(begun.changedAt).toBeGreaterThan(changedAt);
    expect(moved).toMatchObject({ stage: 'final_review', lastStatusChangeAt: begun.changedAt });
    expect(moved.changedAt).toBeGreaterThan(begun.changedAt);
  });

  it('is unchanged by a move to its current state, without an event', async () => {
    const { id, keyId } = await received();
    await operator.applications.beginEvaluation({ id });
    const { application } = await operator.applications.decide({ id, decision: 'rejected' });
    expect(await operator.applications.decide({ id, decision: 'rejected' })).toEqual({
      application,
      changed: false,
    });
    expect(await statusEvents(keyId)).toHaveLength(1);
  });

  it('rejects a decision from received, and every move after a decision', async () => {
    const application = await received();
    const { id, keyId } = application;
    const undecided = {
      code: 'ILLEGAL_MOVE',
      message:
        `Application ${id} is received and cannot become accepted. From received, it can only become in_progress: ` +
        'call applications.beginEvaluation first, or set the option `decideFromReceived`.',
    };
    await expect(operator.applications.decide({ id, decision: 'accepted' })).rejects.toMatchObject(undecided);
    expect(await operator.applications.find({ id })).toEqual({
      ...application,
      consent: { givenAt: application.submittedAt, keyId },
      notice: expect.stringContaining('its inbox is off'),
    });
    await operator.applications.beginEvaluation({ id });
    await operator.applications.decide({ id, decision: 'accepted' });
    const refused = {
      code: 'ILLEGAL_MOVE',
      message: expect.stringMatching(
        / is accepted and cannot become (?:rejected|in_progress)\. A decision is final\./,
      ),
    };
    await expect(operator.applications.decide({ id, decision: 'rejected' })).rejects.toMatchObject(refused);
    await expect(operator.applications.beginEvaluation({ id })).rejects.toMatchObject(refused);
    expect(await statusEvents(keyId)).toHaveLength(1);
  });

  it('is decided without an event for a key that has no endpoint', async () => {
    const { id, keyId } = await received({ endpoint: false });
    await operator.applications.beginEvaluation({ id });
    const wakes = stage.wakes();
    await operator.applications.decide({ id, decision: 'accepted' });
    expect(await statusEvents(keyId)).toEqual([]);
    expect(stage.wakes()).toBe(wakes);
  });

  it('wakes the worker on a decision, and not earlier', async () => {
    const { id } = await received();
    const wakes = stage.wakes();
    await operator.applications.beginEvaluation({ id });
    expect(stage.wakes()).toBe(wakes);
    await operator.applications.decide({ id, decision: 'rejected' });
    expect(stage.wakes()).toBe(wakes + 1);
  });

  it('rejects an unknown decision or stage, and an invalid list limit', async () => {
    const { id } = await received();
    const invalid = { code: 'INVALID_INPUT' };
    const hired = 'hired' as 'final_review';
    await expect(operator.applications.moveStage({ id, stage: hired })).rejects.toMatchObject(invalid);
    const maybe = 'maybe' as 'accepted';
    await expect(operator.applications.decide({ id, decision: maybe })).rejects.toMatchObject(invalid);
    await expect(operator.applications.list({ limit: 0 })).rejects.toMatchObject(invalid);
    await expect(operator.applications.beginEvaluation({ id: 'ej_app_none' })).rejects.toMatchObject({
      code: 'APPLICATION_NOT_FOUND',
    });
  });
});
