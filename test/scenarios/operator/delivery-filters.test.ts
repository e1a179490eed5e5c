/** The filters of `deliveries.list` that a support engineer combines. */
import type { DeliveryFilter } from '@partner-hiring/core';
import {
  createEmployer,
  createPartner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { describe, expect, it } from 'vitest';
import type { ApplicationId, EventId, KeyId, PartnerId } from '../../../packages/core/src/domain/ids.js';
import { openDeliveryStage } from './deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

/** Returns the ids of all pages. No page may be longer than the limit. */
async function idsOf(filter: DeliveryFilter, limit = 100): Promise<readonly EventId[]> {
  const ids: EventId[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; cursor !== null; pages += 1) {
    const { items: deliveries, nextCursor } = await stage.operator.deliveries.list({
      ...filter,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    expect(deliveries.length).toBeLessThanOrEqual(limit);
    expect(pages).toBeLessThan(200);
    ids.push(...deliveries.map(({ eventId }) => eventId));
    cursor = nextCursor;
  }
  return ids;
}

/** Submits and rejects a candidate, and returns the event of the decision. */
async function decide(): Promise<{ readonly applicationId: ApplicationId; readonly eventId: EventId }> {
  const { operator, partner, keyId } = stage;
  const { items: deliveries } = await operator.deliveries.list({ keyId, type: 'job.opened', limit: 1 });
  const { event } = (await operator.deliveries.find({
    keyId,
    eventId: deliveries[0]?.eventId ?? 'evt_',
  })) ?? { event: { body: '{}' } };
  const { data } = JSON.parse(event.body) as { readonly data: { readonly jobId: string } };
  const reply = await partner.submit(submission(data.jobId));
  const applicationId = String(reply.json.id) as ApplicationId;
  await operator.applications.move({ id: applicationId });
  await stage.clock.advance(1_000);
  await operator.applications.decide({ id: applicationId, decision: 'rejected' });
  const [newest] = (await operator.deliveries.list({ keyId, limit: 1 })).items;
  if (newest === undefined) throw new Error('The decision has no event.');
  return { applicationId, eventId: newest.eventId };
}

/** Adds a key of the same partner in the sandbox, and events of both keys at the same instants. */
async function addSandboxKey(): Promise<{ readonly partnerId: PartnerId; readonly sandboxKeyId: KeyId }> {
  const { operator, keyId } = stage;
  const partnerId = (await operator.keys.find({ id: keyId }))?.key.partnerId ?? 'ptn_none';
  const { keyId: sandboxKeyId } = await createPartner(stage, { sandbox: true, partnerId });
  const { companyId } = await createEmployer(stage, { keyId: sandboxKeyId }, { sandbox: true });
  for (let round = 0; round < 4; round += 1) {
    await stage.record(1);
    await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
  }
  return { partnerId, sandboxKeyId };
}

describe('deliveries of an application', () => {
  it('are that of its decision, and none before', async () => {
    const { eventId, applicationId } = await decide();
    const { keyId } = stage;
    const [found, ...others] = (await stage.operator.deliveries.list({ applicationId })).items;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ eventId, keyId, type: 'application.status_changed', state: 'pending' });
    await stage.drain();
    for (const filter of [
      {},
      { keyId },
      { state: 'delivered' },
      { type: 'application.status_changed' },
    ] as const)
      expect(await idsOf({ applicationId, ...filter }), JSON.stringify(filter)).toEqual([eventId]);
    const at = found?.eventAt ?? 0;
    expect(await idsOf({ applicationId, since: at, until: at + 1 })).toEqual([eventId]);
    for (const filter of [
      { keyId: 'key_other' },
      { partnerId: 'ptn_other' },
      { state: 'dead' },
      { type: 'job.opened' },
      { onlyFailing: true },
      { until: at },
      { since: at + 1 },
    ] as const)
      expect(await idsOf({ applicationId, ...filter }), JSON.stringify(filter)).toEqual([]);
    expect(await idsOf({ applicationId: 'ej_app_none' })).toEqual([]);
  });
});

describe('deliveries of a partner', () => {
  it('are merged from all of its keys, newest first, in pages of any size', async () => {
    const { partnerId, sandboxKeyId } = await addSandboxKey();
    await stage.drain();
    const failing = await stage.record(3);
    stage.fail(failing);
    await stage.drain();
    await stage.record(2);
    const { keyId } = stage;
    const both = [await idsOf({ keyId }), await idsOf({ keyId: sandboxKeyId })];
    expect(both.map(({ length }) => length > 3)).toEqual([true, true]);
    for (const state of [undefined, 'pending', 'delivered', 'dead'] as const) {
      const filter = state === undefined ? {} : { state };
      const expected = [
        ...(await stage.operator.deliveries.list({ keyId, ...filter })).items,
        ...(await stage.operator.deliveries.list({ keyId: sandboxKeyId, ...filter })).items,
      ]
        .sort((a, b) => b.eventAt - a.eventAt || (a.eventId < b.eventId ? 1 : -1))
        .map(({ eventId }) => eventId);
      for (const limit of [1, 2, 5, 100])
        expect(await idsOf({ partnerId, ...filter }, limit), `${state} ${limit}`).toEqual(expected);
    }
    expect(await idsOf({ partnerId: 'ptn_none' })).toEqual([]);
  });

  it('at one instant are all listed, once', async () => {
    const { partnerId, sandboxKeyId } = await addSandboxKey();
    const { keyId, operator } = stage;
    const { items: deliveries } = await operator.deliveries.list({ partnerId });
    const instants = deliveries.map(({ eventAt }) => eventAt);
    expect(new Set(instants).size).toBeLessThan(instants.length);
    for (const limit of [1, 3]) {
      const ids = await idsOf({ partnerId }, limit);
      expect(ids).toEqual(deliveries.map(({ eventId }) => eventId));
      expect(ids.toSorted()).toEqual(
        [...(await idsOf({ keyId })), ...(await idsOf({ keyId: sandboxKeyId }))].toSorted(),
      );
      const [until = 0] = instants;
      expect(await idsOf({ partnerId, until }, limit)).toEqual(
        deliveries.filter(({ eventAt }) => eventAt < until).map(({ eventId }) => eventId),
      );
    }
  });
});

describe('deliveries of a type', () => {
  it('are found among those of a key, a partner and a state', async () => {
    const { eventId } = await decide();
    const others = await stage.record(3);
    stage.fail([eventId, ...others]);
    await stage.drain();
    const { keyId, operator } = stage;
    const partnerId = (await operator.keys.find({ id: keyId }))?.key.partnerId ?? 'ptn_none';
    const type = 'application.status_changed';
    for (const filter of [
      { keyId },
      { partnerId },
      { keyId, state: 'pending' },
      { partnerId, state: 'pending' },
      { state: 'pending' },
      { onlyFailing: true },
    ] as const) {
      expect(await idsOf({ ...filter, type }), JSON.stringify(filter)).toEqual([eventId]);
      expect((await idsOf({ ...filter, type: 'job.opened' }, 2)).slice(0, 3)).toEqual(others.toReversed());
      expect(await idsOf({ ...filter, type: 'job.closed' })).toEqual([]);
    }
  });

  it('are searched in bounded parts: a page may be empty, and the next one goes on', async () => {
    const { eventId } = await decide();
    await stage.record(600);
    await stage.record(600);
    const { keyId, operator } = stage;
    const filter = { keyId, type: 'application.status_changed', limit: 5 } as const;
    const first = await operator.deliveries.list(filter);
    expect(first.items).toEqual([]);
    const next = await operator.deliveries.list({ ...filter, cursor: first.nextCursor ?? '' });
    expect(next.items.map((each) => each.eventId)).toEqual([eventId]);
    expect(next.nextCursor).toBeNull();
  });

  it('refuse the cursor of another type', async () => {
    await stage.record(3);
    const { list } = stage.operator.deliveries;
    const { keyId } = stage;
    const { nextCursor } = await list({ keyId, type: 'job.opened', limit: 1 });
    const cursor = nextCursor ?? '';
    expect((await list({ keyId, type: 'job.opened', limit: 1, cursor })).items).toHaveLength(1);
    for (const filter of [{ keyId }, { keyId, type: 'job.closed' }, { keyId, onlyFailing: true }] as const)
      await expect(list({ ...filter, cursor })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('failing deliveries', () => {
  it('are those that wait for another attempt after a failure, without first attempts and dead letters', async () => {
    const failing = await stage.record(2);
    stage.fail(failing);
    await stage.drain();
    await stage.record(2);
    const { keyId, operator } = stage;
    for (const filter of [{}, { keyId }, { keyId, state: 'pending' }] as const)
      for (const limit of [1, 100])
        expect(await idsOf({ ...filter, onlyFailing: true }, limit)).toEqual(failing.toReversed());
    expect(await idsOf({ keyId, onlyFailing: false, state: 'pending' })).toHaveLength(4);
    const [again = 'evt_', other = 'evt_'] = failing;
    await operator.deliveries.cancel({ keyId, eventId: again });
    await operator.deliveries.resend({ keyId, eventIds: [again] });
    // It waits for the first attempt of its second cycle.
    expect(await idsOf({ onlyFailing: true })).toEqual([other]);
  });
});

describe('waiting deliveries', () => {
  it('are those that the backlog counts as due, scheduled or paused, and a pause stands in each', async () => {
    const { keyId, operator, clock } = stage;
    const failing = await stage.record(2);
    stage.fail(failing);
    await stage.drain();
    const due = await stage.record(3);
    const waiting = [...failing, ...due].toReversed();
    for (const filter of [{}, { keyId }, { keyId, state: 'pending' }] as const) {
      for (const limit of [1, 100]) {
        expect(await idsOf({ ...filter, waits: 'due' }, limit)).toEqual(due.toReversed());
        expect(await idsOf({ ...filter, waits: 'later' }, limit)).toEqual(failing.toReversed());
        expect(await idsOf({ ...filter, waits: 'held' }, limit)).toEqual([]);
      }
    }
    await clock.advance(1_000);
    await operator.endpoints.pause({ keyId });
    expect(await idsOf({ waits: 'due' })).toEqual([]);
    expect(await idsOf({ waits: 'held' }, 2)).toEqual(waiting);
    const pause = { kind: 'paused', reason: 'operator', pausedAt: clock.now() };
    const { items } = await operator.deliveries.list({ waits: 'held' });
    expect(items.map((each) => each.pause)).toEqual(waiting.map(() => pause));
    const [eventId = 'evt_'] = due;
    expect((await operator.deliveries.find({ keyId, eventId }))?.delivery.pause).toEqual(pause);
    const { delivery } = await operator.deliveries.cancel({ keyId, eventId });
    expect(delivery.pause).toBeNull();
  });

  it('are pending', async () => {
    const asked = stage.operator.deliveries.list({ waits: 'due', state: 'dead' });
    await expect(asked).rejects.toThrow('`waits` and the state `dead` cannot be combined');
  });
});
