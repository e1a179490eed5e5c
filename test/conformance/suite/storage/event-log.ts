import type { PartnerEvent } from '@partner-hiring/core';
import type { EventPage, EventQuery, Instant, KeyId } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  PARTNER_ID,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  sampleKey,
  samplePartner,
  sampleSettlement,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const ALL: EventQuery = { keyId: KEY_ID, updatedSince: null, type: null, after: null, limit: 10 };

/** The logs that record every event, and their pages. */
export function describeEventLog<HostTx>(open: OpenStorage<HostTx>): void {
  describe('the event log of a key', () => {
    const opened = useStorage(open);
    const page = (query: Partial<EventQuery> = {}) => opened.direct.events.page({ ...ALL, ...query });
    const numbersOf = ({ rows }: EventPage) => rows.map(({ at }) => at - T0);

    async function record(count: number): Promise<readonly PartnerEvent[]> {
      await seed(opened.direct);
      await opened.direct.feed.setRecording([KEY_ID], true);
      const events = Array.from({ length: count }, (_, index) => sampleEvent(index + 1, T0 + index + 1));
      await appendStamped(opened.direct, events);
      return events;
    }

    it('reads pages in order, each event with its body, up to the head of the feed', async () => {
      const [first, second, third] = await record(3);
      await opened.direct.feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 9);
      const begin = await page({ limit: 2 });
      expect(begin).toEqual({ rows: [first, second], hasMore: true, through: T0 + 2, recordedAfter: T0 });
      const end = { rows: [third], hasMore: false, through: T0 + 9, recordedAfter: T0 };
      expect(await page({ limit: 2, after: begin.through })).toEqual(end);
      expect(await page({ updatedSince: T0 + 1, after: T0 + 2 })).toEqual(end);
      expect(numbersOf(await page({ updatedSince: T0 + 1 }))).toEqual([2, 3]);
      expect(await page({ after: T0 + 9 })).toEqual({ ...end, rows: [] });
      expect(await page({ limit: 3 })).toMatchObject({ hasMore: false, through: T0 + 9 });
    });

    it('reads only the events of one type', async () => {
      await record(0);
      const types = ['job.opened', 'job.closed', 'job.closed', 'job.opened', 'job.closed'] as const;
      const events = types.map((type, index) => ({ ...sampleEvent(index, T0 + index + 1), type }));
      await appendStamped(opened.direct, events);
      const closed = await page({ type: 'job.closed', limit: 2 });
      expect([numbersOf(closed), closed.hasMore, closed.through]).toEqual([[2, 3], true, T0 + 3]);
      const last = await page({ type: 'job.closed', limit: 2, after: closed.through });
      expect([numbersOf(last), last.hasMore, last.through]).toEqual([[5], false, T0 + 5]);
      expect(await page({ type: 'application.status_changed' })).toMatchObject({ rows: [], hasMore: false });
    });

    it('a page of a rare type ends after a bounded number of events, and says where', async () => {
      await record(0);
      const count = 5_010;
      await opened.direct.feed.take([{ keyId: KEY_ID, count }], T0 + 1);
      const events = Array.from({ length: count }, (_, index) => sampleEvent(index, T0 + index + 1));
      await opened.direct.events.append(
        events.with(-1, { ...sampleEvent(count, T0 + count), type: 'job.closed' }),
      );
      const first = await page({ type: 'job.closed' });
      expect(first).toEqual({ rows: [], hasMore: true, through: T0 + 5_000, recordedAfter: T0 });
      const second = await page({ type: 'job.closed', after: first.through });
      expect([numbersOf(second), second.hasMore]).toEqual([[count], false]);
    });

    it('switches the logs of keys on and off, and leaves removed partners out', async () => {
      await seed(opened.direct);
      const { feed, partners, keys } = opened.direct;
      await keys.add({ ...sampleKey('key_new'), environment: 'sandbox' }, { recordsEvents: true });
      expect(await page({ keyId: 'key_new' })).toMatchObject({ rows: [], recordedAfter: 0 });
      expect((await page()).recordedAfter).toBeNull();
      const partner = samplePartner(PARTNER_ID);
      await partners.save({ ...partner, removedAt: T0, disabledAt: T0 });
      expect(await feed.listRecording(false, 9)).toEqual([OTHER_KEY_ID]);
      await partners.save({ ...partner, removedAt: null, disabledAt: null });
      expect([...(await feed.listRecording(false, 9))].sort()).toEqual([KEY_ID, OTHER_KEY_ID].sort());
      expect(await feed.listRecording(true, 9)).toEqual(['key_new']);
      expect(await feed.setFreeRecording([KEY_ID, 'key_new'], true)).toBe(1);
      expect(await feed.setFreeRecording([KEY_ID], false)).toBe(1);
      await feed.setRecording([KEY_ID, 'key_new'], false);
      expect(await feed.listRecording(true, 9)).toEqual([]);
      expect(await feed.listRecording(false, 1)).toHaveLength(1);
    });

    it('says with the stamps whether the log records every event', async () => {
      await seed(opened.direct);
      const { feed } = opened.direct;
      const request = { keyId: KEY_ID, count: 1 } as const;
      const isRecorded = async (now: Instant) =>
        (await feed.take([request], now)).map((each) => each.isRecorded);
      expect(await isRecorded(T0 + 1)).toEqual([false]);
      await feed.setRecording([KEY_ID], true);
      expect(await isRecorded(T0 + 2)).toEqual([true]);
      expect((await feed.takeSoon([request], T0 + 3))[0]).toMatchObject({ isRecorded: true });
      expect((await feed.takeFree([request], T0 + 4))[0]).toMatchObject({ isRecorded: true });
      await feed.setRecording([KEY_ID], true);
      expect((await page()).recordedAfter).toBe(T0 + 1);
    });

    it('a worker looks at a feed whose stamps are for recorded events', async () => {
      await seed(opened.direct);
      const { feed, endpoints } = opened.direct;
      const mayWait = async () => (await endpoints.states()).map((each) => each.mayWait);
      const request = { keyId: KEY_ID, count: 1, withoutEvents: true, unlessRecorded: true } as const;
      await endpoints.save(sampleEndpoint());
      await feed.take([request], T0 + 1);
      expect(await mayWait()).toEqual([false]);
      await feed.setRecording([KEY_ID], true);
      await feed.take([{ ...request, unlessRecorded: false }], T0 + 2);
      expect(await mayWait()).toEqual([false]);
      await feed.take([request], T0 + 3);
      expect(await mayWait()).toEqual([true]);
    });

    it('an endpoint gets no event from before it was set', async () => {
      await record(2);
      const { endpoints, events } = opened.direct;
      const listed = () => events.listNewest({ keyId: KEY_ID, from: 0, before: T0 + 99, limit: 9 });
      expect(await endpoints.findLogStart(KEY_ID)).toBeNull();
      await endpoints.save(sampleEndpoint());
      expect(await endpoints.findLogStart(KEY_ID)).toBe(T0 + 2);
      expect(await listed()).toEqual([]);
      await appendStamped(opened.direct, [sampleEvent(3, T0 + 3)]);
      await endpoints.save(sampleEndpoint(KEY_ID, { url: 'https://other.example/' }));
      expect((await listed()).map(({ at }) => at - T0)).toEqual([3]);
      expect(await endpoints.findLogStart(KEY_ID)).toBe(T0 + 2);
    });

    it('a sweep says up to where events may be missing', async () => {
      await record(4);
      expect(await opened.direct.events.sweep(T0 + 3, 1)).toBe(1);
      expect((await page()).recordedAfter).toBe(T0 + 1);
      expect(await opened.direct.events.sweep(T0 + 3, 9)).toBe(1);
      const left = await page();
      expect([left.recordedAfter, numbersOf(left)]).toEqual([T0 + 2, [3, 4]]);
      expect(await opened.direct.events.sweep(T0 + 3, 9)).toBe(0);
      expect((await page()).recordedAfter).toBe(T0 + 2);
    });

    it('the first page begins behind an event that is kept only for its delivery', async () => {
      await seed(opened.direct);
      const { endpoints, events, deliveries, feed } = opened.direct;
      await feed.setRecording([KEY_ID], true);
      await endpoints.save(sampleEndpoint());
      const logged = [1, 2, 3].map((number) => sampleEvent(number, T0 + number));
      await appendStamped(opened.direct, logged);
      await settle(T0 + 3);
      await deliveries.save(
        logged.slice(0, 1).map((event) => sampleDelivery(event, { state: 'dead', dueAt: null })),
      );
      expect(await events.sweep(T0 + 3, 9)).toBe(1);
      const left = await page();
      expect([left.recordedAfter, numbersOf(left)]).toEqual([T0 + 2, [3]]);
    });

    it('keeps an event that was delivered late, and those after it', async () => {
      const [, second] = await record(0);
      expect(second).toBeUndefined();
      const { endpoints, events, evidence } = opened.direct;
      await endpoints.save(sampleEndpoint());
      await appendStamped(
        opened.direct,
        [1, 2, 3].map((number) => sampleEvent(number, T0 + number)),
      );
      await settle(T0 + 3);
      const success = { status: 200, latencyMs: 1, attempts: 1, cycle: 1 } as const;
      const late = T0 + 50;
      await evidence.append([
        {
          keyId: KEY_ID,
          kind: 'first_attempts',
          successes: [
            { ...success, eventAt: T0 + 1, deliveredAt: T0 + 2 },
            { ...success, eventAt: T0 + 2, deliveredAt: late },
            { ...success, eventAt: T0 + 3, deliveredAt: T0 + 4 },
          ],
        },
      ]);
      expect(await events.sweep(T0 + 20, 9)).toBe(1);
      expect(numbersOf(await page())).toEqual([2, 3]);
      expect(await events.sweep(late, 9)).toBe(0);
      expect(await events.sweep(late + 1, 9)).toBe(2);
      expect(await page()).toMatchObject({ rows: [], recordedAfter: T0 + 3 });
    });

    it('sweeps the logs of other keys although one has an event that was delivered late', async () => {
      await record(0);
      const { endpoints, events, evidence, feed } = opened.direct;
      await feed.setRecording([OTHER_KEY_ID], true);
      await endpoints.save(sampleEndpoint());
      await appendStamped(opened.direct, [sampleEvent(1, T0 + 1), sampleEvent(2, T0 + 1, OTHER_KEY_ID)]);
      await settle(T0 + 1);
      const success = {
        eventAt: T0 + 1,
        deliveredAt: T0 + 50,
        status: 200,
        latencyMs: 1,
        attempts: 1,
        cycle: 1,
      };
      await evidence.append([{ keyId: KEY_ID, kind: 'first_attempts', successes: [success] }]);
      const removed = [await events.sweep(T0 + 20, 1), await events.sweep(T0 + 20, 1)];
      expect(removed.sort()).toEqual([0, 1]);
      expect((await page({ keyId: OTHER_KEY_ID })).rows).toEqual([]);
      expect((await page()).rows).toHaveLength(1);
    });

    /** Lets a worker record that everything up to a stamp is delivered. */
    async function settle(watermark: Instant, keyId: KeyId = KEY_ID): Promise<void> {
      const { endpoints } = opened.direct;
      await endpoints.lease({ token: 't', forMs: LONG_LEASE_MS }, T0, 1);
      await endpoints.settle([sampleSettlement({ keyId, token: 't', watermark })]);
    }
  });
}
