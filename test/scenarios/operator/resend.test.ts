/** Resending. */
import type { EventId, ResendTarget } from '@partner-hiring/core';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { countTurns } from '@partner-hiring/test-support/turns';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { openDeliveryStage } from './deliveries-stage.js';

const NOTHING = {
  count: 0,
  restarted: 0,
  broughtForward: 0,
  held: 0,
  skipped: 0,
  keys: [],
  missing: [],
  operation: null,
};

const stage = perTest(openDeliveryStage, ({ close }) => close());

describe('resending', () => {
  it('sends a delivered event without a row', async () => {
    const { operator, keyId } = stage;
    const [eventId = 'evt_'] = await stage.record(1);
    await stage.drain();
    const outcome = await operator.deliveries.resend({ keyId, eventIds: [eventId] });
    expect(outcome).toEqual({ ...NOTHING, count: 1, restarted: 1 });
    const restarted = { state: 'pending', cycle: 2, attempts: 0 };
    expect(await operator.deliveries.find({ keyId, eventId })).toMatchObject({ delivery: restarted });
    expect(await operator.deliveries.resend({ keyId, eventIds: [eventId] })).toEqual({
      ...NOTHING,
      skipped: 1,
    });
    await stage.drain();
    expect(stage.sent()).toEqual([eventId, eventId]);
    expect(await stage.stateOf(eventId)).toBe('delivered');
    // It is not sent a third time.
    await stage.pass(DAY_MS, HOUR_MS);
    expect(stage.sent()).toHaveLength(2);
  });

  it('starts a new cycle of ten, after which the delivery is dead again', async () => {
    const { operator, keyId } = stage;
    const eventId = await stage.deadLetter();
    expect((await operator.deliveries.list({ keyId, state: 'dead' })).items).toHaveLength(1);
    await operator.deliveries.resend({ keyId, eventIds: [eventId] });
    await stage.drain();
    expect(await operator.deliveries.find({ keyId, eventId })).toMatchObject({
      delivery: { state: 'pending', cycle: 2, attempts: 1 },
    });
    expect(stage.sent().filter((id) => id === eventId)).toHaveLength(11);
  });

  it('sends a list, skips pending ones, and reports missing ones', async () => {
    const { operator, keyId } = stage;
    const dead = await stage.deadLetter();
    stage.transport.answerWith(() => answered(200));
    const [one = 'evt_', other = 'evt_'] = await stage.record(2);
    await stage.drain();
    const [waiting = 'evt_'] = await stage.record(1);
    const eventIds = [one, dead, other, waiting, one, 'evt_none'] as const;
    const before = stage.sent().length;
    expect(await operator.deliveries.resend({ keyId, eventIds })).toEqual({
      ...NOTHING,
      count: 3,
      restarted: 3,
      skipped: 1,
      missing: ['evt_none'],
    });
    await stage.drain();
    expect(stage.sent().slice(before).toSorted()).toEqual([one, dead, other, waiting].toSorted());
    const many = Array.from({ length: 1_000 }, (): EventId => 'evt_none');
    expect(await operator.deliveries.resend({ keyId, eventIds: many })).toEqual({
      ...NOTHING,
      missing: ['evt_none'],
    });
  });

  it('sends delivered, dead and waiting events of a time range, and nothing else', async () => {
    const { operator, keyId, clock } = stage;
    await stage.record(2);
    await stage.drain();
    const since = clock.now() + 500;
    const dead = await stage.deadLetter();
    stage.transport.answerWith(() => answered(200));
    const [retrying = 'evt_', ...well] = await stage.record(4);
    stage.fail([retrying]);
    await stage.drain();
    const until = clock.now() + 500;
    const outside = await stage.record(1);
    await stage.drain();
    const before = stage.sent().length;
    const listed = await operator.deliveries.list({ keyId, since, until, limit: 1_000 });
    const outcome = await operator.deliveries.resend({ keyId, since, until });
    expect(outcome).toEqual({
      ...NOTHING,
      count: listed.items.length,
      restarted: listed.items.length - 1,
      broughtForward: 1,
    });
    await stage.drain();
    const again = stage.sent().slice(before);
    expect(new Set(again)).toEqual(new Set(listed.items.map(({ eventId }) => eventId)));
    expect(again).toHaveLength(outcome.count);
    expect(again).toEqual(expect.arrayContaining([dead, retrying, ...well]));
    expect(again).not.toContain(outside[0]);
  });

  it('sends a range of several batches in the order of the log, without events that were never attempted', async () => {
    const { operator, keyId, clock } = stage;
    const since = clock.now() + 500;
    const sent = [...(await stage.record(800)), ...(await stage.record(800)), ...(await stage.record(800))];
    await stage.drain();
    await operator.endpoints.pause({ keyId });
    const unsent = await stage.record(3);
    // Batches go from the newest to the oldest, but sending keeps the order of the log.
    let now = clock.now();
    const ticking = vi.spyOn(clock, 'now').mockImplementation(() => now++);
    // The event loop turns between batches, even on a synchronous database.
    const turns = countTurns();
    expect(await operator.deliveries.resend({ keyId, since })).toMatchObject({
      restarted: 2_400,
      held: 2_400,
    });
    expect(turns.end()).toBeGreaterThanOrEqual(2);
    ticking.mockRestore();
    await clock.advance(SECOND_MS);
    // Pending ones are unchanged.
    expect(await operator.deliveries.resend({ keyId, since })).toEqual({
      ...NOTHING,
      skipped: 2_400,
    });
    const before = stage.sent().length;
    await operator.endpoints.resume({ keyId });
    await stage.drain();
    const again = stage.sent().slice(before);
    expect(again.filter((id) => !unsent.includes(id as EventId))).toEqual(sent);
    expect(again).toHaveLength(sent.length + unsent.length);
  });

  it('sends only what is undelivered: of a key, of a time, or of a list', async () => {
    const { operator, keyId, clock } = stage;
    const { deliveries } = operator;
    const early = await stage.deadLetter();
    await clock.advance(1_000);
    const since = clock.now();
    const late = await stage.deadLetter();
    const [retrying = 'evt_', well = 'evt_', cancelled = 'evt_'] = await stage.record(3);
    stage.fail([retrying, cancelled]);
    await stage.drain();
    await deliveries.cancel({ keyId, eventId: cancelled });
    const until = clock.now() + 500;
    await clock.advance(1_000);
    const [outside = 'evt_'] = await stage.record(1);
    stage.fail([outside]);
    await stage.drain();
    const only = 'undelivered' as const;
    const eventIds = [late, retrying, well, cancelled, outside];
    for (const [selection, counts] of [
      [{}, { count: 4, restarted: 2, broughtForward: 2 }],
      [{ since }, { count: 3, restarted: 1, broughtForward: 2 }],
      [
        { since, until },
        { count: 2, restarted: 1, broughtForward: 1 },
      ],
      [{ eventIds }, { count: 3, restarted: 1, broughtForward: 2, skipped: 2 }],
    ] as const)
      expect(await deliveries.resend({ keyId, ...selection, only, dryRun: true })).toEqual({
        ...NOTHING,
        ...counts,
      });
    stage.transport.answerWith(() => answered(200));
    const before = stage.sent().length;
    await deliveries.resend({ keyId, since, until, only });
    await stage.drain();
    expect(stage.sent().slice(before).toSorted()).toEqual([late, retrying].toSorted());
    expect([await stage.stateOf(early), await stage.stateOf(cancelled)]).toEqual(['dead', 'cancelled']);
    await deliveries.resend({ keyId, eventIds: [early, cancelled, well], only });
    await stage.drain();
    expect([await stage.stateOf(early), await stage.stateOf(cancelled)]).toEqual(['delivered', 'cancelled']);
  });

  it.each([
    ['one event', 'delivery', { before: { state: 'delivered' }, after: { state: 'pending' }, count: null }],
    ['events', 'delivery', { count: 2, filter: { events: 3 } }],
    ['since', 'endpoint', { count: 4, filter: { since: 0, until: null, only: null } }],
    ['undelivered', 'endpoint', { count: 1, filter: { since: null, until: null, only: 'undelivered' } }],
    ['partner', 'partner', { count: null, filter: { since: 0, until: null, only: null } }],
  ] as const)('%s is one act, and none if nothing is sent', async (form, kind, entry) => {
    const { operator, keyId } = stage;
    const partnerId = (await operator.keys.find({ id: keyId }))?.key.partnerId;
    await stage.record(2);
    await stage.drain();
    const [one = 'evt_', other = 'evt_'] = (await operator.deliveries.list({ keyId })).items.map(
      ({ eventId }) => eventId,
    );
    const [retrying = 'evt_'] = await stage.record(1);
    stage.fail([retrying]);
    await stage.drain();
    const target = {
      'one event': { keyId, eventIds: [one] },
      events: { keyId, eventIds: [one, other, 'evt_none'] },
      since: { keyId, since: 0 },
      undelivered: { keyId, only: 'undelivered' },
      partner: { partnerId, since: 0 },
    } as const satisfies Record<typeof form, ResendTarget>;
    const acts = async () =>
      (await operator.audit.list()).items.filter(({ act }) => act === 'deliveries.resend');
    await operator.deliveries.resend({ ...target[form], dryRun: true });
    expect(await acts()).toEqual([]);
    await operator.deliveries.resend(target[form]);
    const written = await acts();
    expect(written).toMatchObject([
      { ...entry, objects: expect.arrayContaining([{ kind, id: expect.anything() }]) },
    ]);
    if (form === 'partner') return;
    await operator.deliveries.resend(target[form]);
    expect(await acts()).toEqual(written);
  });

  it.each([
    [{}, 'either keyId or partnerId; the input must have eventIds, since or only'],
    [{ keyId: 'key_1', partnerId: 'ptn_1', since: 0 }, 'either keyId or partnerId'],
    [{ partnerId: 'ptn_1', eventIds: [] }, 'eventIds only with keyId'],
    [{ keyId: 'key_1', eventIds: [], since: 0 }, 'eventIds only with keyId'],
    [{ keyId: 'key_1', eventIds: 'evt_none' }, 'eventIds must be a list of at most 1000 ids'],
    [{ keyId: 'key_1', eventIds: ['evt_none', 7] }, 'eventIds[1] must be text'],
    [{ keyId: 'key_1', eventIds: Array.from({ length: 1_001 }, () => 'evt_1') }, 'at most 1000 ids'],
    [{ keyId: 'key_1', until: 5, only: 'undelivered' }, 'since if it has until'],
    [{ keyId: 'key_1', since: 1.5 }, 'since must be an instant'],
    [{ keyId: 'key_1', since: 0, until: -1 }, 'until must be an instant'],
    [{ keyId: 'key_1', only: 'dead' }, 'only must be one of undelivered'],
    [{ keyId: 'key_1', since: 0, dryRun: 'no' }, 'dryRun must be true or false'],
  ])('rejects %j', async (input, rule) => {
    const refused = { code: 'INVALID_INPUT', message: expect.stringContaining(rule) };
    await expect(stage.operator.deliveries.resend(input as never)).rejects.toMatchObject(refused);
  });

  it('rejects unknown keys', async () => {
    const resend = stage.operator.deliveries.resend({ keyId: 'key_none', since: 0 });
    await expect(resend).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  });
});
