import type { Instant } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { claim, entry, idsOf, keyOf, NEVER, postponed, prepare } from './inbox-samples.js';
import { KEY_ID, LONG_LEASE_MS, OTHER_KEY_ID, SHORT_LEASE_MS, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

export function describeInboxEntries<HostTx>(open: OpenStorage<HostTx>): void {
  describe('inbox', () => {
    const opened = useStorage(open);

    it('leases entries to a consumer until it acknowledges them or the lease ends', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10), entry(2, 20), entry(3, 30)]);
      const lease = (forMs: number) => direct.inbox.lease({ keyIds: [KEY_ID], now: T0, limit: 2, forMs });
      expect(idsOf(await lease(LONG_LEASE_MS))).toEqual([1, 2]);
      expect(await claim(opened)).toEqual([]);
      expect(await direct.inbox.acknowledge([entry(1, 10)], T0)).toBe(1);
      expect(await lease(LONG_LEASE_MS)).toEqual([]);
      expect(await direct.inbox.acknowledge([entry(2, 20), entry(1, 10)], T0)).toBe(1);
      expect(idsOf(await lease(SHORT_LEASE_MS))).toEqual([3]);
      await opened.pass(SHORT_LEASE_MS);
      expect(idsOf(await lease(SHORT_LEASE_MS))).toEqual([3]);
    });

    it('knows of each entry whether it waits, was refused, or when the host received it', async () => {
      const { direct } = opened;
      await prepare(direct, [
        entry(1, 10),
        entry(2, 20),
        entry(3, 30),
        entry(4, 40),
        entry(5, 50),
        entry(1, 60, KEY_ID, 'resume.fetched'),
        entry(6, 20, OTHER_KEY_ID),
      ]);
      const find = (number: number, from: Instant, keyId = KEY_ID) =>
        direct.inbox.findEntry({ keyId, applicationId: keyOf(number, from).applicationId, from });
      const waiting = { receivedAt: null, failures: 0, retryAt: null, parkedAt: null, lastError: null };
      expect(await find(1, 10)).toEqual({ at: 10, kind: 'application.submitted', ...waiting });
      expect(await find(1, 55)).toEqual({ at: 60, kind: 'resume.fetched', ...waiting });
      expect(await find(9, 10)).toBeNull();
      expect(await find(1, 61)).toBeNull();
      const [first, second, third, ...others] = await claim(opened, { keyIds: [KEY_ID] });
      const refused = postponed(second, T0 + 60_000, { failures: 1, lastError: 'Error: no' });
      const parked = postponed(third, NEVER, { failures: 10, parkedAt: T0, lastError: 'Error: never' });
      await direct.inbox.postpone([refused, parked]);
      await direct.inbox.finish([...(first === undefined ? [] : [first]), ...others], T0 + 1);
      const { inbox } = direct;
      expect(await find(2, 20)).toMatchObject({ failures: 1, retryAt: T0 + 60_000, lastError: 'Error: no' });
      expect(await find(3, 30)).toMatchObject({ failures: 10, retryAt: null, parkedAt: T0 });
      for (const [number, at] of [
        [1, 10],
        [4, 40],
        [5, 50],
        [1, 60],
      ] as const) {
        expect(await find(number, at)).toMatchObject({ at, receivedAt: T0 + 1, failures: 0, retryAt: null });
      }
      const late = await claim(opened, { keyIds: [KEY_ID], now: T0 + 60_000 });
      await inbox.finish(late, T0 + 2);
      expect(await find(2, 20)).toMatchObject({ at: 20, receivedAt: T0 + 2 });
      expect(await inbox.acknowledge([entry(3, 30), entry(7, 20)], T0 + 3)).toBe(1);
      expect(await find(3, 30)).toMatchObject({ at: 30, receivedAt: T0 + 3 });
      expect(await inbox.acknowledge([entry(6, 20, OTHER_KEY_ID)], T0 + 3)).toBe(1);
      expect(await find(6, 20, OTHER_KEY_ID)).toMatchObject({ receivedAt: T0 + 3 });

      expect(await inbox.sweepReceipts(T0 + 1, 9)).toBe(0);
      expect(await inbox.sweepReceipts(T0 + 3, 1)).toBe(1);
      expect(await find(1, 10)).toBeNull();
      expect(await find(2, 20)).toMatchObject({ receivedAt: T0 + 2 });
      expect(await inbox.sweepReceipts(T0 + 9, 9)).toBe(3);
      expect(await find(3, 30)).toBeNull();
    });

    it('keeps what was changed, and which changes the host has chosen', async () => {
      const { direct } = opened;
      const change = {
        from: { status: 'received', stage: 'initial_outreach' },
        to: { status: 'in_progress', stage: 'video_interview' },
        by: 'staff-7',
        door: 'console',
      } as const;
      await prepare(direct, [entry(1, 10), { ...entry(1, 20, KEY_ID, 'application.changed'), change }]);
      expect(await claim(opened)).toMatchObject([
        { at: 10, change: null },
        { at: 20, change },
      ]);
      const { inbox } = direct;
      expect([await inbox.changes(), await inbox.choose('staff')]).toEqual(['staff', false]);
      expect([await inbox.choose('none'), await inbox.changes()]).toEqual([true, 'none']);
      await inbox.turn(false);
      await inbox.turn(true);
      expect(await inbox.changes()).toBe('none');
      await inbox.turn(false);
      await inbox.add([{ ...entry(2, 30, KEY_ID, 'application.changed'), change }]);
      expect(await inbox.counts()).toMatchObject({ unread: 2 });
    });

    it('lists parked entries page by page, and makes them due', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10), entry(2, 20), entry(3, 30)]);
      const all = await claim(opened);
      await direct.inbox.postpone(
        all.map((each) => postponed(each, NEVER, { parkedAt: T0, lastError: 'Error: no' })),
      );
      expect(await direct.inbox.findKeys(NEVER - 1)).toEqual([]);
      const page = await direct.inbox.listRefused(true, 2, null);
      expect(page).toMatchObject([{ at: 10, parkedAt: T0, lastError: 'Error: no' }, { at: 20 }]);
      const rest = await direct.inbox.listRefused(true, 2, page[1] ?? null);
      expect(rest).toMatchObject([{ at: 30 }]);
      expect(await direct.inbox.counts()).toMatchObject({ unread: 0, parked: 3 });
      expect(await direct.inbox.retryParked([keyOf(2, 20), keyOf(9, 9)], T0)).toBe(1);
      expect(idsOf(await claim(opened))).toEqual([2]);
      expect(await direct.inbox.retryParked({ limit: 1 }, T0)).toBe(1);
      expect(await direct.inbox.counts()).toMatchObject({ unread: 2, parked: 1 });
    });

    it('lists refused entries, with those of an outage, which stay in their place', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10), entry(2, 20), entry(3, 30)]);
      const all = await claim(opened);
      const [first, second] = all;
      if (first === undefined || second === undefined) throw new Error('There are too few entries.');
      await direct.inbox.noteRefused([{ ...first, failures: 1, firstFailureAt: T0, lastError: 'Error: no' }]);
      const noted = await direct.inbox.listRefused(false, 9, null);
      expect(noted).toMatchObject([
        { at: 10, failures: 1, firstFailureAt: T0, lastError: 'Error: no', retryAt: null, parkedAt: null },
      ]);
      expect(await claim(opened)).toMatchObject([
        { at: 10, isRetry: false, failures: 1, firstFailureAt: T0 },
        { at: 20, failures: 0 },
        { at: 30, failures: 0 },
      ]);
      await direct.inbox.postpone([postponed(second, T0, { failures: 3 })]);
      expect(await direct.inbox.listRefused(false, 1, null)).toEqual(noted);
      expect(await direct.inbox.listRefused(false, 9, noted[0] ?? null)).toMatchObject([
        { at: 20, failures: 3, retryAt: T0 },
      ]);
      expect(await direct.inbox.listRefused(true, 9, null)).toEqual([]);
    });

    it('ends the lease of a key whose leased entries were dropped', async () => {
      const { direct } = opened;
      await prepare(direct, [
        entry(1, 10),
        entry(2, 20),
        entry(1, 30, KEY_ID, 'resume.fetched'),
        entry(3, 40),
      ]);
      const lease = () => direct.inbox.lease({ keyIds: [KEY_ID], now: T0, limit: 3, forMs: LONG_LEASE_MS });
      expect(idsOf(await lease())).toEqual([1, 2, 1]);
      const questions = [10, 25].map((from) => ({ ...keyOf(1, from), keyId: KEY_ID, from }));
      expect(await direct.inbox.drop(questions)).toHaveLength(2);
      expect(await direct.inbox.drop(questions)).toEqual([]);
      await direct.inbox.acknowledge([{ ...keyOf(1, 10), keyId: KEY_ID }], T0);
      expect(await lease()).toEqual([]);
      await direct.inbox.acknowledge([{ ...keyOf(2, 20), keyId: KEY_ID }], T0);
      expect(idsOf(await lease())).toEqual([3]);
    });
  });
}
