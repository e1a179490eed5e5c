import type { Instant, Repositories } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { sampleKey, samplePartner, sampleSecret } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

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
