/** Lists of deliveries and of attempts. */
import type { DeliveryState, StoredDelivery } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { openDeliveryStage } from './deliveries-stage.js';

const stage = perTest(openDeliveryStage, ({ close }) => close());

const idsOf = (deliveries: readonly StoredDelivery[]) => deliveries.map(({ eventId }) => eventId);

/** Reads all pages of a list. */
async function readAll(filter: {
  readonly state?: DeliveryState;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}): Promise<readonly StoredDelivery[]> {
  const { keyId, operator } = stage;
  const all: StoredDelivery[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; cursor !== null; pages += 1) {
    const page = await operator.deliveries.list({ keyId, ...filter, ...(cursor ? { cursor } : {}) });
    expect(page.items.length).toBeLessThanOrEqual(filter.limit);
    expect(pages).toBeLessThan(50);
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

/** A forged cursor with a fractional instant. */
const NO_PLACE = Buffer.from(JSON.stringify([1, 'deliveries', null, 'dead', 0, null, 1.5, 'evt_1'])).toString(
  'base64url',
);

describe('deliveries', () => {
  it('are listed newest first, even without a row, in pages of any size', async () => {
    const done = await stage.record(5);
    await stage.drain();
    const [failing = 'evt_', ...others] = await stage.record(4);
    stage.fail([failing]);
    await stage.drain();
    const waiting = await stage.record(3);
    const newestFirst = [...done, failing, ...others, ...waiting].toReversed();
    for (const limit of [1, 2, 5, 100]) {
      // The first event of all is of the job that the stage began with.
      const listed = await readAll({ limit });
      expect(idsOf(listed).slice(0, -1)).toEqual(newestFirst);
      expect(idsOf(await readAll({ state: 'pending', limit }))).toEqual([...waiting.toReversed(), failing]);
      const delivered = idsOf(await readAll({ state: 'delivered', limit }));
      expect(delivered.slice(0, -1)).toEqual([...others.toReversed(), ...done.toReversed()]);
      expect(await readAll({ state: 'dead', limit })).toEqual([]);
    }
    const all = await readAll({ limit: 100 });
    const states = new Map(all.map(({ eventId, state, attempts }) => [eventId, [state, attempts]]));
    expect(states.get(done[0] ?? 'evt_')).toEqual(['delivered', 1]);
    expect(states.get(failing)).toEqual(['pending', 1]);
    expect(states.get(waiting[0] ?? 'evt_')).toEqual(['pending', 0]);
  });

  it('that succeeded are found behind a long backlog with one page', async () => {
    const { operator, keyId } = stage;
    const done = await stage.record(3);
    await stage.drain();
    await operator.endpoints.pause({ keyId });
    await stage.record(700);
    await stage.record(700);
    const { items: deliveries } = await operator.deliveries.list({ keyId, state: 'delivered', limit: 3 });
    expect(idsOf(deliveries)).toEqual(done.toReversed());
  });

  it('that succeeded are scanned in bounded ranges: a page may be empty', async () => {
    const { operator, keyId } = stage;
    const done = await stage.record(2);
    await stage.drain();
    const failing = [...(await stage.record(600)), ...(await stage.record(600))];
    await operator.endpoints.pause({ keyId });
    const rows = (await readAll({ state: 'pending', limit: 1_000 })).map((row) => row.eventId);
    expect(rows).toEqual(failing.toReversed());
    // Cancelling gives each a row.
    await operator.deliveries.cancel({ keyId, eventId: failing.at(-1) ?? 'evt_' });
    const first = await operator.deliveries.list({ keyId, state: 'delivered', limit: 2 });
    expect(first.items).toEqual([]);
    const next = { keyId, state: 'delivered', limit: 2, cursor: first.nextCursor ?? '' } as const;
    expect(idsOf((await operator.deliveries.list(next)).items)).toEqual(done.toReversed());
  });

  it('are filtered by the time of their events', async () => {
    const first = await stage.record(2);
    const since = stage.clock.now() + 500;
    const second = await stage.record(2);
    const until = stage.clock.now() + 500;
    await stage.record(2);
    await stage.operator.endpoints.pause({ keyId: stage.keyId });
    for (const limit of [1, 100]) {
      expect(idsOf(await readAll({ since, until, limit }))).toEqual(second.toReversed());
      expect(idsOf(await readAll({ state: 'pending', since, until, limit }))).toEqual(second.toReversed());
      expect(idsOf(await readAll({ until: since, limit })).slice(0, 2)).toEqual(first.toReversed());
    }
    await stage.operator.deliveries.cancel({ keyId: stage.keyId, eventId: second[0] ?? 'evt_' });
    expect(idsOf(await readAll({ state: 'cancelled', since, until, limit: 9 }))).toEqual([second[0]]);
    expect(await readAll({ state: 'cancelled', until: since, limit: 9 })).toEqual([]);
    expect(await readAll({ state: 'cancelled', since: until, limit: 9 })).toEqual([]);
  });

  it('of all keys are filtered by state', async () => {
    const failing = await stage.record(2);
    stage.fail(failing);
    await stage.drain();
    const page = await stage.operator.deliveries.list({ state: 'pending', limit: 1 });
    expect(idsOf(page.items)).toEqual([failing[1]]);
    const next = { state: 'pending', limit: 1, cursor: page.nextCursor ?? '' } as const;
    expect(idsOf((await stage.operator.deliveries.list(next)).items)).toEqual([failing[0]]);
  });

  it.each([
    ['neither key nor state', {}, 'keyId'],
    ['only a type and a time', { type: 'job.opened', since: 5 }, 'at least one of `keyId`, `partnerId`'],
    ['a key and a partner', { keyId: 'key_1', partnerId: 'ptn_1' }, 'not both `keyId` and'],
    ['a failing dead letter', { onlyFailing: true, state: 'dead' }, 'a failing delivery is `pending`'],
    ['onlyFailing as text', { onlyFailing: 'yes' }, 'onlyFailing must be true or false'],
    [
      'an unknown type',
      { state: 'dead', type: 'job.lost' },
      'type must be one of application.status_changed',
    ],
    ['an unknown state', { state: 'lost' }, 'state'],
    ['a fractional instant', { state: 'dead', since: 1.5 }, 'since'],
    ['a negative instant', { state: 'dead', until: -1 }, 'until'],
    ['a limit of 0', { state: 'dead', limit: 0 }, 'limit'],
    ['a forged cursor', { state: 'dead', cursor: 'bm9uZQ' }, 'cursor'],
    ['a cursor with an invalid position', { state: 'dead', cursor: NO_PLACE }, 'cursor'],
  ])('reject %s', async (_, filter, field) => {
    await expect(stage.operator.deliveries.list(filter as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(field),
    });
  });

  it('reject the cursor of another filter', async () => {
    const failing = await stage.record(3);
    stage.fail(failing);
    await stage.drain();
    const { list } = stage.operator.deliveries;
    const { nextCursor } = await list({ state: 'pending', limit: 1 });
    const cursor = nextCursor ?? '';
    await expect(list({ state: 'dead', cursor })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(list({ state: 'pending', since: 1, cursor })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

describe('the attempts of a delivery', () => {
  it('are returned with time, outcome, latency and excerpt, up to ten', async () => {
    const { operator, keyId, clock } = stage;
    const [eventId = 'evt_'] = await stage.record(1);
    let made = 0;
    stage.transport.answerWith(async () => {
      made += 1;
      void clock.advance(made * 10);
      return { kind: 'answered', status: 500 + made, excerpt: `attempt ${made}` };
    });
    await stage.drain();
    await stage.pass(2 * MINUTE_MS, MINUTE_MS);
    const details = await operator.deliveries.find({ keyId, eventId });
    expect(details?.event.id).toBe(eventId);
    expect(details?.delivery).toMatchObject({ state: 'pending', attempts: 2, lastLatencyMs: 20 });
    expect(details?.attempts).toEqual(
      [1, 2].map((number) => ({
        keyId,
        eventId,
        number,
        cycle: 1,
        latencyMs: number * 10,
        endedAt: expect.any(Number),
        outcome: { kind: 'answered', status: 500 + number, excerpt: `attempt ${number}` },
      })),
    );
    stage.transport.answerWith(() => answered(200));
    await stage.pass(HOUR_MS, MINUTE_MS);
    const after = await operator.deliveries.find({ keyId, eventId });
    expect(after?.delivery.state).toBe('delivered');
    expect(after?.attempts.map(({ outcome }) => outcome.kind === 'answered' && outcome.status)).toEqual([
      501, 502, 200,
    ]);
  });

  it('are bounded: a second cycle overwrites the first', async () => {
    const { operator, keyId } = stage;
    const [eventId = 'evt_'] = await stage.record(1);
    stage.fail([eventId]);
    await stage.drain();
    for (let day = 0; day < 6; day += 1) {
      await stage.record(1);
      await stage.pass(DAY_MS, HOUR_MS);
      await stage.record(1);
      await stage.drain();
    }
    const dead = await operator.deliveries.find({ keyId, eventId });
    expect(dead?.delivery).toMatchObject({ state: 'dead', attempts: 10 });
    expect(dead?.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await operator.deliveries.resend({ keyId, eventIds: [eventId] });
    await stage.drain();
    await stage.pass(2 * MINUTE_MS, MINUTE_MS);
    const again = await operator.deliveries.find({ keyId, eventId });
    expect(again?.attempts.map(({ cycle, number }) => [cycle, number])).toEqual([
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((number) => [1, number]),
      [2, 1],
      [2, 2],
    ]);
  });

  it('are not recorded if the first one succeeds', async () => {
    const { operator, keyId } = stage;
    const [eventId = 'evt_'] = await stage.record(1);
    await stage.drain();
    const details = await operator.deliveries.find({ keyId, eventId });
    expect(details).toMatchObject({ delivery: { state: 'delivered', attempts: 1, lastOutcome: null } });
    expect(details?.attempts).toEqual([]);
    expect(await operator.deliveries.find({ keyId, eventId: 'evt_none' })).toBeNull();
  });

  it('of a key are listed newest first, in pages, filtered by time', async () => {
    const { operator, keyId, clock } = stage;
    const failing = await stage.record(3);
    stage.fail(failing, 503);
    await stage.drain();
    const firstAt = clock.now();
    await stage.pass(2 * MINUTE_MS);
    const first = await operator.deliveries.listAttempts({ keyId, limit: 4 });
    const cursor = first.nextCursor ?? '';
    const rest = await operator.deliveries.listAttempts({ keyId, limit: 4, cursor });
    expect(rest.nextCursor).toBeNull();
    const all = [...first.items, ...rest.items];
    expect(all.map(({ number }) => number)).toEqual([2, 2, 2, 1, 1, 1]);
    // Attempts of one instant are sorted by event id.
    const ids = failing.toSorted().toReversed();
    expect(all.map(({ eventId }) => eventId)).toEqual([...ids, ...ids]);
    expect(all[0]?.outcome).toEqual({ kind: 'answered', status: 503, excerpt: 'it is broken' });
    const early = await operator.deliveries.listAttempts({ keyId, until: firstAt + 1 });
    expect(early.items.map(({ number }) => number)).toEqual([1, 1, 1]);
    const late = await operator.deliveries.listAttempts({ keyId, since: firstAt + 1 });
    expect(late.items.map(({ number }) => number)).toEqual([2, 2, 2]);
    await expect(operator.deliveries.listAttempts({ keyId, cursor: 'none' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});
