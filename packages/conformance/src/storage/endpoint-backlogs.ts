import { describe, expect, it } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  OTHER_KEY_ID,
  SHORT_LEASE_MS,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const NOW = T0 + 100;
const LEASE = { token: 'mine', forMs: SHORT_LEASE_MS };
const PAUSED = { kind: 'paused', reason: 'gone', pausedAt: T0 } as const;

export function describeEndpointBacklogs<HostTx>(open: OpenStorage<HostTx>): void {
  describe('what waits for endpoints', () => {
    const opened = useStorage(open);

    /** Eleven events of which five were passed: one is due again, one is scheduled, one is dead, two are over. */
    async function prepare(): Promise<void> {
      await seed(opened.direct);
      const { endpoints, deliveries } = opened.direct;
      await endpoints.save(sampleEndpoint());
      await endpoints.save(sampleEndpoint(OTHER_KEY_ID, { state: PAUSED }));
      const log = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => sampleEvent(number + 20, T0 + number));
      await appendStamped(opened.direct, [...log, sampleEvent(1, T0 + 1, OTHER_KEY_ID)]);
      await endpoints.advanceWatermark(KEY_ID, T0 + 3);
      const [cancelled, delivered, due, scheduled, dead] = log.map((event) => sampleDelivery(event));
      if (!(cancelled && delivered && due && scheduled && dead)) throw new Error('Eleven were recorded.');
      await deliveries.save([
        { ...due, dueAt: NOW },
        { ...scheduled, dueAt: NOW + 1 },
        { ...dead, state: 'dead', dueAt: null },
        { ...cancelled, state: 'cancelled', dueAt: null },
        { ...delivered, state: 'delivered', dueAt: null },
      ]);
    }

    it('is counted by log and by rows, for one or for all, each up to the bound', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      const one = {
        ...{ keyId: KEY_ID, state: 'active', isHeld: false },
        ...{ unsent: 6, oldestUnsentAt: T0 + 4, due: 1, oldestDueAt: NOW, scheduled: 1, dead: 1 },
      };
      const other = {
        ...{ keyId: OTHER_KEY_ID, state: 'paused', isHeld: false },
        ...{ unsent: 1, oldestUnsentAt: T0 + 1, due: 0, oldestDueAt: null, scheduled: 0, dead: 0 },
      };
      expect(await endpoints.backlogs(KEY_ID, NOW, 100)).toEqual([one]);
      expect(await endpoints.backlogs(null, NOW, 100)).toEqual([one, other]);
      expect(await endpoints.backlogs(KEY_ID, NOW, 4)).toEqual([{ ...one, unsent: 4 }]);
      expect(await endpoints.backlogs(KEY_ID, NOW - 1, 4)).toMatchObject([
        { due: 0, oldestDueAt: null, scheduled: 2 },
      ]);
      expect(await endpoints.backlogs('key_none', NOW, 4)).toEqual([]);
    });

    it('says whether a worker holds the endpoint', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      await endpoints.lease(LEASE, NOW, 10);
      const isHeld = async (now: number) => (await endpoints.backlogs(KEY_ID, now, 1))[0]?.isHeld;
      // Whatever the process takes the time to be.
      expect([await isHeld(NOW), await isHeld(Number.MAX_SAFE_INTEGER)]).toEqual([true, true]);
      await opened.pass(LEASE.forMs);
      expect([await isHeld(NOW), await isHeld(0)]).toEqual([false, false]);
    });

    it('is passed only while no worker holds the endpoint, and never backwards', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      const unsent = async () => (await endpoints.backlogs(KEY_ID, NOW, 100))[0]?.unsent;
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 3)).toBe(false);
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 2)).toBe(false);
      expect(await endpoints.advanceWatermark('key_none', T0 + 5)).toBe(false);
      await endpoints.lease(LEASE, NOW, 10);
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 5)).toBe(false);
      expect(await unsent()).toBe(6);
      // The claim ran out: it ends, so that its worker settles nothing more.
      await opened.pass(LEASE.forMs);
      expect(await endpoints.advanceWatermark(KEY_ID, T0 + 5)).toBe(true);
      expect(await unsent()).toBe(4);
      expect(await endpoints.findLeased([{ keyId: KEY_ID, token: LEASE.token }])).toEqual([null]);
    });
  });
}
