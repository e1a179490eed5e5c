import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { TakenStamps } from '../../../../packages/core/src/domain/feed.js';
import { freshWindow } from '../fresh-window.js';
import { followFeed, pause } from './follow-feed.js';
import {
  appendStamped,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  sampleAlert,
  sampleApplication,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  sampleKey,
  samplePartner,
  sampleSettlement,
  sampleSubmission,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';
import { sweepDuring } from './sweep-during.js';

const MINE = { token: 'mine', forMs: LONG_LEASE_MS };
const THEIRS = { token: 'theirs', forMs: LONG_LEASE_MS };

/** Tests two storages on one database, like two processes. */
export function describeRaces<HostTx>(open: OpenStorage<HostTx>): void {
  describe('two storages on one database', () => {
    const opened = useStorage(open);

    async function openTwo(): Promise<readonly [Storage<HostTx>, Storage<HostTx>]> {
      await seed(opened.direct);
      return [opened.storage, await opened.another()];
    }

    function inBoth<T>(
      storages: readonly Storage<HostTx>[],
      times: number,
      act: (storage: Storage<HostTx>, number: number) => Promise<T>,
    ): Promise<readonly T[]> {
      const turns = Array.from({ length: times * storages.length }, (_, number) => number);
      return Promise.all(
        turns.map((number) => act(storages[number % storages.length] ?? opened.storage, number)),
      );
    }

    it("reads the other's commit at once", async () => {
      const [one, other] = await openTwo();
      for (let round = 0; round < 5; round += 1) {
        await one.transaction(({ partners }) => partners.add(samplePartner(`ptn_${round}`)));
        expect(await other.direct.partners.find(`ptn_${round}`)).not.toBeNull();
      }
    });

    it('takes each stamp once, without gaps', async () => {
      const taken = await inBoth(await openTwo(), 15, (storage) =>
        storage.transaction(({ feed }) => feed.take([{ keyId: KEY_ID, count: 2 }], T0 + 1)),
      );
      const stamps = taken.flatMap(([range]) => (range ? [range.first, range.first + 1] : []));
      expect(stamps.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => T0 + 1 + index));
    });

    it('takes stamps of several keys in any order without a deadlock', async () => {
      const keys = [KEY_ID, OTHER_KEY_ID];
      const taken = await inBoth(await openTwo(), 10, (storage, number) => {
        const asked = number % 2 === 0 ? keys : keys.toReversed();
        return storage.transaction(({ feed }) =>
          feed.take(
            asked.map((keyId) => ({ keyId, count: 1 })),
            T0,
          ),
        );
      });
      const stampsOf = (keyId: string) =>
        taken.map((ranges) => ranges.find((range: TakenStamps) => range.keyId === keyId)?.first);
      for (const keyId of keys) expect(new Set(stampsOf(keyId)).size).toBe(20);
    });

    it('shows every row to a partner that follows the feed, even after late commits', async () => {
      const [one, other] = await openTwo();
      const writers = inBoth([one, other], 12, (storage, number) =>
        storage.transaction(async (tx) => {
          const [range] = await tx.feed.take([{ keyId: KEY_ID, count: 1 }], T0 + number);
          await pause((number * 7) % 11);
          await tx.submissions.add([sampleSubmission(sampleApplication(number, range?.first ?? 0))]);
        }),
      );
      const followed = await followFeed(other.direct, KEY_ID, writers);
      const all = Array.from({ length: 24 }, (_, number) => sampleApplication(number, T0).id);
      expect([...followed].sort()).toEqual(all);
    });

    it('adds one key for a partner and environment', async () => {
      const storages = await openTwo();
      await opened.direct.partners.add(samplePartner('ptn_raced'));
      const answers = await inBoth(storages, 3, (storage, number) =>
        storage.direct.keys.add(sampleKey(`key_raced_${number}`, 'ptn_raced')),
      );
      expect(answers.filter((answer) => answer === 'added')).toHaveLength(1);
      expect(await opened.direct.keys.list('ptn_raced')).toHaveLength(1);
    });

    const raced = {
      'source id': (number: number) =>
        sampleSubmission(sampleApplication(number, T0 + number, { sourceApplicationId: 'one' })),
      'idempotency key': (number: number) =>
        sampleSubmission(sampleApplication(number, T0 + number), { idempotencyKey: 'one' }),
    };
    it.each(['source id', 'idempotency key'] as const)(
      'adds one of the submissions with the same %s',
      async (what) => {
        const answers = await inBoth(await openTwo(), 4, (storage, number) =>
          submitOrGiveUp(storage, (tx) => tx.submissions.add([raced[what](number)])),
        );
        expect(answers.filter((answer) => answer === 'added')).toHaveLength(1);
        expect(answers.filter((answer) => answer === 'conflict')).toHaveLength(7);
        const left = await opened.direct.applications.listNewest({ scope: null, limit: 99 });
        expect(left).toHaveLength(1);
      },
    );

    it('counts rate windows exactly', async () => {
      const storages = await openTwo();
      await freshWindow(opened.storage);
      const counts = await inBoth(storages, 50, (storage, number) =>
        storage.direct.rateWindows.charge([
          { bucketId: number % 2 === 0 ? 'a' : 'b', cost: 1 },
          { bucketId: 'shared', cost: 2 },
        ]),
      );
      const shared = counts.map(([, window]) => window?.count ?? 0).sort((a, b) => a - b);
      expect(shared).toEqual(Array.from({ length: 100 }, (_, index) => 2 * (index + 1)));
    });

    it('leases each endpoint to one worker', async () => {
      const [one, other] = await openTwo();
      for (const keyId of [KEY_ID, OTHER_KEY_ID]) {
        await opened.direct.endpoints.save(sampleEndpoint(keyId));
        await appendStamped(opened.direct, [sampleEvent(1, T0 + 1, keyId)]);
      }
      const [mine, theirs] = await Promise.all([
        one.direct.endpoints.lease(MINE, T0, 10),
        other.direct.endpoints.lease(THEIRS, T0, 10),
      ]);
      const leased = [...mine, ...theirs].map(({ endpoint }) => endpoint.keyId);
      expect(leased.sort()).toEqual([KEY_ID, OTHER_KEY_ID]);
      for (const [{ token }, endpoints] of [
        [MINE, mine],
        [THEIRS, theirs],
      ] as const) {
        for (const keyId of [KEY_ID, OTHER_KEY_ID]) {
          const holds = endpoints.some(({ endpoint }) => endpoint.keyId === keyId);
          expect((await opened.direct.endpoints.findLeased([{ keyId, token }]))[0] !== null).toBe(holds);
        }
      }
    });

    it('sends an event that commits while its feed is marked as idle', async () => {
      const [one, other] = await openTwo();
      const { endpoints, feed } = other.direct;
      await endpoints.save(sampleEndpoint());
      for (let round = 1; round <= 20; round += 1) {
        const at = T0 + round * 10;
        // The feed has a stamp without an event, so it is idle, but it is not marked as idle yet.
        await feed.take([{ keyId: KEY_ID, count: 1 }], at);
        const late = one.transaction(async (tx) => {
          await appendStamped(tx, [sampleEvent(round, at + 1)]);
          await pause((round * 7) % 11);
        });
        // The writer may run before or after `markIdle`. In both cases, the stamp of its event is older than the limit
        // of `markIdle`.
        const marking = [1, 2, 3, 4].map(async (step) => {
          await pause(step * 2);
          await endpoints.markIdle(at + 100, 10);
        });
        await Promise.all([late, ...marking]);
        await endpoints.markIdle(at + 100, 10);
        expect(await endpoints.lease(MINE, T0, 10)).toHaveLength(1);
        await endpoints.settle([sampleSettlement({ watermark: at + 1, release: true })]);
        await endpoints.markIdle(at + 100, 10);
        expect(await endpoints.lease(MINE, T0, 10)).toEqual([]);
      }
    });

    it('keeps a delivery that is resent during the sweep', async () => {
      await seed(opened.direct);
      const event = sampleEvent(1, T0);
      await opened.direct.events.append([event]);
      await opened.direct.deliveries.save([sampleDelivery(event, { state: 'delivered', dueAt: null })]);
      const again = sampleDelivery(event, { attempts: 0, cycle: 2, dueAt: T0 });
      const swept = await sweepDuring(
        opened,
        ({ deliveries }) => deliveries.save([again]),
        ({ deliveries }) => deliveries.sweep(T0 + 1, 10),
      );
      expect(swept).toBe(0);
      expect(await opened.direct.deliveries.find(KEY_ID, [event.id])).toEqual([again]);
    });

    it('keeps an event that is resent during the sweep, and deletes the others', async () => {
      await seed(opened.direct);
      const { endpoints, events } = opened.direct;
      const [again, other] = [sampleEvent(1, T0 + 1), sampleEvent(2, T0 + 2)];
      await endpoints.save(sampleEndpoint());
      await events.append([again, other]);
      await endpoints.advanceWatermark(KEY_ID, other.at);
      const sweep = (direct: Repositories) => direct.events.sweep(T0 + 9, 10);
      const swept = await sweepDuring(
        opened,
        async (tx) => {
          await tx.endpoints.findForUpdate(KEY_ID);
          await tx.deliveries.save([sampleDelivery(again)]);
        },
        sweep,
      );
      expect(swept + (await sweep(opened.direct))).toBe(1);
      expect(await events.find(KEY_ID, [again.id, other.id])).toEqual([again, null]);
    });

    it('keeps the record of an expired idempotency key that a new submission uses again during the sweep', async () => {
      await seed(opened.direct);
      const [expired, bound] = [1, 2].map((number) =>
        sampleSubmission(sampleApplication(number, T0 + number), {
          idempotencyKey: 'one',
          createdAt: T0 + number * 1_000,
          expiresAt: T0 + number * 1_000 + 100,
        }),
      );
      if (expired === undefined || bound === undefined) throw new Error('There are two.');
      await opened.direct.submissions.add([expired]);
      const swept = await sweepDuring(
        opened,
        ({ submissions }) => submissions.add([bound]),
        ({ submissions }) => submissions.sweep(T0 + 2_000, 10),
      );
      expect(swept).toBe(0);
      const [record] = await opened.direct.submissions.findRecords([bound.idempotency]);
      expect(record?.applicationId).toBe(bound.application.id);
    });

    it('claims each alert and résumé task for one worker', async () => {
      const [one, other] = await openTwo();
      const alerts = [1, 2, 3, 4].map((number) => sampleAlert(number));
      await opened.direct.alerts.add(alerts);
      const applications = [1, 2, 3, 4].map((number) => sampleApplication(number, T0 + number));
      const tasks = applications.map(({ id, keyId }) => ({
        applicationId: id,
        keyId,
        url: 'https://cv.example',
        attempts: 0,
        dueAt: T0,
      }));
      await opened.direct.submissions.add(
        applications.map((application, index) => sampleSubmission(application, {}, tasks[index])),
      );
      const claimed = await Promise.all([
        one.direct.alerts.claim(MINE, 3),
        other.direct.alerts.claim(THEIRS, 3),
      ]);
      const fetched = await Promise.all([
        one.direct.resumeFiles.claim(MINE, T0, 3),
        other.direct.resumeFiles.claim(THEIRS, T0, 3),
      ]);
      const rest = [...(await opened.direct.alerts.claim({ ...MINE, token: 'late' }, 9)), ...claimed.flat()];
      expect(rest.map(({ id }) => id).sort()).toEqual(alerts.map(({ id }) => id));
      const restOfTasks = await opened.direct.resumeFiles.claim({ ...MINE, token: 'late' }, T0, 9);
      const ids = [...restOfTasks, ...fetched.flat()].map(({ applicationId }) => applicationId);
      expect(ids.sort()).toEqual(applications.map(({ id }) => id));
    });
  });
}

async function submitOrGiveUp<HostTx>(
  storage: Storage<HostTx>,
  add: (tx: Repositories) => Promise<'added' | 'conflict'>,
): Promise<'added' | 'conflict'> {
  const conflict = new Error('conflict');
  try {
    return await storage.transaction(async (tx) => {
      if ((await add(tx)) === 'conflict') throw conflict;
      return 'added' as const;
    });
  } catch (error) {
    if (error === conflict) return 'conflict';
    throw error;
  }
}
