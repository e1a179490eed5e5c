import type { KeyId } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { claim, entry, idsOf, KEYS, postponed, prepare } from './inbox-samples.js';
import { KEY_ID, OTHER_KEY_ID, sampleApplication, sampleSubmission, seed, T0 } from './samples.js';
import { type Opened, type OpenStorage, useStorage } from './storage-under-test.js';

export function describeInbox<HostTx>(open: OpenStorage<HostTx>): void {
  describe('inbox', () => {
    const opened = useStorage(open);

    it('is off at first, and records submissions only while it is on', async () => {
      const { direct } = opened;
      await seed(direct);
      expect(await direct.inbox.isOn()).toBe(false);
      await submit(opened, 1);
      expect(await direct.inbox.turn(true)).toBe(true);
      expect(await direct.inbox.turn(true)).toBe(false);
      await submit(opened, 2);
      await direct.submissions.add([sampleSubmission(sampleApplication(3, T0 + 3))]);
      expect(await direct.inbox.turn(false)).toBe(true);
      await submit(opened, 4);
      expect(await direct.inbox.findKeys(T0)).toEqual([KEY_ID]);
      expect(idsOf(await claim(opened))).toEqual([2, 3]);
      expect(await direct.inbox.counts()).toEqual({
        unread: 2,
        parked: 0,
        oldestUnreadAt: T0 + 2,
        isExact: true,
      });
    });

    it('claims entries in the order of their stamps within each key, an equal share of each', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(5, 50), entry(1, 40), entry(2, 30), entry(3, 20, OTHER_KEY_ID)]);
      expect((await direct.inbox.findKeys(T0)).toSorted()).toEqual(KEYS.toSorted());
      expect(idsOf(await claim(opened))).toEqual([2, 1, 5, 3]);
      expect(idsOf(await claim(opened, { limit: 2 }))).toEqual([2, 3]);
      expect(idsOf(await claim(opened, { keyIds: [OTHER_KEY_ID] }))).toEqual([3]);
    });

    it('never returns finished entries, or entries before them', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10), entry(2, 20)]);
      const claimed = await claim(opened);
      await direct.inbox.finish(claimed, T0);
      await direct.inbox.add([entry(3, 15), entry(4, 30)]);
      expect(idsOf(await claim(opened))).toEqual([4]);
    });

    it('rolls a claim back with its transaction', async () => {
      const { direct, storage } = opened;
      await prepare(direct, [entry(1, 10)]);
      const failing = storage.transaction(async (tx) => {
        await tx.inbox.finish(await tx.inbox.claim({ keyIds: KEYS, now: T0, limit: 9 }), T0);
        throw new Error('the host failed');
      });
      await expect(failing).rejects.toThrow('the host failed');
      expect(idsOf(await claim(opened))).toEqual([1]);
    });

    it('hands the same entries to one transaction of the host at a time', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10)]);
      const finished = await opened.inHostTransaction('commit', async (hostTx) => {
        const { inbox } = opened.storage.within(hostTx);
        const claimed = await inbox.claim({ keyIds: KEYS, now: T0, limit: 9 });
        await inbox.finish(claimed, T0);
        return claimed;
      });
      expect(idsOf(finished)).toEqual([1]);
      expect(await claim(opened)).toEqual([]);
    });

    it('opens transactions for the host, and commits or rolls back', async () => {
      const { direct, storage } = opened;
      await prepare(direct, [entry(1, 10), entry(2, 20)]);
      const finish = (limit: number) =>
        storage.hostTransactions.run(async (_hostTx, { inbox }) => {
          await inbox.finish(await inbox.claim({ keyIds: KEYS, now: T0, limit }), T0);
          if (limit > 1) throw new Error('the host failed');
        });
      await expect(finish(9)).rejects.toThrow('the host failed');
      expect(idsOf(await claim(opened))).toEqual([1, 2]);
      await finish(1);
      expect(idsOf(await claim(opened))).toEqual([2]);
    });

    it("lets the host open a transaction while the process's own transactions wait or go on", async () => {
      const { direct, storage } = opened;
      await prepare(direct, [entry(1, 10)]);
      const add = (number: number) => storage.transaction((tx) => tx.inbox.add([entry(number, number * 10)]));
      const before = add(2);
      const ofHost = storage.hostTransactions.runAlone(() =>
        opened.inHostTransaction('commit', async (hostTx) => {
          const { inbox } = storage.within(hostTx);
          await inbox.finish(await inbox.claim({ keyIds: KEYS, now: T0, limit: 1 }), T0);
        }),
      );
      await Promise.all([before, ofHost, add(3)]);
      expect(idsOf(await claim(opened))).toEqual([2, 3]);
    });

    it('returns a postponed entry when its retry is due, and entries behind it as such', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10), entry(2, 20), entry(1, 30, KEY_ID, 'resume.failed')]);
      const [first] = await claim(opened);
      await direct.inbox.postpone([postponed(first, T0 + 1_000, { failures: 3, firstFailureAt: T0 })]);
      expect(await claim(opened)).toMatchObject([
        { at: 20, isRetry: false, isBehind: false },
        { at: 30, isRetry: false, isBehind: true },
      ]);
      expect(await direct.inbox.findKeys(T0)).toEqual([KEY_ID]);
      expect(await claim(opened, { now: T0 + 1_000 })).toMatchObject([
        { at: 10, isRetry: true, isBehind: false, failures: 3, firstFailureAt: T0 },
        { at: 20 },
        { at: 30 },
      ]);
    });

    it('wakes entries behind a retry when it is finished', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10), entry(1, 30, KEY_ID, 'resume.fetched')]);
      const both = await claim(opened);
      await direct.inbox.postpone(both.map((each) => postponed(each, each.at === 10 ? T0 : T0 + 60_000)));
      const [first] = await claim(opened);
      await direct.inbox.finish(first === undefined ? [] : [first], T0);
      expect(await direct.inbox.findKeys(T0)).toEqual([KEY_ID]);
      expect(await claim(opened)).toMatchObject([{ at: 30, isRetry: true, isBehind: false }]);
    });

    it('claims entries again while they exist', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10), entry(2, 20)]);
      const claimed = await claim(opened);
      await direct.inbox.finish(claimed.slice(0, 1), T0);
      expect(idsOf(await direct.inbox.claimAgain(claimed, T0))).toEqual([2]);
    });

    it('walks on over more keys than one call returns', async () => {
      const { direct } = opened;
      const keyIds = Array.from(
        { length: 150 },
        (_, index): KeyId => `key_many_${String(index).padStart(3, '0')}`,
      );
      await seed(direct);
      for (const [index, id] of keyIds.entries()) {
        await direct.partners.add({ id: `ptn_many_${index}`, name: 'Many', createdAt: T0 });
        await direct.keys.add({
          id,
          partnerId: `ptn_many_${index}`,
          environment: 'production',
          createdAt: T0,
        });
      }
      await direct.inbox.turn(true);
      await direct.inbox.add(keyIds.map((keyId, index) => entry(index, index + 1, keyId)));
      const found = new Set([...(await direct.inbox.findKeys(T0)), ...(await direct.inbox.findKeys(T0))]);
      expect([...found].toSorted()).toEqual(keyIds);
    });
  });
}

async function submit<HostTx>({ storage }: Opened<HostTx>, number: number): Promise<void> {
  const added = await storage.transaction((tx) =>
    tx.submissions.chargeAndAdd([], [sampleSubmission(sampleApplication(number, T0 + number))]),
  );
  expect(added).toEqual([]);
}
