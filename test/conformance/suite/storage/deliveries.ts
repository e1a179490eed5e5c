import type { StoredDelivery } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { KEY_ID, OTHER_KEY_ID, sampleDelivery, sampleEvent, seed, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

export function describeDeliveries<HostTx>(open: OpenStorage<HostTx>): void {
  describe('deliveries', () => {
    const opened = useStorage(open);

    async function addEvents(): Promise<
      (number: number, changes?: Partial<StoredDelivery>) => StoredDelivery
    > {
      await seed(opened.direct);
      const events = [1, 2, 3, 4, 5].map((number) => sampleEvent(number, T0 + number));
      await opened.direct.events.append([...events, sampleEvent(9, T0 + 9, OTHER_KEY_ID)]);
      return (number, changes = {}) => {
        const event = number === 9 ? sampleEvent(9, T0 + 9, OTHER_KEY_ID) : events[number - 1];
        if (event === undefined) throw new Error('No such event.');
        return sampleDelivery(event, changes);
      };
    }

    it('inserts and replaces a row for each event', async () => {
      const delivery = await addEvents();
      const { deliveries } = opened.direct;
      const fresh = delivery(1, { attempts: 0, lastAttemptAt: null, lastOutcome: null });
      await deliveries.save([fresh, delivery(2)]);
      expect(await deliveries.find(KEY_ID, [fresh.eventId, 'evt_none'])).toEqual([fresh, null]);
      const theirs = delivery(9);
      await deliveries.save([theirs]);
      const pairs = [theirs, { keyId: OTHER_KEY_ID, eventId: fresh.eventId }, fresh];
      expect(await deliveries.findEach(pairs)).toEqual([theirs, null, fresh]);
      const failed = delivery(1, {
        attempts: 3,
        cycle: 2,
        dueAt: T0 + 7,
        lastOutcome: { kind: 'failed', failure: 'timed_out', message: 'after "30" s' },
        lastLatencyMs: 30_000,
      });
      await deliveries.save([failed]);
      expect(await deliveries.find(KEY_ID, [failed.eventId, theirs.eventId])).toEqual([failed, null]);
    });

    it('lists due deliveries with their events, longest due first', async () => {
      const delivery = await addEvents();
      const { deliveries } = opened.direct;
      await deliveries.save([
        delivery(1, { dueAt: T0 + 300 }),
        delivery(2, { dueAt: T0 + 100 }),
        delivery(3, { dueAt: T0 + 301 }),
        delivery(4, { state: 'delivered', dueAt: null }),
        delivery(9, { dueAt: T0 }),
      ]);
      await deliveries.save([delivery(5, { dueAt: T0 + 100 })]);
      const [due] = await deliveries.listDue([{ keyId: KEY_ID, limit: 10 }], T0 + 300);
      expect(due).toEqual([
        { delivery: delivery(2, { dueAt: T0 + 100 }), event: sampleEvent(2, T0 + 2) },
        // Both deliveries are due at the same time, so they have the order of the event log.
        { delivery: delivery(5, { dueAt: T0 + 100 }), event: sampleEvent(5, T0 + 5) },
        { delivery: delivery(1, { dueAt: T0 + 300 }), event: sampleEvent(1, T0 + 1) },
      ]);
      expect(
        (
          await deliveries.listDue(
            [
              { keyId: KEY_ID, limit: 1 },
              { keyId: 'key_none', limit: 9 },
              { keyId: OTHER_KEY_ID, limit: 9 },
            ],
            T0 + 300,
          )
        ).map((rows) => rows.map(({ event }) => event.at - T0)),
      ).toEqual([[2], [], [9]]);
    });

    it('lists deliveries by state, newest event first, of one key or all', async () => {
      const delivery = await addEvents();
      const { deliveries } = opened.direct;
      const dead = { state: 'dead', dueAt: null } as const;
      await deliveries.save([delivery(3, dead), delivery(1, dead), delivery(2), delivery(9, dead)]);
      const listed = async (keyId: typeof KEY_ID | null, limit = 10) =>
        (await deliveries.list({ keyId, state: 'dead', limit })).map(({ eventAt }) => eventAt - T0);
      expect(await listed(KEY_ID)).toEqual([3, 1]);
      expect(await listed(null)).toEqual([9, 3, 1]);
      expect(await listed(null, 2)).toEqual([9, 3]);
    });

    it('pages through deliveries of one instant by id', async () => {
      const delivery = await addEvents();
      const { events, deliveries } = opened.direct;
      const theirs = [7, 8].map((number) => sampleEvent(number, T0 + number - 3, OTHER_KEY_ID));
      await events.append(theirs);
      const dead = { state: 'dead', dueAt: null } as const;
      const rows = [delivery(4), delivery(5), ...theirs.map((event) => sampleDelivery(event))];
      await deliveries.save(rows.map((row) => ({ ...row, ...dead })));
      for (const limit of [1, 2, 3, 4]) {
        const walked: string[] = [];
        let after: StoredDelivery | undefined;
        for (let isLast = false; !isLast; ) {
          const page: readonly StoredDelivery[] = await deliveries.list({
            keyId: null,
            state: 'dead',
            limit,
            ...(after === undefined ? {} : { after }),
          });
          walked.push(...page.map(({ eventId }) => eventId));
          after = page.at(-1) ?? after;
          isLast = page.length < limit;
        }
        expect(walked).toEqual(['evt_000008', 'evt_000005', 'evt_000007', 'evt_000004']);
      }
    });

    it('pages through deliveries of one state from an instant', async () => {
      const delivery = await addEvents();
      const { deliveries } = opened.direct;
      const dead = { state: 'dead', dueAt: null } as const;
      await deliveries.save([delivery(1, dead), delivery(2), delivery(3, dead), delivery(5, dead)]);
      await deliveries.save([delivery(9, dead)]);
      const placesOf = (rows: readonly StoredDelivery[]) => rows.map(({ eventAt }) => eventAt - T0);
      for (const keyId of [KEY_ID, null]) {
        const filter = { keyId, state: 'dead', limit: 2 } as const;
        const first = await deliveries.list({ ...filter, after: { eventAt: T0 + 9, eventId: 'evt_000009' } });
        expect(placesOf(first)).toEqual([5, 3]);
        const after = first[1];
        if (after === undefined) throw new Error('Two rows are on the first page.');
        expect(placesOf(await deliveries.list({ ...filter, after }))).toEqual([1]);
        expect(placesOf(await deliveries.list({ ...filter, after, from: T0 + 2 }))).toEqual([]);
        expect(placesOf(await deliveries.list({ ...filter, after, from: T0 + 1 }))).toEqual([1]);
        // Events of the same instant are ordered by id.
        expect(placesOf(await deliveries.list({ ...filter, after: { ...after, eventId: 'evt_' } }))).toEqual([
          1,
        ]);
        expect(placesOf(await deliveries.list({ ...filter, after: { ...after, eventId: 'evt_9' } }))).toEqual(
          [3, 1],
        );
      }
    });

    it('keeps the last ten attempts of a delivery that failed at first', async () => {
      const delivery = await addEvents();
      const { deliveries } = opened.direct;
      const attempted = (cycle: number, attempts: number) =>
        delivery(1, {
          cycle,
          attempts,
          lastAttemptAt: T0 + cycle * 100 + attempts,
          lastLatencyMs: cycle * 10 + attempts,
          lastOutcome: outcomeOf(cycle),
        });
      const outcomeOf = (cycle: number) => ({ kind: 'answered', status: 500 + cycle, excerpt: '' }) as const;
      for (const cycle of [1, 2]) {
        for (let attempts = 0; attempts <= (cycle === 1 ? 10 : 3); attempts += 1) {
          await deliveries.save([attempted(cycle, attempts)]);
        }
      }
      const { eventId } = delivery(1);
      const kept = await deliveries.findAttempts(KEY_ID, eventId);
      expect(kept.map(({ cycle, number }) => [cycle, number])).toEqual([
        ...[4, 5, 6, 7, 8, 9, 10].map((number) => [1, number]),
        ...[1, 2, 3].map((number) => [2, number]),
      ]);
      expect(kept.at(-1)).toEqual({
        keyId: KEY_ID,
        eventId,
        number: 3,
        cycle: 2,
        outcome: outcomeOf(2),
        endedAt: T0 + 203,
        latencyMs: 23,
      });
      // A worker saves an attempt twice if it does not know whether its first commit succeeded.
      await deliveries.save([attempted(2, 3)]);
      expect(await deliveries.findAttempts(KEY_ID, eventId)).toEqual(kept);
      expect(await deliveries.findAttempts(OTHER_KEY_ID, eventId)).toEqual([]);
    });

    it('keeps no attempt of an immediate success, and deletes attempts with their delivery', async () => {
      const delivery = await addEvents();
      const { deliveries } = opened.direct;
      const delivered = { state: 'delivered', dueAt: null, lastAttemptAt: T0 } as const;
      const lastOutcome = { kind: 'answered', status: 200, excerpt: '' } as const;
      await deliveries.save([delivery(1, { ...delivered, lastOutcome }), delivery(2), delivery(3)]);
      await deliveries.save([delivery(2, { ...delivered, attempts: 2, lastOutcome })]);
      expect(await deliveries.findAttempts(KEY_ID, delivery(1).eventId)).toEqual([]);
      expect(await deliveries.findAttempts(KEY_ID, delivery(2).eventId)).toHaveLength(2);
      expect(await deliveries.sweep(T0 + 1, 10)).toBe(2);
      expect(await deliveries.findAttempts(KEY_ID, delivery(2).eventId)).toEqual([]);
      expect(await deliveries.findAttempts(KEY_ID, delivery(3).eventId)).toHaveLength(1);
    });

    it("pages through a key's attempts from an instant, newest first", async () => {
      const delivery = await addEvents();
      const { deliveries } = opened.direct;
      const at = (number: number, attempts: number, endedAt: number) =>
        delivery(number, { attempts, lastAttemptAt: T0 + endedAt });
      await deliveries.save([at(1, 1, 10), at(2, 1, 20), at(3, 1, 20), at(9, 1, 30)]);
      await deliveries.save([at(1, 2, 20)]);
      const filter = { keyId: KEY_ID, limit: 2 } as const;
      const read = async (more: Partial<Parameters<typeof deliveries.listAttempts>[0]>) =>
        deliveries.listAttempts({ ...filter, ...more });
      const first = await read({});
      const placesOf = (attempts: typeof first) =>
        attempts.map(({ eventId, number }) => [Number(eventId.slice(-1)), number]);
      expect(placesOf(first)).toEqual([
        [3, 1],
        [2, 1],
      ]);
      const [, after] = first;
      if (after === undefined) throw new Error('Two attempts are on the first page.');
      expect(placesOf(await read({ after }))).toEqual([
        [1, 2],
        [1, 1],
      ]);
      expect(placesOf(await read({ after, from: T0 + 20 }))).toEqual([[1, 2]]);
    });

    it('sweeps only delivered rows', async () => {
      const delivery = await addEvents();
      const { deliveries } = opened.direct;
      const delivered = { state: 'delivered', dueAt: null } as const;
      await deliveries.save([
        delivery(1, { ...delivered, lastAttemptAt: T0 + 10 }),
        delivery(2, { ...delivered, lastAttemptAt: T0 + 11 }),
        delivery(3, { ...delivered, lastAttemptAt: T0 + 12 }),
        delivery(4, { state: 'dead', dueAt: null, lastAttemptAt: T0 }),
        delivery(5),
      ]);
      expect(await deliveries.sweep(T0 + 12, 1)).toBe(1);
      expect(await deliveries.sweep(T0 + 12, 10)).toBe(1);
      expect(await deliveries.list({ keyId: null, state: 'delivered', limit: 10 })).toHaveLength(1);
      expect(await deliveries.list({ keyId: null, state: 'dead', limit: 10 })).toHaveLength(1);
    });
  });
}
