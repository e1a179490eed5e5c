import type { KeyId, StoredEndpoint } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import {
  appendStamped,
  KEY_ID,
  LONG_LEASE_MS,
  OTHER_KEY_ID,
  sampleDelivery,
  sampleEndpoint,
  sampleEvent,
  sampleHealth,
  sampleKey,
  samplePartner,
  sampleSettlement,
  seed,
  T0,
} from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const PAUSED = { kind: 'paused', reason: 'no_success', pausedAt: T0 + 9 } as const;

function failing(keyId: KeyId, since: number, changes: Partial<StoredEndpoint> = {}): StoredEndpoint {
  return sampleEndpoint(keyId, {
    health: sampleHealth({
      consecutiveFailures: 2,
      firstFailureAt: since,
      nextWarningAt: since + 10,
      lastFailure: { kind: 'answered', status: 503 },
    }),
    ...changes,
  });
}

export function describeFailingEndpoints<HostTx>(open: OpenStorage<HostTx>): void {
  describe('failing endpoints', () => {
    const opened = useStorage(open);

    /** Adds keys `key_1` and `key_2` of further partners. */
    async function prepare(): Promise<void> {
      await seed(opened.direct);
      for (const number of [1, 2]) {
        await opened.direct.partners.add(samplePartner(`ptn_${number}`));
        await opened.direct.keys.add(sampleKey(`key_${number}`, `ptn_${number}`));
      }
    }

    it('are listed in pages, the longest failing first, even if paused', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      const all = [
        failing(OTHER_KEY_ID, T0 + 1, { state: PAUSED }),
        failing('key_1', T0 + 2),
        failing('key_2', T0 + 2),
      ];
      for (const endpoint of [...all, sampleEndpoint(KEY_ID)]) await endpoints.save(endpoint);
      const rows = await endpoints.listFailing({ limit: 9 });
      expect(rows).toEqual(all);
      expect(await endpoints.listFailing({ limit: 2 })).toEqual(rows.slice(0, 2));
      const after = { failingSince: T0 + 2, keyId: 'key_1' } as const;
      expect(await endpoints.listFailing({ after, limit: 9 })).toEqual(rows.slice(2));
      expect(await endpoints.countFailing(9)).toBe(3);
      expect(await endpoints.countFailing(2)).toBe(2);
      await endpoints.save(sampleEndpoint('key_1'));
      expect(await endpoints.countFailing(9)).toBe(2);
    });

    it('are warned of once they are due, if they are active', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      const due = failing('key_1', T0);
      for (const each of [failing(KEY_ID, T0 + 1), due, failing('key_2', T0, { state: PAUSED })])
        await endpoints.save(each);
      const list = () => opened.storage.transaction((tx) => tx.endpoints.listToWarn(T0 + 10, 9));
      expect(await list()).toEqual([due]);
      const health = { ...due.health, failingWarnedAt: T0 + 10, nextWarningAt: T0 + 99 };
      await opened.storage.transaction((tx) => tx.endpoints.saveWarnings([{ ...due, url: 'no', health }]));
      expect(await endpoints.find('key_1')).toEqual({ ...due, health });
      expect(await list()).toEqual([]);
    });

    it('keep a warning through a settlement, and forget it when they recover', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      const warned = failing(KEY_ID, T0 + 1);
      const health = { ...warned.health, failingWarnedAt: T0 + 2, pauseWarnedAt: T0 + 3 };
      await endpoints.save(sampleEndpoint());
      await appendStamped(opened.direct, [sampleEvent(1, T0 + 1)]);
      await endpoints.lease({ token: 'mine', forMs: LONG_LEASE_MS }, T0 + 1, 9);
      await endpoints.settle([sampleSettlement({ health })]);
      expect((await endpoints.find(KEY_ID))?.health).toEqual(health);
      await endpoints.settle([sampleSettlement()]);
      expect((await endpoints.find(KEY_ID))?.health).toEqual(sampleHealth());
    });

    it('ignore a warning and an error of earlier failures, which an older release leaves', async () => {
      await prepare();
      const { endpoints } = opened.direct;
      const health = sampleHealth({ ...failing(KEY_ID, T0 + 5).health, failingWarnedAt: T0 + 4 });
      await endpoints.save(sampleEndpoint(KEY_ID, { health }));
      expect((await endpoints.find(KEY_ID))?.health).toEqual({ ...health, failingWarnedAt: null });
      const left = { ...health, firstFailureAt: null, consecutiveFailures: 0 };
      await endpoints.save(sampleEndpoint(KEY_ID, { health: left }));
      expect((await endpoints.find(KEY_ID))?.health).toEqual(sampleHealth());
    });

    it('have backlogs that name the oldest pending delivery, first sent or resent', async () => {
      await prepare();
      const { endpoints, deliveries } = opened.direct;
      for (const keyId of [KEY_ID, OTHER_KEY_ID]) {
        await endpoints.save(sampleEndpoint(keyId, { resumedAt: T0 + 7 }));
        const log = [1, 2, 3, 4].map((number) => sampleEvent(number, T0 + number, keyId));
        await appendStamped(opened.direct, log);
        await endpoints.advanceWatermark(keyId, T0 + 4);
        const [dead, again, later, first] = log.map((event) => sampleDelivery(event));
        if (!(dead && again && later && first)) throw new Error('Four were recorded.');
        await deliveries.save([
          { ...dead, state: 'dead', dueAt: null },
          { ...again, cycle: 2, pendingSince: keyId === KEY_ID ? T0 + 3 : T0 + 50 },
          { ...later, cycle: 3, pendingSince: T0 + 60 },
          { ...first, dueAt: T0 + 1 },
        ]);
      }
      const both = await endpoints.backlogsOf([OTHER_KEY_ID, 'key_none', KEY_ID], T0 + 9, 9);
      expect(both).toMatchObject([
        { keyId: KEY_ID, oldestPendingAt: T0 + 3, resumedAt: T0 + 7, due: 1, scheduled: 2 },
        { keyId: OTHER_KEY_ID, oldestPendingAt: T0 + 4 },
      ]);
      expect(await endpoints.backlogs(null, T0 + 9, 9)).toEqual(both);
      const [row] = await deliveries.find(KEY_ID, ['evt_000002']);
      expect(row?.pendingSince).toBe(T0 + 3);
    });
  });
}
