import { StorageUnavailable } from '@partner-hiring/core';
import type { Instant, Repositories } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  KEY_ID,
  sampleApplication,
  sampleCompany,
  sampleEvent,
  sampleKey,
  samplePartner,
  sampleSecret,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

export function describeTransactions<HostTx>(open: OpenStorage<HostTx>): void {
  describe('transactions', () => {
    const opened = useStorage(open);

    it('shows writes only to itself before the commit', async () => {
      await opened.storage.transaction(async (tx) => {
        await tx.partners.add(samplePartner());
        expect(await tx.partners.list()).toHaveLength(1);
        expect(await opened.direct.partners.list()).toHaveLength(0);
      });
      expect(await opened.direct.partners.list()).toHaveLength(1);
    });

    it('rolls back when the work rejects, with the same error', async () => {
      await seed(opened.direct);
      const failure = new Error('no');
      const work = async (tx: Repositories) => {
        await tx.companies.addMissing([sampleCompany('co_new')]);
        await tx.feed.take([{ keyId: KEY_ID, count: 5 }], T0 + 100);
        await tx.events.append([sampleEvent(1, T0 + 100)]);
        await tx.rateWindows.charge([{ bucketId: 'a', cost: 1 }]);
        throw failure;
      };
      await expect(opened.storage.transaction(work)).rejects.toBe(failure);
      expect(await opened.direct.companies.find('co_new')).toBeNull();
      expect(await opened.direct.events.readLogs([{ keyId: KEY_ID, after: T0, limit: 1 }])).toEqual([[]]);
      expect(await opened.direct.feed.take([{ keyId: KEY_ID, count: 1 }], T0)).toMatchObject([
        { first: T0 + 1 },
      ]);
      expect(await opened.direct.rateWindows.read(['a'])).toMatchObject([{ count: 0 }]);
    });

    it('runs many at once', async () => {
      await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          opened.storage.transaction((tx) => tx.partners.add(samplePartner(`ptn_${index}`))),
        ),
      );
      expect(await opened.direct.partners.list()).toHaveLength(30);
    });

    it.each([
      ['committed', async () => {}],
      ['given up', () => Promise.reject(new Error('no'))],
    ] as const)('refuses a call that was not awaited before it was %s', async (_, end) => {
      let leaked: Repositories | undefined;
      const ended = opened.storage.transaction(async (tx) => {
        leaked = tx;
        await end();
      });
      await ended.catch(() => {});
      await expect(leaked?.partners.add(samplePartner())).rejects.toThrow();
      expect(await opened.direct.partners.list()).toEqual([]);
    });

    it('commits or rolls back with the host’s transaction', async () => {
      await seed(opened.direct);
      for (const end of ['rollback', 'commit'] as const) {
        await opened.inHostTransaction(end, async (hostTx) => {
          const tx = opened.storage.within(hostTx);
          expect(await tx.companies.addMissing([sampleCompany('co_new')])).toEqual(['co_new']);
          expect(await tx.feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 9)).toMatchObject([
            { first: T0 + 9 },
          ]);
          await tx.events.append([sampleEvent(1, T0 + 9)]);
          expect(await tx.companies.find('co_new')).not.toBeNull();
          expect(await opened.direct.companies.find('co_new')).toBeNull();
        });
        const isKept = end === 'commit';
        expect((await opened.direct.companies.find('co_new')) !== null).toBe(isKept);
        const [log] = await opened.direct.events.readLogs([{ keyId: KEY_ID, after: T0, limit: 9 }]);
        expect(log).toHaveLength(isKept ? 1 : 0);
      }
    });

    it('rejects every call after close with StorageUnavailable', async () => {
      await opened.storage.close();
      await expect(opened.direct.partners.list()).rejects.toBeInstanceOf(StorageUnavailable);
      await expect(opened.direct.partners.add(samplePartner())).rejects.toBeInstanceOf(StorageUnavailable);
      await expect(opened.storage.transaction(async () => 1)).rejects.toBeInstanceOf(StorageUnavailable);
      // This failure must not look like a conflict, because the caller looks conflicts up again.
      const { submissions } = opened.direct;
      const submission = sampleSubmission(sampleApplication(1, T0));
      await expect(submissions.add([submission])).rejects.toBeInstanceOf(StorageUnavailable);
      await expect(submissions.chargeAndAdd([], [submission])).rejects.toBeInstanceOf(StorageUnavailable);
      await opened.storage.close();
    });
  });
}

export function describeTime<HostTx>(open: OpenStorage<HostTx>): void {
  describe('the storage’s time', () => {
    const opened = useStorage(open);

    /** Expects `ask` to return a time between the storage's times directly before and after the call. */
    async function expectSameTime(ask: () => Promise<Instant>): Promise<void> {
      const before = await opened.direct.time.now();
      const at = await ask();
      expect(Number.isSafeInteger(at), `${at} is a whole number of milliseconds`).toBe(true);
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(await opened.direct.time.now());
    }

    it('is the same for all storages on the database, in and outside transactions', async () => {
      const other = await opened.another();
      await expectSameTime(() => other.direct.time.now());
      await expectSameTime(() => other.transaction((tx) => tx.time.now()));
      await expectSameTime(() =>
        opened.inHostTransaction('commit', (hostTx) => opened.storage.within(hostTx).time.now()),
      );
    });

    it('advances within a transaction', async () => {
      const before = await opened.direct.time.now();
      const passed = await opened.storage.transaction(async (tx) => {
        const begun = await tx.time.now();
        await opened.pass(PASSED_MS);
        return (await tx.time.now()) - begun;
      });
      // The pause uses the timers of this process. By the database's clock, they may fire a little early.
      expect(passed).toBeGreaterThan(PASSED_MS / 2);
      expect((await opened.direct.time.now()) - before).toBeGreaterThanOrEqual(passed);
    });

    it('dates rate windows', async () => {
      await expectSameTime(async () => (await opened.direct.rateWindows.read(['none']))[0]?.countedAt ?? -1);
    });

    it('is returned with each secret', async () => {
      const { partners, keys } = opened.direct;
      await partners.add(samplePartner());
      await keys.add(sampleKey());
      for (const hash of HASHES) await keys.addSecret(sampleSecret(hash));
      const other = await opened.another();
      await expectSameTime(() => readAt(other.direct));
      await expectSameTime(() => other.transaction(readAt));
    });
  });
}

/** A pause that is long enough to tell a running clock from a stopped one. */
const PASSED_MS = 60;

const HASHES = ['hash-1', 'hash-2'];

async function readAt({ keys }: Repositories): Promise<Instant> {
  const [first, second] = (await keys.findByHashes(HASHES)).map((found) => found?.readAt);
  expect(second).toBe(first);
  return first ?? -1;
}
