import { APPLICATION_STATUSES } from '@partner-hiring/core';
import type { ApplicationRecord, KeyId, StoredEndpoint } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  KEY_ID,
  OTHER_KEY_ID,
  sampleApplication,
  sampleEndpoint,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

/** Applications of two keys in all statuses; some changed at the same time. */
const APPLICATIONS: readonly ApplicationRecord[] = Array.from({ length: 16 }, (_, index) =>
  sampleApplication(index, T0, {
    keyId: index % 3 === 0 ? OTHER_KEY_ID : KEY_ID,
    status: APPLICATION_STATUSES[index % 4] ?? 'received',
    changedAt: T0 + 100 - Math.floor(index / 8) * 10,
  }),
);

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const inOrder = (one: ApplicationRecord, other: ApplicationRecord) =>
  one.changedAt - other.changedAt || (one.id < other.id ? -1 : 1);

/** Lists of what waits for the host, over all keys. */
export function describeQueues<HostTx>(open: OpenStorage<HostTx>): void {
  describe('queues', () => {
    const opened = useStorage(open);

    async function addApplications(): Promise<void> {
      const { direct } = opened;
      await seed(direct);
      await direct.submissions.add(APPLICATIONS.map((each) => sampleSubmission(each)));
    }

    it('have undecided applications, longest unchanged first, of one status or both, in pages', async () => {
      await addApplications();
      const { applications, candidates } = opened.direct;
      const erased = APPLICATIONS[1]?.id ?? 'ej_app_';
      await candidates.erase([erased], T0 + 500);
      for (const status of [null, 'received', 'in_progress'] as const) {
        for (const before of [T0 + 90, T0 + 91, T0 + 999]) {
          const statuses: readonly string[] = status === null ? ['received', 'in_progress'] : [status];
          const expected = APPLICATIONS.filter(
            (each) => each.id !== erased && statuses.includes(each.status) && each.changedAt < before,
          ).toSorted(inOrder);
          const rows: ApplicationRecord[] = [];
          for (let isMore = true; isMore; ) {
            const page = await applications.listUnchanged({
              status,
              before,
              after: rows.at(-1) ?? null,
              limit: 3,
            });
            rows.push(...page);
            isMore = page.length === 3;
          }
          expect(idsOf(rows)).toEqual(idsOf(expected));
        }
      }
    });

    it('lose an application that changes or is decided', async () => {
      await addApplications();
      const { applications } = opened.direct;
      const list = async () =>
        idsOf(await applications.listUnchanged({ status: null, before: T0 + 91, limit: 9 }));
      const [first, second, ...others] = await list();
      const [changed, decided] = await applications.find([first, second] as readonly `ej_app_${string}`[]);
      if (!changed || !decided) throw new Error('Both were added.');
      await applications.saveProgress([
        { ...changed, changedAt: T0 + 200 },
        { ...decided, status: 'rejected' },
      ]);
      expect(await list()).toEqual(others);
    });

    it('have undecided applications whose résumé failed, newest failure first, until another download', async () => {
      await addApplications();
      const { applications, candidates } = opened.direct;
      const fail = (number: number, failedAt: number) =>
        applications.saveResume(APPLICATIONS[number]?.id ?? 'ej_app_', {
          kind: 'failed',
          reason: 'too_large',
          failedAt,
        });
      // The third is accepted.
      for (const [number, failedAt] of [
        [0, T0 + 5],
        [1, T0 + 7],
        [2, T0 + 9],
        [4, T0 + 7],
        [5, T0 + 6],
      ] as const)
        await fail(number, failedAt);
      const ids = (numbers: readonly number[]) => numbers.map((number) => APPLICATIONS[number]?.id);
      const list = async (limit = 9) => idsOf(await applications.listFailedResumes({ limit }));
      expect(await list()).toEqual(ids([4, 1, 5, 0]));
      expect(await list(2)).toEqual(ids([4, 1]));
      const after = { failedAt: T0 + 7, id: APPLICATIONS[1]?.id ?? 'ej_app_' } as const;
      expect(idsOf(await applications.listFailedResumes({ after, limit: 9 }))).toEqual(ids([5, 0]));
      await applications.saveResume(APPLICATIONS[4]?.id ?? 'ej_app_', { kind: 'none' });
      await candidates.erase([APPLICATIONS[5]?.id ?? 'ej_app_'], T0 + 9);
      expect(await list()).toEqual(ids([1, 0]));
    });

    it('have paused endpoints, longest paused first, until they are resumed', async () => {
      await seed(opened.direct);
      const { endpoints } = opened.direct;
      const paused = (keyId: KeyId, pausedAt: number): StoredEndpoint =>
        sampleEndpoint(keyId, { state: { kind: 'paused', reason: 'operator', pausedAt } });
      const [later, earlier] = [paused(KEY_ID, T0 + 9), paused(OTHER_KEY_ID, T0 + 5)];
      for (const endpoint of [later, earlier]) await endpoints.save(endpoint);
      expect(await endpoints.listPaused({ limit: 9 })).toEqual([earlier, later]);
      expect(await endpoints.listPaused({ limit: 1 })).toEqual([earlier]);
      const after = { pausedAt: T0 + 5, keyId: OTHER_KEY_ID } as const;
      expect(await endpoints.listPaused({ after, limit: 9 })).toEqual([later]);
      await endpoints.save(sampleEndpoint(KEY_ID));
      expect(await endpoints.listPaused({ limit: 9 })).toEqual([earlier]);
    });
  });
}
