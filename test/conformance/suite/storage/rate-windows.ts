import { WINDOW_MS } from '@partner-hiring/core/ports';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshWindow, TEST_TIMEOUT_MS } from '../fresh-window.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';
import { sweepDuring } from './sweep-during.js';

export function describeRateWindows<HostTx>(open: OpenStorage<HostTx>): void {
  describe('rate windows', () => {
    const opened = useStorage(open);
    beforeEach(() => freshWindow(opened.storage), TEST_TIMEOUT_MS);

    it('counts each bucket separately, on the storage’s clock', async () => {
      const { rateWindows } = opened.direct;
      const [first] = await rateWindows.charge([{ bucketId: 'a', cost: 2 }]);
      const counts = await rateWindows.charge([
        { bucketId: 'b', cost: 1 },
        { bucketId: 'a', cost: 3 },
      ]);
      expect(first?.count).toBe(2);
      for (const count of counts) {
        expect(count.windowStart).toBe(count.countedAt - (count.countedAt % WINDOW_MS));
      }
      expect(counts.map(({ count }) => count)).toEqual([1, 5]);
      expect(await rateWindows.charge([])).toEqual([]);
    });

    it('reads without counting, including unused buckets', async () => {
      const { rateWindows } = opened.direct;
      await rateWindows.charge([{ bucketId: 'a', cost: 2 }]);
      for (const _ of [1, 2]) {
        const counts = await rateWindows.read(['none', 'a']);
        expect(counts.map(({ count }) => count)).toEqual([0, 2]);
        expect(counts[0]?.windowStart).toBe(counts[1]?.windowStart);
      }
    });

    it('counts exactly under concurrency', async () => {
      const { rateWindows } = opened.direct;
      const counts = await Promise.all(
        Array.from({ length: 100 }, () => rateWindows.charge([{ bucketId: 'a', cost: 1 }])),
      );
      const reached = counts.map(([window]) => window?.count ?? 0).sort((a, b) => a - b);
      expect(reached).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    });

    it('sweeps only windows that have ended', async () => {
      const { rateWindows } = opened.direct;
      const [window] = await rateWindows.charge([{ bucketId: 'a', cost: 1 }]);
      await rateWindows.charge([{ bucketId: 'b', cost: 1 }]);
      const start = window?.windowStart ?? 0;
      expect(await rateWindows.sweep(start + WINDOW_MS - 1, 10)).toBe(0);
      expect(await rateWindows.sweep(start + 2 * WINDOW_MS, 1)).toBe(1);
      expect(await rateWindows.sweep(start + 2 * WINDOW_MS, 10)).toBe(1);
    });

    it('starts at zero in the next window, which the sweep keeps', {
      timeout: 2 * TEST_TIMEOUT_MS,
    }, async () => {
      const { rateWindows } = opened.direct;
      const [last] = await rateWindows.charge([{ bucketId: 'a', cost: 5 }]);
      await rateWindows.charge([{ bucketId: 'b', cost: 1 }]);
      if (last === undefined) throw new Error('A bucket was charged.');
      await opened.pass(last.windowStart + WINDOW_MS - last.countedAt + WELL_WITHIN_MS);
      const [next] = await rateWindows.read(['a']);
      expect(next).toMatchObject({ count: 0, windowStart: last.windowStart + WINDOW_MS });
      const swept = await sweepDuring(
        opened,
        (tx) => tx.rateWindows.charge([{ bucketId: 'a', cost: 2 }]),
        (direct) => direct.rateWindows.sweep(last.windowStart + WINDOW_MS, 10),
      );
      expect(swept).toBeGreaterThan(0);
      const counts = await rateWindows.charge([
        { bucketId: 'a', cost: 1 },
        { bucketId: 'b', cost: 4 },
      ]);
      expect(counts.map(({ count }) => count)).toEqual([3, 4]);
      for (const { windowStart: start } of counts) expect(start).toBe(last.windowStart + WINDOW_MS);
    });
  });
}

/** How far a test goes into a rate window, to be safely after its start. */
const WELL_WITHIN_MS = 50;
