import type {
  InboxEntry,
  Instant,
  KeyId,
  PostponedEntry,
  Repositories,
  UnreadEntry,
} from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  SHORT_LEASE_MS,
  sampleApplication,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type Opened, type OpenStorage, useStorage } from './storage-under-test.js';

const NEVER = Number.MAX_SAFE_INTEGER;
const KEYS = [KEY_ID, OTHER_KEY_ID];

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

    it('lists parked entries page by page, and makes them due', async () => {
      const { direct } = opened;
      await prepare(direct, [entry(1, 10), entry(2, 20), entry(3, 30)]);
      const all = await claim(opened);
      await direct.inbox.postpone(
        all.map((each) => postponed(each, NEVER, { parkedAt: T0, lastError: 'Error: no' })),
      );
      expect(await direct.inbox.findKeys(NEVER - 1)).toEqual([]);
      const page = await direct.inbox.listParked(2, null);
      expect(page).toMatchObject([{ at: 10, parkedAt: T0, lastError: 'Error: no' }, { at: 20 }]);
      const rest = await direct.inbox.listParked(2, page[1] ?? null);
      expect(rest).toMatchObject([{ at: 30 }]);
      expect(await direct.inbox.counts()).toMatchObject({ unread: 0, parked: 3 });
      expect(await direct.inbox.retryParked([keyOf(2, 20), keyOf(9, 9)], T0)).toBe(1);
      expect(idsOf(await claim(opened))).toEqual([2]);
      expect(await direct.inbox.retryParked({ limit: 1 }, T0)).toBe(1);
      expect(await direct.inbox.counts()).toMatchObject({ unread: 2, parked: 1 });
    });

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
      const page = await direct.inbox.listParked(3, null);
      expect(idsOf(page)).toEqual([3, 1, 4]);
      expect(page[1]).toMatchObject({ kind: 'candidate.erased', ...park });
      expect(idsOf(await direct.inbox.listParked(3, page[1] ?? null))).toEqual([4, 2]);
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

async function prepare(direct: Repositories, entries: readonly InboxEntry[]): Promise<void> {
  await seed(direct);
  await direct.inbox.turn(true);
  await direct.inbox.add(entries);
  await direct.inbox.addHeads(KEYS);
}

async function claim<HostTx>(
  { direct }: Opened<HostTx>,
  { keyIds = KEYS, now = T0, limit = 99 }: { keyIds?: readonly KeyId[]; now?: Instant; limit?: number } = {},
): Promise<readonly UnreadEntry[]> {
  await direct.inbox.addHeads(keyIds);
  return direct.inbox.claim({ keyIds, now, limit });
}

function entry(
  number: number,
  at: Instant,
  keyId: KeyId = KEY_ID,
  kind: InboxEntry['kind'] = 'application.submitted',
): InboxEntry {
  return { ...keyOf(number, at), keyId, kind };
}

function erasure(number: number, at: Instant) {
  return { ...keyOf(number, at), keyId: KEY_ID };
}

function keyOf(number: number, at: Instant) {
  return { applicationId: sampleApplication(number, at).id, at };
}

function postponed(
  unread: UnreadEntry | undefined,
  retryAt: Instant,
  changes: Partial<PostponedEntry> = {},
): PostponedEntry {
  if (unread === undefined) throw new Error('No entry was claimed.');
  return { ...unread, retryAt, parkedAt: null, lastError: null, ...changes };
}

function idsOf(entries: readonly UnreadEntry[]): readonly number[] {
  return entries.map(({ applicationId }) => Number(applicationId.replace(/^ej_app_0*/, '')));
}
