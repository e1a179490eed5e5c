import type { AcceptedSubmission, Repositories } from '@partner-hiring/core/ports';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshWindow, TEST_TIMEOUT_MS } from '../fresh-window.js';
import { readFeed } from './follow-feed.js';
import { KEY_ID, sampleApplication, sampleSubmission, seed, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const RESUME = { keyId: KEY_ID, url: 'https://cv.example/1', attempts: 0, dueAt: T0 };
const ROOMY = { bucketId: 'roomy', cost: 2, limit: 2 };
const NARROW = { bucketId: 'narrow', cost: 1, limit: 1 };

function submissionsOf(...numbers: readonly number[]): readonly AcceptedSubmission[] {
  return numbers.map((number) => {
    const application = sampleApplication(number, T0 + number, { sourceApplicationId: `theirs-${number}` });
    const task = { ...RESUME, applicationId: application.id };
    return sampleSubmission(application, { idempotencyKey: `key-${number}` }, task);
  });
}

export function describeCountedSubmissions<HostTx>(open: OpenStorage<HostTx>): void {
  describe('chargeAndAdd', () => {
    const opened = useStorage(open);
    beforeEach(async () => {
      await seed(opened.direct);
      await freshWindow(opened.storage);
    }, TEST_TIMEOUT_MS);

    async function everything(submissions: readonly AcceptedSubmission[]) {
      const { applications, submissions: records, rateWindows, feed } = opened.direct;
      return {
        applications: await applications.find(submissions.map(({ application }) => application.id)),
        records: await records.findRecords(submissions.map(({ idempotency }) => idempotency)),
        counts: (await rateWindows.read(['roomy', 'narrow'])).map(({ count }) => count),
        feed: await readFeed(opened.direct, KEY_ID),
        heads: await feed.listHeads('production'),
      };
    }

    /** Submits in a transaction, and rolls back on a conflict. */
    async function submit(...args: Parameters<Repositories['submissions']['chargeAndAdd']>) {
      const conflict = new Error('conflict');
      try {
        return await opened.storage.transaction(async (tx) => {
          await tx.feed.take([{ keyId: KEY_ID, count: 9 }], T0 + 1);
          const counts = await tx.submissions.chargeAndAdd(...args);
          if (counts === 'conflict') throw conflict;
          return counts.map(({ count }) => count);
        });
      } catch (error) {
        if (error === conflict) return 'conflict';
        throw error;
      }
    }

    it('adds all rows, and returns the counts in the order of the charges', async () => {
      await opened.direct.rateWindows.charge([{ bucketId: 'b', cost: 3 }]);
      const submissions = submissionsOf(1, 2);
      const charges = [
        { bucketId: 'c', cost: 1, limit: 1 },
        { bucketId: 'b', cost: 2, limit: 5 },
        { bucketId: 'a', cost: 4, limit: 9 },
      ];
      expect(await submit(charges, submissions)).toEqual([1, 5, 4]);
      const left = await everything(submissions);
      expect(left.applications).toEqual(submissions.map(({ application }) => application));
      expect(left.records).toEqual(submissions.map(({ idempotency }) => idempotency));
      expect(left.heads).toContainEqual({ keyId: KEY_ID, environment: 'production', at: T0 + 9 });
      expect(await opened.direct.resumeFiles.claim({ token: 't', forMs: 9 }, T0, 10)).toEqual(
        submissions.map(({ resume }) => resume),
      );
      expect((await opened.direct.rateWindows.read(['a', 'b', 'c'])).map(({ count }) => count)).toEqual([
        4, 5, 1,
      ]);
    });

    it('accepts submissions without a résumé, and replaces expired records', async () => {
      const [first] = submissionsOf(1);
      if (first === undefined) throw new Error('There is one.');
      expect(await submit([ROOMY], [{ ...first, resume: null }])).toEqual([2]);
      const again = sampleSubmission(sampleApplication(2, T0 + 2), {
        idempotencyKey: first.idempotency.idempotencyKey,
        createdAt: first.idempotency.expiresAt,
      });
      expect(await submit([NARROW], [again])).toEqual([1]);
      expect(await opened.direct.submissions.findRecords([again.idempotency])).toEqual([again.idempotency]);
    });

    it('adds submissions without charges, all or none', async () => {
      const added = submissionsOf(1, 2);
      expect(await submit([], added)).toEqual([]);
      const bound = sampleSubmission(sampleApplication(4, T0), { idempotencyKey: 'key-2' });
      const refused = [...submissionsOf(3), bound];
      expect(await submit([], refused)).toBe('conflict');
      const { applications, counts } = await everything([...added, ...refused]);
      expect(applications).toEqual([...added.map(({ application }) => application), null, null]);
      expect(counts).toEqual([0, 0]);
    });

    const obstacles: Readonly<Record<string, (direct: Repositories) => Promise<unknown>>> = {
      'one bucket has room for some of its requests only': ({ rateWindows }) =>
        rateWindows.charge([{ bucketId: 'roomy', cost: 1 }]),
      'one bucket is full': ({ rateWindows }) => rateWindows.charge([{ bucketId: 'narrow', cost: 1 }]),
      'an idempotency key is bound': ({ submissions }) =>
        submissions.add([sampleSubmission(sampleApplication(9, T0), { idempotencyKey: 'key-2' })]),
      'a source id is taken': ({ submissions }) =>
        submissions.add([sampleSubmission(sampleApplication(9, T0, { sourceApplicationId: 'theirs-2' }))]),
      'an application’s id is taken': ({ submissions }) =>
        submissions.add([sampleSubmission(sampleApplication(2, T0))]),
    };
    it.each(Object.entries(obstacles))('changes nothing if %s', async (_, arise) => {
      await arise(opened.direct);
      const submissions = submissionsOf(1, 2, 3);
      const before = await everything(submissions);
      expect(await submit([ROOMY, NARROW], submissions)).toBe('conflict');
      expect(await everything(submissions)).toEqual(before);
      // The next call has the same conflict outside a transaction, where it runs in a transaction of its own.
      expect(await opened.direct.submissions.chargeAndAdd([ROOMY, NARROW], submissions)).toBe('conflict');
      expect(await everything(submissions)).toEqual(before);
      expect(await opened.direct.resumeFiles.claim({ token: 't', forMs: 9 }, T0, 10)).toEqual([]);
    });

    it.each(['commit', 'rollback'] as const)('is part of a host’s transaction: %s', async (end) => {
      const submissions = submissionsOf(1, 2);
      const before = await everything(submissions);
      await opened.inHostTransaction(end, async (hostTx) => {
        const tx = opened.storage.within(hostTx);
        expect(await tx.submissions.chargeAndAdd([ROOMY], submissions)).toMatchObject([{ count: 2 }]);
        expect(await everything(submissions)).toEqual(before);
        // The host's transaction stays usable.
        expect(await tx.applications.find(submissions.map(({ application }) => application.id))).toHaveLength(
          2,
        );
      });
      const { applications, counts } = await everything(submissions);
      const isKept = end === 'commit';
      expect(applications.filter((application) => application !== null)).toHaveLength(isKept ? 2 : 0);
      expect(counts).toEqual([isKept ? 2 : 0, 0]);
    });

    it('enforces the limit and unique source ids across two storages', async () => {
      const storages = [opened.storage, await opened.another()];
      const bucket = { bucketId: 'shared', cost: 1, limit: 7 };
      const counted = await Promise.all(
        Array.from({ length: 20 }, async (_, number) => {
          const counts = await storages[number % 2]?.direct.submissions.chargeAndAdd(
            [bucket],
            submissionsOf(number),
          );
          return counts === 'conflict' ? null : counts?.[0]?.count;
        }),
      );
      const letIn = counted.filter((count) => count !== null);
      expect(letIn.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect((await readFeed(opened.direct, KEY_ID)).ids).toHaveLength(7);

      const same = await Promise.all(
        Array.from({ length: 10 }, async (_, number) => {
          const application = sampleApplication(100 + number, T0 + 100 + number, {
            sourceApplicationId: 'one',
          });
          const roomy = { bucketId: 'other', cost: 1, limit: 99 };
          return storages[number % 2]?.direct.submissions.chargeAndAdd(
            [roomy],
            [sampleSubmission(application)],
          );
        }),
      );
      expect(same.filter((counts) => counts !== 'conflict')).toHaveLength(1);
      expect(await opened.direct.rateWindows.read(['other'])).toMatchObject([{ count: 1 }]);
    });
  });
}
