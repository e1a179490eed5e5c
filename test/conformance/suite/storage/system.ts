import type { HourCount } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { WorkerBeat } from '../../../../packages/core/src/ports/repositories/system.js';
import { KEY_ID, OTHER_KEY_ID, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const HOUR_MS = 3_600_000;

function sampleBeat(number: number, changes: Partial<WorkerBeat> = {}): WorkerBeat {
  return {
    id: `wkr_${number}`,
    name: `host-${number}`,
    pid: 4_000_000_000 + number,
    release: '1.2.3',
    deployment: number % 2 === 0 ? null : 'staging',
    lastSweepAt: null,
    sealing: number % 2 === 0 ? null : { keyIds: ['0a1b2c3d'], failingSince: null },
    sleepMs: null,
    ...changes,
  };
}

function sampleCount(hours: number, changes: Partial<HourCount> = {}): HourCount {
  return {
    kind: 'attempt',
    keyId: KEY_ID,
    hour: T0 + hours * HOUR_MS,
    name: 'succeeded',
    count: 3,
    ...changes,
  };
}

export function describeSystem<HostTx>(open: OpenStorage<HostTx>): void {
  describe('workers', () => {
    const opened = useStorage(open);

    it('are recorded by the clock of the storage, once for each id', async () => {
      const { workers, time } = opened.direct;
      const before = await time.now();
      await workers.beat(sampleBeat(1));
      const [first, ...others] = await workers.list(9);
      expect(others).toEqual([]);
      const { sleepMs: _, ...said } = sampleBeat(1);
      expect(first).toMatchObject({ ...said, sleepsUntil: null });
      expect(first?.startedAt).toBe(first?.lastSeenAt);
      expect(first?.startedAt).toBeGreaterThanOrEqual(before);
      expect(first?.startedAt).toBeLessThanOrEqual(await time.now());
      await workers.beat(sampleBeat(1, { lastSweepAt: T0, sleepMs: HOUR_MS }));
      const [again, ...more] = await workers.list(9);
      expect(more).toEqual([]);
      expect(again).toMatchObject({ ...said, lastSweepAt: T0, startedAt: first?.startedAt });
      expect(again?.sleepsUntil).toBe((again?.lastSeenAt ?? Number.NaN) + HOUR_MS);
      expect(again?.lastSeenAt).toBeGreaterThanOrEqual(first?.lastSeenAt ?? Number.NaN);
    });

    it('are listed up to a limit, removed, and swept when they were not seen for long', async () => {
      const { workers, time } = opened.direct;
      for (const number of [1, 2, 3]) await workers.beat(sampleBeat(number));
      const idsOf = async (limit: number) => (await workers.list(limit)).map(({ id }) => id);
      expect(await idsOf(2)).toHaveLength(2);
      await workers.remove('wkr_2');
      await workers.remove('wkr_none');
      expect((await idsOf(9)).toSorted()).toEqual(['wkr_1', 'wkr_3']);
      const listed = await workers.list(9);
      const oldest = Math.min(...listed.map(({ lastSeenAt }) => lastSeenAt));
      expect(await workers.sweep(oldest, 9)).toBe(0);
      const later = (await time.now()) + 1;
      expect(await workers.sweep(later, 1)).toBe(1);
      expect(await workers.sweep(later, 9)).toBe(1);
      expect(await idsOf(9)).toEqual([]);
    });
  });

  describe('the next work', () => {
    const opened = useStorage(open);

    it('is null without work, then when the first item is due, and expired rows are found by kind', async () => {
      const { work, operations, workers, time } = opened.direct;
      const before = await time.now();
      const idle = await work.findNext(true);
      expect(idle.dueAt).toBeNull();
      expect(idle.now).toBeGreaterThanOrEqual(before);
      await work.announce();
      const later = idle.now + HOUR_MS;
      await operations.add({
        operation: {
          id: 'op_1',
          plan: { kind: 'resend', keyId: KEY_ID, since: T0, until: null, only: null },
          startedBy: { id: 'user_1', name: null, reason: null, door: 'library' },
          state: 'running',
          counts: { done: 0, skipped: 0, total: null },
          failed: null,
          sync: null,
          lastError: null,
          createdAt: T0,
          updatedAt: T0,
          finishedAt: null,
        },
        position: null,
        failures: 0,
        dueAt: later,
      });
      expect((await work.findNext(false)).dueAt).toBe(later);
      const limitsOf = (at: number) => ({ events: at, workers: at, operations: at });
      expect(await work.findExpired(limitsOf(later))).toEqual([]);
      await workers.beat(sampleBeat(1));
      expect(await work.findExpired(limitsOf(0))).toEqual([]);
      expect(await work.findExpired(limitsOf(later + HOUR_MS))).toEqual(['workers']);
    });

    it('has no expired rows of a kind that is not asked for', async () => {
      const { work, workers, time } = opened.direct;
      await workers.beat(sampleBeat(1));
      const later = (await time.now()) + HOUR_MS;
      expect(await work.findExpired({})).toEqual([]);
      expect(await work.findExpired({ events: later })).toEqual([]);
    });

    it('refuses kinds without a statement, and names them', async () => {
      const { work, time } = opened.direct;
      const at = await time.now();
      await expect(work.findExpired({ workers: at, notes: at, toString: at })).rejects.toMatchObject({
        code: 'MISCONFIGURED',
        message: expect.stringContaining('expired rows of the kinds: notes, toString.'),
      });
    });
  });

  describe('hourly counts', () => {
    const opened = useStorage(open);

    it('are added up by kind, key, hour and name', async () => {
      const { hourCounts } = opened.direct;
      await hourCounts.add([
        sampleCount(1),
        sampleCount(1, { name: 'failed', count: 1 }),
        sampleCount(1, { keyId: null, count: 7 }),
        sampleCount(1, { keyId: OTHER_KEY_ID, count: 5 }),
        sampleCount(1, { keyId: 'sandbox', count: 6 }),
        sampleCount(1, { kind: 'request', keyId: null, name: '201', count: 9 }),
        sampleCount(0, { count: 2 }),
      ]);
      await hourCounts.add([sampleCount(1, { count: 4 })]);
      const list = (changes: Partial<HourCount>, from = 0) => {
        const { kind, keyId } = sampleCount(1, changes);
        return hourCounts.list({ kind, keyId, from });
      };
      expect(await list({})).toEqual([
        sampleCount(0, { count: 2 }),
        sampleCount(1, { name: 'failed', count: 1 }),
        sampleCount(1, { count: 7 }),
      ]);
      expect(await list({}, T0 + 1)).toHaveLength(2);
      expect(await list({ keyId: null })).toEqual([sampleCount(1, { keyId: null, count: 7 })]);
      expect(await list({ keyId: 'sandbox' })).toEqual([sampleCount(1, { keyId: 'sandbox', count: 6 })]);
      expect(await list({ kind: 'request', keyId: null })).toMatchObject([{ name: '201', count: 9 }]);
      expect(await list({ kind: 'request' })).toEqual([]);
    });

    it('are swept by hour', async () => {
      const { hourCounts } = opened.direct;
      await hourCounts.add([
        sampleCount(0),
        sampleCount(1),
        sampleCount(1, { name: 'failed' }),
        sampleCount(2),
      ]);
      const before = T0 + 2 * HOUR_MS;
      expect(await hourCounts.sweep(before, 2)).toBe(2);
      expect(await hourCounts.sweep(before, 2)).toBe(1);
      expect(await hourCounts.sweep(before, 2)).toBe(0);
      expect(await hourCounts.list({ kind: 'attempt', keyId: KEY_ID, from: 0 })).toEqual([sampleCount(2)]);
    });
  });

  describe('the facts of the storage', () => {
    const opened = useStorage(open);

    it('name the database, its version and the last migration', async () => {
      const facts = await opened.direct.facts.find();
      expect(facts.kind).toMatch(/^[a-z]+$/);
      expect(facts.version).toMatch(/^\d+(\.\d+)*/);
      expect(facts.schemaVersion).toBeGreaterThan(0);
    });
  });
}
