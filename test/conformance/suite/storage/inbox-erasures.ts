import type { Instant } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { claim, entry, erasure, idsOf, keyOf, NEVER, postponed, prepare } from './inbox-samples.js';
import { KEY_ID, SHORT_LEASE_MS, seed, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

export function describeInboxErasures<HostTx>(open: OpenStorage<HostTx>): void {
  describe('inbox', () => {
    const opened = useStorage(open);

    it('records erasures while it is on, once for each application, and hands them over without a stamp', async () => {
      const { direct } = opened;
      await seed(direct);
      const [first, second] = [erasure(1, T0 + 10), erasure(2, T0 + 20)];
      await direct.inbox.addErasures([first]);
      expect(await direct.inbox.findErasures([first])).toEqual([null]);
      await prepare(direct, [entry(3, 50)]);
      await direct.inbox.addErasures([first, second]);
      await direct.inbox.addErasures([{ ...first, at: T0 + 30 }]);
      const waiting = { receivedAt: null, failures: 0, parkedAt: null, lastError: null } as const;
      expect(await direct.inbox.findErasures([second, first])).toEqual([
        { at: T0 + 20, kind: 'candidate.erased', retryAt: T0 + 20, ...waiting },
        { at: T0 + 10, kind: 'candidate.erased', retryAt: T0 + 10, ...waiting },
      ]);
      expect(await direct.inbox.counts()).toMatchObject({ unread: 3, parked: 0, oldestUnreadAt: 50 });
      expect(idsOf(await claim(opened, { now: T0 + 10 }))).toEqual([3, 1]);
      const claimed = await claim(opened, { now: T0 + 20 });
      expect(claimed.map(({ kind }) => kind)).toEqual([
        'application.submitted',
        'candidate.erased',
        'candidate.erased',
      ]);
      await direct.inbox.finish(claimed.slice(0, 2), T0 + 40);
      expect(await direct.inbox.findErasures([first])).toMatchObject([
        { receivedAt: T0 + 40, retryAt: null },
      ]);
      expect(idsOf(await direct.inbox.claimAgain(claimed, T0 + 40))).toEqual([2]);
      expect(await direct.inbox.findKeys(T0 + 40)).toEqual([KEY_ID]);
      await direct.inbox.add([entry(4, 60)]);
      expect(idsOf(await claim(opened, { now: T0 + 40 }))).toEqual([4, 2]);
      await direct.inbox.addErasures([first]);
      expect(await direct.inbox.counts()).toMatchObject({ unread: 2 });
    });

    it('hides erasures that a consumer has taken, until they are acknowledged or the lease ends', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(3, 50)]);
      await direct.inbox.addErasures([erasure(1, T0), erasure(2, T0)]);
      const lease = (now: Instant) =>
        direct.inbox.lease({ keyIds: [KEY_ID], now, limit: 9, forMs: SHORT_LEASE_MS });
      expect(idsOf(await lease(T0))).toEqual([3, 1, 2]);
      const [first, second] = [erasure(1, T0).applicationId, erasure(2, T0).applicationId];
      const key = (applicationId: typeof first) =>
        ({ applicationId, kind: 'candidate.erased', keyId: KEY_ID }) as const;
      expect(await direct.inbox.acknowledge([key(first), entry(3, 50)], T0 + 1)).toBe(2);
      expect(await direct.inbox.acknowledge([key(first)], T0 + 2)).toBe(0);
      expect(await direct.inbox.findErasures([erasure(1, T0)])).toMatchObject([{ receivedAt: T0 + 1 }]);
      expect(await lease(T0 + 1)).toEqual([]);
      expect(idsOf(await lease(T0 + SHORT_LEASE_MS))).toEqual([2]);
      expect(await direct.inbox.acknowledge([key(second)], T0 + SHORT_LEASE_MS)).toBe(1);
      expect(await direct.inbox.counts()).toMatchObject({ unread: 0, oldestUnreadAt: null });
    });

    it('retries erasures and parks them, in one list with the entries', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(3, 50), entry(4, T0 + 50)]);
      await direct.inbox.addErasures([erasure(1, T0), erasure(2, T0 + 60)]);
      const claimed = await claim(opened, { now: T0 + 60 });
      const [, first] = claimed;
      await direct.inbox.postpone([postponed(first, T0 + 90, { failures: 1, lastError: 'Error: no' })]);
      expect(await direct.inbox.findErasures([erasure(1, T0)])).toMatchObject([
        { failures: 1, retryAt: T0 + 90, lastError: 'Error: no' },
      ]);
      expect(await direct.inbox.findKeys(T0 + 60)).toEqual([KEY_ID]);
      expect(idsOf(await claim(opened, { now: T0 + 60 }))).toEqual([3, 4, 2]);
      const all = await claim(opened, { now: T0 + 90 });
      const park = { parkedAt: T0, failures: 10, lastError: 'Error: never' };
      await direct.inbox.postpone(all.map((each) => postponed(each, NEVER, park)));
      expect(await direct.inbox.counts()).toMatchObject({ unread: 0, parked: 4 });
      const page = await direct.inbox.listRefused(true, 3, null);
      expect(idsOf(page)).toEqual([3, 1, 4]);
      expect(page[1]).toMatchObject({ kind: 'candidate.erased', ...park });
      expect(idsOf(await direct.inbox.listRefused(true, 3, page[1] ?? null))).toEqual([4, 2]);
      expect(await direct.inbox.findErasures([erasure(1, T0)])).toMatchObject([
        { retryAt: null, parkedAt: T0 },
      ]);
      const named = { applicationId: keyOf(1, T0).applicationId, kind: 'candidate.erased' } as const;
      expect(await direct.inbox.retryParked([named, keyOf(2, T0 + 60)], T0 + 99)).toBe(1);
      expect(idsOf(await claim(opened, { now: T0 + 99 }))).toEqual([1]);
      expect(await direct.inbox.retryParked({ limit: 9 }, T0 + 99)).toBe(3);
      expect(idsOf(await claim(opened, { now: T0 + 99 }))).toEqual([3, 1, 4, 2]);
      expect(await direct.inbox.acknowledge([{ ...named, keyId: KEY_ID }], T0 + 100)).toBe(1);
      expect(await direct.inbox.findErasures([erasure(1, T0)])).toMatchObject([
        { receivedAt: T0 + 100, failures: 0, lastError: null, parkedAt: null },
      ]);
    });
  });
}
