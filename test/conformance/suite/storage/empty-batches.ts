import { describe, expect, it } from 'vitest';
import type { BatchCalls } from './batches.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

/** The results of an empty batch. */
const NOTHING = [undefined, 0, 'added', [], new Set()];

/** Call it last: it repeats the calls with batches that the other tests have made. */
export function describeEmptyBatches<HostTx>(open: OpenStorage<HostTx>, calls: BatchCalls): void {
  describe('empty batches', () => {
    const opened = useStorage(open);

    it('every method that another test gives a batch takes an empty one, and returns nothing', async () => {
      expect(calls.size, 'Run the whole suite: this test repeats calls of the others.').toBeGreaterThan(0);
      for (const [method, repeat] of calls) {
        expect(NOTHING, method).toContainEqual(await repeat(opened.direct));
        expect(NOTHING, method).toContainEqual(await opened.storage.transaction((tx) => repeat(tx)));
      }
    });
  });
}
