import { describe, expect, it } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
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
    const { application: begun } = await operator.applications.move({ id, stage: 'under_review' });
    const { application: moved } = await operator.applications.move({ id, stage: 'final_review' });
    expect(begun).toMatchObject({ stage: 'under_review', lastStatusChangeAt: begun.changedAt });
    expect(begun.changedAt).toBeGreaterThan(changedAt);
    expect(moved).toMatchObject({ stage: 'final_review', lastStatusChangeAt: begun.changedAt });
    expect(moved.changedAt).toBeGreaterThan(begun.changedAt);
  });

  it('is unchanged by a move to its current state, without an event', async () => {
    const { id, keyId } = await received();
    await operator.applications.move({ id });
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
        'call applications.move first, or set the option `decideFromReceived`.',
    };
    await expect(operator.applications.decide({ id, decision: 'accepted' })).rejects.toMatchObject(undecided);
    expect(await operator.applications.find({ id })).toEqual({
      ...application,
      consent: { givenAt: application.submittedAt, keyId },
      notice: expect.stringContaining('its inbox is off'),
    });
    await operator.applications.move({ id });
    await operator.applications.decide({ id, decision: 'accepted' });
    const refused = {
      code: 'ILLEGAL_MOVE',
      message: expect.stringMatching(
        / is accepted and cannot become (?:rejected|in_progress)\. A decision is final\./,
      ),
    };
    await expect(operator.applications.decide({ id, decision: 'rejected' })).rejects.toMatchObject(refused);
    await expect(operator.applications.move({ id })).rejects.toMatchObject(refused);
    expect(await statusEvents(keyId)).toHaveLength(1);
  });

  it('is decided without an event for a key that has no endpoint', async () => {
    const { id, keyId } = await received({ endpoint: false });
    await operator.applications.move({ id });
    const wakes = stage.wakes();
    await operator.applications.decide({ id, decision: 'accepted' });
    expect(await statusEvents(keyId)).toEqual([]);
    expect(stage.wakes()).toBe(wakes);
  });

  it('wakes the worker on a decision, and not earlier', async () => {
    const { id } = await received();
    const wakes = stage.wakes();
    await operator.applications.move({ id });
    expect(stage.wakes()).toBe(wakes);
    await operator.applications.decide({ id, decision: 'rejected' });
    expect(stage.wakes()).toBe(wakes + 1);
  });

  it('rejects an unknown decision or stage, and an invalid list limit', async () => {
    const { id } = await received();
    const invalid = { code: 'INVALID_INPUT' };
    const hired = 'hired' as 'final_review';
    await expect(operator.applications.move({ id, stage: hired })).rejects.toMatchObject(invalid);
    const maybe = 'maybe' as 'accepted';
    await expect(operator.applications.decide({ id, decision: maybe })).rejects.toMatchObject(invalid);
    await expect(operator.applications.list({ limit: 0 })).rejects.toMatchObject(invalid);
    await expect(operator.applications.move({ id: 'ej_app_none' })).rejects.toMatchObject({
      code: 'APPLICATION_NOT_FOUND',
    });
  });
});

describe('many applications', () => {
  const MANY = 800;

  /** Submits applications for a key with an endpoint, and for one without. */
  async function submitted(count: number) {
    const companyId = await stage.company();
    const keyIds = [await stage.key(), await stage.key({ endpoint: false })] as const;
    for (const keyId of keyIds) await operator.access.grant({ keyId, companyId });
    const job = await operator.jobs.publish({ ...PICKER, companyId });
    const ids: ApplicationId[] = [];
    for (let number = 0; number < count; number += 1) {
      ids.push((await stage.application(keyIds[number % 2 === 0 ? 0 : 1], job)).id);
    }
    return { jobId: job.id, keyIds, ids };
  }

  it('are moved and decided by one call each, in its order, with an event for each that has an endpoint', async () => {
    const { jobId, keyIds, ids } = await submitted(MANY);
    const moves = ids.map((id) => ({ id, stage: 'final_review' as const }));
    const moved = await operator.applications.move(moves);
    expect(moved.map(({ application }) => application.id)).toEqual(ids);
    const decisions = ids.map((id, index) => ({
      id,
      decision: index < 3 ? ('accepted' as const) : ('rejected' as const),
    }));
    const decided = await operator.applications.decide(decisions);
    expect(decided.map(({ application: { id, status } }) => ({ id, decision: status }))).toEqual(decisions);
    expect(await operator.applications.count({ jobId, status: 'rejected' })).toMatchObject({
      count: MANY - 3,
    });
    for (const [keyId, events] of [
      [keyIds[0], MANY / 2],
      [keyIds[1], 0],
    ] as const) {
      const found = await stage.storage.direct.events.readLogs([{ keyId, after: 0, limit: MANY }]);
      const news = found.flat().filter(({ type }) => type === 'application.status_changed');
      expect(news).toHaveLength(events);
      const changes = decided.filter(({ application }) => application.keyId === keyId);
      const stamps = changes.map(({ application }) => application.changedAt);
      expect(new Set(stamps).size).toBe(MANY / 2);
      if (events > 0) expect(news.map(({ at }) => at)).toEqual(stamps);
    }
    const { items: acts } = await operator.audit.list({ object: { kind: 'application', id: ids[9] ?? '' } });
    expect(acts.map(({ act, count, keyId, after }) => [act, count, keyId, after])).toEqual([
      ['applications.decide', MANY, null, { status: ['accepted', 'rejected'] }],
      ['applications.move', MANY, null, { status: 'in_progress' }],
    ]);
    expect((await operator.applications.decide(decisions)).some(({ changed }) => changed)).toBe(false);
  });

  it('are decided all or none, each once', async () => {
    const { ids } = await submitted(3);
    const [first = 'ej_app_', second = 'ej_app_'] = ids;
    const reject = (id: ApplicationId) => ({ id, decision: 'rejected' as const });
    await operator.applications.move({ id: first });
    await expect(operator.applications.decide([reject(first), reject(second)])).rejects.toMatchObject({
      code: 'ILLEGAL_MOVE',
      message: expect.stringContaining(second) as string,
    });
    await expect(
      operator.applications.decide([first, 'ej_app_none' as const].map(reject)),
    ).rejects.toMatchObject({
      code: 'APPLICATION_NOT_FOUND',
    });
    await expect(operator.applications.decide([first, first].map(reject))).rejects.toThrow(/an id twice/);
    expect(await operator.applications.find({ id: first })).toMatchObject({ status: 'in_progress' });
    expect(await operator.applications.decide([])).toEqual([]);
    expect(await operator.applications.decide([reject(first)])).toMatchObject([{ changed: true }]);
  });
});
