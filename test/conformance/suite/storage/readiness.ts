import { describe, expect, it } from 'vitest';
import type { ReadinessMark } from '../../../../packages/core/src/features/readiness/rules.js';
import { KEY_ID, OTHER_KEY_ID, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

function mark(number: number, changes: Partial<ReadinessMark> = {}): ReadinessMark {
  const at = T0 + number;
  return {
    keyId: KEY_ID,
    name: 'jobs_cursor',
    firstAt: at,
    firstId: `r${number}`,
    lastAt: at,
    lastId: `r${number}`,
    fault: null,
    ...changes,
  };
}

export function describeReadiness<HostTx>(open: OpenStorage<HostTx>): void {
  describe('what keys prove for their go-live', () => {
    const opened = useStorage(open);

    it('is listed for each key, by name', async () => {
      const { readiness } = opened.storage.direct;
      const other = mark(1, { keyId: OTHER_KEY_ID });
      const probe = mark(2, { name: 'failed_refused_old', fault: 'accepts_stale' });
      await readiness.add([probe, mark(3), other]);
      expect(await readiness.list(KEY_ID)).toEqual([probe, mark(3)]);
      expect(await readiness.list(OTHER_KEY_ID)).toEqual([other]);
      expect(await readiness.list('key_none')).toEqual([]);
    });

    it('keeps the first evidence and the last, in whichever order processes write', async () => {
      const { readiness } = opened.storage.direct;
      for (const number of [5, 2, 9, 7]) await readiness.add([mark(number)]);
      const joined = mark(2, { lastAt: T0 + 9, lastId: 'r9' });
      expect(await readiness.list(KEY_ID)).toEqual([joined]);
      await readiness.add([joined]);
      expect(await readiness.list(KEY_ID)).toEqual([joined]);
    });

    it('keeps both ends if processes write at the same time', async () => {
      const { readiness } = opened.storage.direct;
      const names = ['succeeded', 'jobs_cursor'] as const;
      const write = (number: number) => readiness.add(names.map((name) => mark(number, { name })));
      await Promise.all([8, 3, 6, 1, 4].map(write));
      const ends = { firstId: 'r1', lastId: 'r8' };
      expect(await readiness.list(KEY_ID)).toMatchObject([
        { name: 'jobs_cursor', ...ends },
        { name: 'succeeded', ...ends },
      ]);
    });

    it('takes the fault of the last failure', async () => {
      const { readiness } = opened.storage.direct;
      const failed = (number: number, fault: string) => mark(number, { name: 'failed_refused_old', fault });
      await readiness.add([failed(5, 'accepts_stale')]);
      await readiness.add([failed(3, 'no_answer')]);
      expect(await readiness.list(KEY_ID)).toMatchObject([{ fault: 'accepts_stale', firstId: 'r3' }]);
      await readiness.add([failed(6, 'no_answer')]);
      expect(await readiness.list(KEY_ID)).toMatchObject([{ fault: 'no_answer', lastId: 'r6' }]);
    });
  });
}
