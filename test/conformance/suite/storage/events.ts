import type { PartnerEvent } from '@partner-hiring/core';
import type { Instant, KeyId, Repositories } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  sampleSettlement,
  T0,
} from './samples.js';
import { type OpenStorage, useSeededStorage } from './storage-under-test.js';

export function describeEvents<HostTx>(open: OpenStorage<HostTx>): void {
  describe('events', () => {
    const opened = useSeededStorage(open);

    it('reads a key’s log in order, byte for byte', async () => {
      const { events } = opened.direct;
      const read = (after: Instant, limit: number) => readLog(opened.direct, KEY_ID, after, limit);
      const [first, second, third] = [sampleEvent(3, T0 + 1), sampleEvent(2, T0 + 2), sampleEvent(1, T0 + 3)];
      await events.append([third, first, sampleEvent(3, T0 + 1, OTHER_KEY_ID)]);
      await events.append([second]);
      expect(await read(T0, 10)).toEqual([first, second, third]);
      expect(await read(T0 + 1, 1)).toEqual([second]);
      expect(await read(T0 + 3, 1)).toEqual([]);
      expect(
        await events.readLogs([
          { keyId: 'key_none', after: T0, limit: 9 },
          { keyId: KEY_ID, after: T0 + 1, limit: 9 },
          { keyId: OTHER_KEY_ID, after: T0, limit: 1 },
        ]),
      ).toEqual([[], [second, third], [sampleEvent(3, T0 + 1, OTHER_KEY_ID)]]);
      expect(await events.find(KEY_ID, [third.id, 'evt_none', first.id])).toEqual([third, null, first]);
    });

    it('finds the key of an event', async () => {
      const { events } = opened.direct;
      await events.append([sampleEvent(1, T0 + 1), sampleEvent(2, T0 + 1, OTHER_KEY_ID)]);
      expect(await events.findKey('evt_000001')).toBe(KEY_ID);
      expect(await events.findKey('evt_000002')).toBe(OTHER_KEY_ID);
      expect(await events.findKey('evt_none')).toBeNull();
    });

    it('finds the types of events of many keys', async () => {
      const { events } = opened.direct;
      const closed = { ...sampleEvent(2, T0 + 2), type: 'job.closed' } as const;
      await events.append([sampleEvent(1, T0 + 1), closed, sampleEvent(3, T0 + 3, OTHER_KEY_ID)]);
      const asked = [
        { keyId: OTHER_KEY_ID, eventId: 'evt_000003' },
        { keyId: KEY_ID, eventId: 'evt_000003' },
        { keyId: KEY_ID, eventId: 'evt_000002' },
        { keyId: KEY_ID, eventId: 'evt_000001' },
      ] as const;
      expect(await events.findTypes(asked)).toEqual(['job.opened', null, 'job.closed', 'job.opened']);
    });

    it("lists a log newest first without bodies, with the watermark's position", async () => {
      const { endpoints, events } = opened.direct;
      await endpoints.save(sampleEndpoint());
      await events.append([1, 2, 3, 4].map((number) => sampleEvent(number, T0 + number)));
      await events.append([sampleEvent(9, T0 + 2, OTHER_KEY_ID)]);
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 2)).toBe(true);
      const listed = async (from: number, before: number, limit: number) =>
        (await events.listNewest({ keyId: KEY_ID, from: T0 + from, before: T0 + before, limit })).map(
          ({ at, isPassed }) => [at - T0, isPassed],
        );
      expect(await listed(0, 9, 10)).toEqual([
        [4, false],
        [3, false],
        [2, true],
        [1, true],
      ]);
      expect(await listed(2, 4, 10)).toEqual([
        [3, false],
        [2, true],
      ]);
      expect(await listed(0, 9, 1)).toEqual([[4, false]]);
      const [newest] = await events.listNewest({ keyId: KEY_ID, from: 0, before: T0 + 9, limit: 1 });
      const { body: _, ...event } = sampleEvent(4, T0 + 4);
      expect(newest).toEqual({ ...event, isPassed: false });
      expect(await events.listNewest({ keyId: OTHER_KEY_ID, from: 0, before: T0 + 9, limit: 9 })).toEqual([]);
    });

    it('sweeps old, sent events without a delivery', async () => {
      const { endpoints, events, deliveries } = opened.direct;
      await endpoints.save(sampleEndpoint());
      const [done, dead, recent, ahead] = [1, 2, 3, 4].map((number) => sampleEvent(number, T0 + number)) as [
        ReturnType<typeof sampleEvent>,
        ReturnType<typeof sampleEvent>,
        ReturnType<typeof sampleEvent>,
        ReturnType<typeof sampleEvent>,
      ];
      const unsent = sampleEvent(5, T0 + 1, OTHER_KEY_ID);
      await appendStamped(opened.direct, [done, dead, recent, ahead, unsent]);
      await deliveries.save([sampleDelivery(dead, { state: 'dead', dueAt: null })]);
      await endpoints.lease({ token: 't', forMs: LONG_LEASE_MS }, T0, 1);
      await endpoints.settle([sampleSettlement({ token: 't', watermark: recent.at })]);

      expect(await events.sweep(recent.at, 1)).toBe(1);
      expect(await events.sweep(recent.at, 10)).toBe(1);
      expect(await events.sweep(recent.at, 10)).toBe(0);
      expect(await readLog(opened.direct, KEY_ID, T0, 10)).toEqual([dead, recent, ahead]);
      expect(await readLog(opened.direct, OTHER_KEY_ID, T0, 10)).toEqual([]);
      // The sweep keeps events after the watermark, because they are unsent.
      expect(await events.sweep(T0 + 1_000, 10)).toBe(1);
      expect(await readLog(opened.direct, KEY_ID, T0, 10)).toEqual([dead, ahead]);
    });

    it('sweeps events after many that must stay, and later those before them', async () => {
      const { endpoints, events, deliveries } = opened.direct;
      const logged = Array.from({ length: 40 }, (_, index) => sampleEvent(index, T0 + 1 + index));
      const [first, last] = [logged[0], logged.at(-1)];
      if (first === undefined || last === undefined) throw new Error('There are some.');
      await events.append(logged);
      await deliveries.save(
        logged.slice(0, -1).map((event) => sampleDelivery(event, { state: 'dead', dueAt: null })),
      );
      await endpoints.save(sampleEndpoint());
      expect(await endpoints.advanceWatermark(KEY_ID, last.at)).toBe(true);
      const sweepSome = async () => {
        let removed = 0;
        for (let poll = 0; poll < logged.length; poll += 1) removed += await events.sweep(T0 + 1_000, 1);
        return removed;
      };
      expect(await sweepSome()).toBe(1);
      await deliveries.save([sampleDelivery(first, { state: 'delivered', dueAt: null })]);
      expect(await deliveries.sweep(T0 + 1, 1)).toBe(1);
      expect(await sweepSome()).toBe(1);
      expect(await readLog(opened.direct, KEY_ID, T0, 50)).toEqual(logged.slice(1, -1));
    });

    it.each([
      [KEY_ID, OTHER_KEY_ID],
      [OTHER_KEY_ID, KEY_ID],
    ])('sweeps old events of other logs in the next call: %s', async (kept, swept) => {
      const { events, deliveries } = opened.direct;
      const logged = Array.from({ length: 40 }, (_, index) => sampleEvent(index, T0 + 1 + index, kept));
      await events.append([...logged, sampleEvent(99, T0 + 99, swept)]);
      await deliveries.save(logged.map((event) => sampleDelivery(event, { state: 'dead', dueAt: null })));
      const removed = [await events.sweep(T0 + 1_000, 1), await events.sweep(T0 + 1_000, 1)];
      expect(Math.max(...removed)).toBe(1);
      expect(await readLog(opened.direct, swept, T0, 50)).toEqual([]);
    });
  });
}

async function readLog(
  { events }: Repositories,
  keyId: KeyId,
  after: Instant,
  limit: number,
): Promise<readonly PartnerEvent[]> {
  const [log] = await events.readLogs([{ keyId, after, limit }]);
  return log ?? [];
}
