import { describe, expect, it } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  SHORT_LEASE_MS,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  sampleHealth,
  sampleKey,
  samplePartner,
  sampleSettlement,
  T0,
} from './samples.js';
import { type OpenStorage, useSeededStorage } from './storage-under-test.js';

const LEASE = { token: 'mine', forMs: LONG_LEASE_MS };
const THEIRS = { token: 'theirs', forMs: LONG_LEASE_MS };
const MINE = { keyId: KEY_ID, token: LEASE.token };
const HELD_BY_OTHERS = { keyId: KEY_ID, token: THEIRS.token };
const PAUSED = { kind: 'paused', reason: 'operator', pausedAt: T0 } as const;

export function describeEndpoints<HostTx>(open: OpenStorage<HostTx>): void {
  describe('endpoints', () => {
    const opened = useSeededStorage(open);

    it('returns an endpoint as saved, active and paused', async () => {
      const { endpoints } = opened.direct;
      await endpoints.save(sampleEndpoint());
      expect(await endpoints.find(KEY_ID)).toEqual(sampleEndpoint());
      const paused = sampleEndpoint(KEY_ID, {
        url: 'https://ats.example/v2',
        state: { kind: 'paused', reason: 'gone', pausedAt: T0 + 1 },
        health: {
          consecutiveFailures: 7,
          firstFailureAt: T0 + 2,
          lastSuccessAt: T0 + 1,
          lastFailure: { kind: 'failed', failure: 'timed_out' },
          failingWarnedAt: T0 + 3,
          pauseWarnedAt: T0 + 4,
          nextWarningAt: T0 + 5,
          deadLettersToldAt: T0 + 8,
          reportedAt: T0 + 9,
          gap: {
            isPaced: true,
            ms: 100,
            since: T0 + 10,
            at: T0 + 11,
            until: T0 + 12,
            cause: { kind: 'answered', status: 429 },
          },
        },
        resumedAt: T0 + 6,
        replacedUrl: { url: 'https://ats.example/v1', at: T0 + 7 },
        secrets: [
          { sealed: 'new', createdAt: 0, expiresAt: null },
          { sealed: 'old', createdAt: 0, expiresAt: T0 + 9 },
        ],
      });
      await endpoints.save(paused);
      expect(await endpoints.find(KEY_ID)).toEqual(paused);
      expect(await endpoints.findForUpdate(KEY_ID)).toEqual(paused);
      expect(await endpoints.find(OTHER_KEY_ID)).toBeNull();
      expect(await endpoints.findEach([OTHER_KEY_ID, KEY_ID, KEY_ID])).toEqual([null, paused, paused]);
      expect(await endpoints.list()).toEqual([paused]);
      expect(await endpoints.withEndpoint([OTHER_KEY_ID, KEY_ID])).toEqual(new Set([KEY_ID]));
    });

    it('starts the watermark at the feed head, so that earlier events are not sent', async () => {
      const { endpoints, events, feed } = opened.direct;
      await feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 10);
      await events.append([sampleEvent(1, T0 + 10)]);
      await endpoints.save(sampleEndpoint());
      expect(await endpoints.lease(LEASE, T0, 10)).toEqual([]);
      await appendStamped(opened.direct, [sampleEvent(2, T0 + 11)]);
      expect(await endpoints.lease(LEASE, T0, 10)).toEqual([
        { endpoint: sampleEndpoint(), watermark: T0 + 10 },
      ]);
      // Saving the endpoint again keeps its watermark and its lease.
      await feed.take([{ keyId: KEY_ID, count: 1 }], T0 + 20);
      await endpoints.save(sampleEndpoint(KEY_ID, { url: 'https://ats.example/v2' }));
      expect(await endpoints.findLeased([MINE])).toMatchObject([{ watermark: T0 + 10 }]);
      expect(await endpoints.lease(THEIRS, T0, 10)).toEqual([]);
    });

    it('leases to one worker until the lease expires', async () => {
      const { endpoints } = opened.direct;
      await endpoints.save(sampleEndpoint());
      await appendStamped(opened.direct, [sampleEvent(1, T0 + 1)]);
      const leases = [LEASE, THEIRS].map((lease) => ({ ...lease, forMs: SHORT_LEASE_MS }));
      const taken = await Promise.all(leases.map((lease) => opened.direct.endpoints.lease(lease, T0, 10)));
      expect(taken.flat()).toHaveLength(1);
      const [mine, theirs] = taken[0]?.length === 1 ? [LEASE, THEIRS] : [THEIRS, LEASE];
      for (const now of [0, T0, Number.MAX_SAFE_INTEGER]) {
        expect(await endpoints.lease(theirs, now, 10)).toEqual([]);
      }
      await opened.pass(SHORT_LEASE_MS);
      expect(await endpoints.lease(theirs, T0, 10)).toHaveLength(1);
      expect(await endpoints.findLeased([{ keyId: KEY_ID, token: mine.token }])).toEqual([null]);
    });

    it('does not lease the excluded keys', async () => {
      const { endpoints } = opened.direct;
      for (const keyId of [KEY_ID, OTHER_KEY_ID]) {
        await endpoints.save(sampleEndpoint(keyId));
        await appendStamped(opened.direct, [sampleEvent(1, T0 + 1, keyId)]);
      }
      const leased = await endpoints.lease(LEASE, T0, 1, [KEY_ID]);
      expect(leased.map(({ endpoint }) => endpoint.keyId)).toEqual([OTHER_KEY_ID]);
      expect(await endpoints.lease(THEIRS, T0, 9, [OTHER_KEY_ID, KEY_ID])).toEqual([]);
      expect(await endpoints.lease(THEIRS, T0, 9, [])).toHaveLength(1);
    });

    it('lets only the holder renew, move the watermark and release', async () => {
      const { endpoints } = opened.direct;
      await endpoints.save(sampleEndpoint());
      await appendStamped(opened.direct, [sampleEvent(1, T0 + 1), sampleEvent(2, T0 + 2)]);
      await endpoints.lease({ ...LEASE, forMs: SHORT_LEASE_MS }, T0, 10);
      const forMs = LONG_LEASE_MS;
      expect(await endpoints.renew([{ ...HELD_BY_OTHERS, forMs }])).toEqual(['lost']);
      const renewals = [OTHER_KEY_ID, KEY_ID].map((keyId) => ({ keyId, token: LEASE.token, forMs }));
      expect(await endpoints.renew(renewals)).toEqual(['lost', 'held']);
      await opened.pass(SHORT_LEASE_MS);
      expect(await endpoints.lease(THEIRS, T0, 10)).toEqual([]);

      await endpoints.settle([
        sampleSettlement({ ...HELD_BY_OTHERS, watermark: T0 + 2, release: true, state: PAUSED }),
      ]);
      expect(await endpoints.findLeased([MINE])).toEqual([{ endpoint: sampleEndpoint(), watermark: T0 }]);
      await endpoints.settle([sampleSettlement({ watermark: T0 + 1 })]);
      await endpoints.settle([sampleSettlement({ watermark: T0 })]);
      expect(await endpoints.findLeased([MINE])).toMatchObject([{ watermark: T0 + 1 }]);
      expect(await endpoints.lease(THEIRS, T0, 10)).toEqual([]);

      await endpoints.release([HELD_BY_OTHERS]);
      expect(await endpoints.findLeased([HELD_BY_OTHERS, MINE])).toEqual([null, expect.anything()]);
      await endpoints.release([MINE]);
      expect(await endpoints.findLeased([MINE])).toEqual([null]);
      expect(await endpoints.lease(THEIRS, T0 + 1, 10)).toHaveLength(1);
    });

    it('settles many endpoints at once, except for lost leases', async () => {
      const { endpoints } = opened.direct;
      for (const keyId of [KEY_ID, OTHER_KEY_ID]) {
        await endpoints.save(sampleEndpoint(keyId));
        await appendStamped(opened.direct, [sampleEvent(1, T0 + 1, keyId), sampleEvent(2, T0 + 2, keyId)]);
      }
      await endpoints.lease(LEASE, T0, 10);
      const theirs = { keyId: OTHER_KEY_ID, token: LEASE.token };
      const failing = sampleHealth({
        consecutiveFailures: 50,
        firstFailureAt: T0 + 3,
        lastSuccessAt: T0 + 2,
        pauseWarnedAt: T0 + 4,
        lastFailure: { kind: 'answered', status: 500 },
        nextWarningAt: T0 + 5,
      });
      const settlements = [
        sampleSettlement({ ...theirs, state: PAUSED, health: failing, watermark: T0 + 1, release: true }),
        sampleSettlement({ watermark: T0 + 2 }),
      ];
      await endpoints.settle(settlements);
      expect(await endpoints.findLeased([theirs, MINE])).toEqual([
        null,
        { endpoint: sampleEndpoint(), watermark: T0 + 2 },
      ]);
      const paused = sampleEndpoint(OTHER_KEY_ID, { state: PAUSED, health: failing });
      expect(await endpoints.findEach([KEY_ID, OTHER_KEY_ID])).toEqual([sampleEndpoint(), paused]);
      // The lease is released, so settling with its token again has no effect.
      await endpoints.settle(settlements.map((each) => ({ ...each, state: { kind: 'active' } as const })));
      expect(await endpoints.find(OTHER_KEY_ID)).toEqual(paused);
      await endpoints.save(sampleEndpoint(OTHER_KEY_ID));
      expect(await endpoints.lease(THEIRS, T0, 10)).toEqual([
        { endpoint: sampleEndpoint(OTHER_KEY_ID), watermark: T0 + 1 },
      ]);
    });

    it('leases active endpoints with unsent events or due deliveries', async () => {
      const { endpoints, deliveries } = opened.direct;
      await endpoints.save(sampleEndpoint());
      expect(await endpoints.lease(LEASE, T0, 10)).toEqual([]);
      const event = sampleEvent(1, T0 + 1);
      await appendStamped(opened.direct, [event]);
      await endpoints.lease(LEASE, T0, 10);
      await deliveries.save([sampleDelivery(event, { dueAt: T0 + 500 })]);
      await endpoints.settle([sampleSettlement({ watermark: event.at, release: true })]);

      expect(await endpoints.lease(LEASE, T0 + 499, 10)).toEqual([]);
      await endpoints.save(sampleEndpoint(KEY_ID, { state: PAUSED }));
      expect(await endpoints.lease(LEASE, T0 + 500, 10)).toEqual([]);
      await endpoints.save(sampleEndpoint());
      expect(await endpoints.lease(LEASE, T0 + 500, 10)).toHaveLength(1);
      await endpoints.release([MINE]);
      await deliveries.save([sampleDelivery(event, { state: 'dead', dueAt: null })]);
      expect(await endpoints.lease(LEASE, T0 + 500, 10)).toEqual([]);
    });

    it('leases for events, but not for stamps without events', async () => {
      const { endpoints, feed } = opened.direct;
      await endpoints.save(sampleEndpoint());
      const takeWithout = (how: 'take' | 'takeSoon' | 'takeFree', now: number) =>
        feed[how]([{ keyId: KEY_ID, count: 2, withoutEvents: true }], now);
      await takeWithout('take', T0 + 10);
      expect(await endpoints.lease(LEASE, T0, 10)).toEqual([]);
      await appendStamped(opened.direct, [sampleEvent(1, T0 + 20)]);
      for (const how of ['take', 'takeSoon', 'takeFree'] as const) await takeWithout(how, T0 + 30);
      expect(await endpoints.lease(LEASE, T0, 10)).toHaveLength(1);
      await endpoints.settle([sampleSettlement({ watermark: T0 + 20, release: true })]);
      expect(await endpoints.lease(LEASE, T0, 10)).toEqual([]);
      // Stamps that no event used.
      await feed.take([{ keyId: KEY_ID, count: 2 }], T0 + 40);
      expect(await endpoints.lease(LEASE, T0, 10)).toEqual([]);
    });

    it('leases every endpoint with a due delivery, regardless of the keys in between', async () => {
      const { partners, keys, endpoints, deliveries } = opened.direct;
      const ids = ['key_1', 'key_2', 'key_3', 'key_4', 'key_5'] as const;
      for (const [index, id] of ids.entries()) {
        await partners.add(samplePartner(`ptn_${index}`));
        await keys.add(sampleKey(id, `ptn_${index}`));
        const event = sampleEvent(index, T0 + 1, id);
        await appendStamped(opened.direct, [event]);
        await endpoints.save(sampleEndpoint(id, id === 'key_4' ? { state: PAUSED } : {}));
        if (id === 'key_1') continue;
        await deliveries.save([sampleDelivery(event, { dueAt: id === 'key_3' ? T0 + 9 : T0 + 5 })]);
      }
      const leased = await endpoints.lease(LEASE, T0 + 5, 10);
      expect(leased.map(({ endpoint }) => endpoint.keyId)).toEqual(['key_2', 'key_5']);
      for (const { endpoint } of leased)
        await endpoints.release([{ keyId: endpoint.keyId, token: LEASE.token }]);
      const found = [];
      for (const limit of [1, 1, 1]) found.push(...(await endpoints.lease(LEASE, T0 + 9, limit)));
      expect(found.map(({ endpoint }) => endpoint.keyId).sort()).toEqual(['key_2', 'key_3', 'key_5']);
      expect(await endpoints.lease(LEASE, T0 + 9, 1)).toEqual([]);
    });

    it('marks feeds as idle only without unsent events, and leases for later events', async () => {
      const { endpoints, feed } = opened.direct;
      await endpoints.save(sampleEndpoint());
      await appendStamped(opened.direct, [sampleEvent(1, T0 + 10)]);
      // A key without an endpoint has nothing to send.
      await feed.take([{ keyId: OTHER_KEY_ID, count: 1 }], T0 + 10);
      expect(await endpoints.markIdle(T0 + 10, 10)).toBe(0);
      expect(await endpoints.markIdle(T0 + 11, 10)).toBe(1);
      expect(await endpoints.lease(LEASE, T0, 10)).toHaveLength(1);
      await endpoints.settle([sampleSettlement({ watermark: T0 + 10, release: true })]);
      expect(await endpoints.markIdle(T0 + 11, 10)).toBe(1);
      expect(await endpoints.markIdle(T0 + 11, 10)).toBe(0);
      expect(await endpoints.lease(LEASE, T0, 10)).toEqual([]);
      await endpoints.save(sampleEndpoint(OTHER_KEY_ID, { state: PAUSED }));
      await appendStamped(opened.direct, [sampleEvent(2, T0 + 20), sampleEvent(3, T0 + 20, OTHER_KEY_ID)]);
      expect(await endpoints.markIdle(T0 + 100, 10)).toBe(0);
      // A paused endpoint keeps its backlog.
      await endpoints.save(sampleEndpoint(OTHER_KEY_ID));
      expect(await endpoints.lease(LEASE, T0, 10)).toHaveLength(2);
    });

    it('leases the longest waiting endpoints first', async () => {
      const { partners, keys, endpoints } = opened.direct;
      const ids = ['key_1', 'key_2', 'key_3'] as const;
      for (const [index, id] of ids.entries()) {
        await partners.add(samplePartner(`ptn_${index}`));
        await keys.add(sampleKey(id, `ptn_${index}`));
        await endpoints.save(sampleEndpoint(id));
        await appendStamped(opened.direct, [sampleEvent(index, T0 + 1, id)]);
      }
      const leaseOne = async () => {
        await opened.pass(1);
        const [leased] = await endpoints.lease(LEASE, T0, 1);
        const keyId = leased?.endpoint.keyId;
        if (keyId) await endpoints.release([{ keyId, token: LEASE.token }]);
        return keyId;
      };
      expect([await leaseOne(), await leaseOne(), await leaseOne()]).toEqual(ids);
      // Each endpoint has been leased once, so the first one is next again.
      expect(await leaseOne()).toBe('key_1');
      const all = await endpoints.lease(LEASE, T0, 10);
      expect(all.map(({ endpoint }) => endpoint.keyId)).toEqual(['key_2', 'key_3', 'key_1']);
    });
  });
}
