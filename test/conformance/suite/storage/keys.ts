import type { PartnerKey } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { KEY_ID, PARTNER_ID, sampleKey, samplePartner, sampleSecret, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

export function describeKeys<HostTx>(open: OpenStorage<HostTx>): void {
  describe('partners and keys', () => {
    const opened = useStorage(open);

    it('adds a partner once and lists partners oldest first', async () => {
      const { partners } = opened.direct;
      expect(await partners.add(samplePartner('ptn_b', T0 + 1))).toBe('added');
      expect(await partners.add(samplePartner('ptn_c', T0))).toBe('added');
      expect(await partners.add(samplePartner('ptn_b', T0 + 5))).toBe('exists');
      expect(await partners.find('ptn_b')).toEqual(samplePartner('ptn_b', T0 + 1));
      expect(await partners.find('ptn_unknown')).toBeNull();
      expect((await partners.list()).map(({ id }) => id)).toEqual(['ptn_c', 'ptn_b']);
    });

    it('saves the name of a partner, and since when it is disabled and removed', async () => {
      const { partners } = opened.direct;
      for (const id of ['ptn_a', 'ptn_b', 'ptn_c'] as const) await partners.add(samplePartner(id));
      const disabled = { ...samplePartner('ptn_a'), name: 'Renamed', disabledAt: T0 + 1 };
      const removed = { ...samplePartner('ptn_b'), disabledAt: T0 + 1, removedAt: T0 + 2 };
      await partners.save({ ...disabled, createdAt: T0 + 9 });
      await partners.save(removed);
      expect(await partners.find('ptn_a')).toEqual(disabled);
      await opened.storage.transaction(async (tx) => {
        expect(await tx.partners.findForUpdate('ptn_b')).toEqual(removed);
        expect(await tx.partners.findForUpdate('ptn_none')).toBeNull();
      });
      const page = { after: null, limit: 10 };
      expect(await partners.list(page)).toEqual([disabled, samplePartner('ptn_c')]);
      expect(await partners.list({ ...page, removed: true })).toEqual([removed]);
      expect(await partners.list()).toHaveLength(3);
    });

    it('adds one key for each partner and environment, with its feed head', async () => {
      const { partners, keys, feed } = opened.direct;
      await partners.add(samplePartner());
      expect(await keys.add({ ...sampleKey('key_s'), environment: 'sandbox' })).toBe('added');
      expect(await keys.add(sampleKey('key_p'))).toBe('added');
      expect(await keys.add(sampleKey('key_again'))).toBe('exists');
      expect(await keys.find('key_p')).toEqual(sampleKey('key_p'));
      expect(await keys.find('key_again')).toBeNull();
      expect((await keys.list(PARTNER_ID)).map(({ id }) => id)).toEqual(['key_p', 'key_s']);
      expect(await keys.list(null)).toHaveLength(2);
      expect(await feed.take([{ keyId: 'key_p', count: 1 }], T0 - 500)).toEqual([
        { keyId: 'key_p', first: T0 + 1, count: 1, isRecorded: false },
      ]);
    });

    it('finds secrets with their keys in the given order, usable or not', async () => {
      const { partners, keys } = opened.direct;
      await partners.add(samplePartner());
      await keys.add(sampleKey());
      const old = sampleSecret('hash-old', { expiresAt: T0 + 9, revokedAt: T0 + 8 });
      const current = sampleSecret('hash-new', { createdAt: T0 + 1 });
      await keys.addSecret(old);
      await keys.addSecret(current);
      const key = sampleKey();
      const readAt = expect.any(Number);
      expect(await keys.findByHashes(['hash-new', 'nothing', 'hash-old', 'hash-new'])).toEqual([
        { key, secret: current, disabledAt: null, readAt },
        null,
        { key, secret: old, disabledAt: null, readAt },
        { key, secret: current, disabledAt: null, readAt },
      ]);
      await partners.save({ ...samplePartner(), disabledAt: T0 + 3 });
      expect(await keys.findByHashes(['hash-new'])).toMatchObject([{ disabledAt: T0 + 3 }]);
      expect(await keys.findByHashes([])).toEqual([]);
      await keys.add({ ...sampleKey('key_sandbox'), environment: 'sandbox' });
      await keys.addSecret(sampleSecret('hash-theirs', { keyId: 'key_sandbox' }));
      expect(await keys.listSecrets(KEY_ID)).toEqual([current, old]);
    });

    it('ends secrets and records the use of those that work, without other changes', async () => {
      const { partners, keys } = opened.direct;
      await partners.add(samplePartner());
      await keys.add(sampleKey());
      const [first, second] = [sampleSecret('hash-1'), sampleSecret('hash-2', { createdAt: T0 - 1 })];
      const old = sampleSecret('hash-3', { createdAt: T0 - 2, expiresAt: T0 + 60_000 });
      for (const secret of [first, second, old]) await keys.addSecret(secret);
      await keys.saveSecrets([{ ...first, prefix: 'ignored', expiresAt: T0 + 7, revokedAt: T0 + 3 }]);
      await keys.touchSecrets(['hash-1', 'hash-2', 'hash-3'], T0 + 60_000);
      await keys.touchSecrets([], T0 + 70_000);
      expect(await keys.listSecrets(KEY_ID)).toEqual([
        { ...first, expiresAt: T0 + 7, revokedAt: T0 + 3 },
        { ...second, lastUsedAt: T0 + 60_000 },
        old,
      ]);
    });

    it('saves lower limits of keys, and returns them with a secret and the key', async () => {
      const { partners, keys } = opened.direct;
      await partners.add(samplePartner());
      await keys.add(sampleKey());
      await keys.add({ ...sampleKey('key_other'), environment: 'sandbox' });
      await keys.addSecret(sampleSecret('hash-1'));
      const loweredLimits = { perMinute: { list_jobs: 1, guard: 20 }, until: T0 + 5, reason: 'Ticket 7' };
      const lowered = { ...sampleKey(), loweredLimits };
      await keys.saveLimits([{ ...lowered, partnerId: 'ptn_ignored' } as PartnerKey]);
      await keys.saveLimits([]);
      expect(await keys.find(KEY_ID)).toEqual(lowered);
      expect(await keys.findByHashes(['hash-1'])).toMatchObject([{ key: lowered }]);
      expect((await keys.list(null)).map((key) => key.loweredLimits)).toEqual([loweredLimits, null]);
      expect(await keys.listByLastFour('sh-1', 9)).toEqual([lowered]);
      await opened.storage.transaction(async (tx) => {
        expect(await tx.keys.findForUpdate(KEY_ID)).toEqual(lowered);
        await tx.keys.saveLimits([{ id: KEY_ID, loweredLimits: null }]);
      });
      expect(await keys.findByHashes(['hash-1'])).toMatchObject([{ key: sampleKey() }]);
    });

    it('rejects a key of an unknown partner, without a feed head', async () => {
      const { keys, feed } = opened.direct;
      await expect(keys.add(sampleKey())).rejects.toThrow();
      await expect(feed.take([{ keyId: KEY_ID, count: 1 }], T0)).rejects.toThrow();
    });
  });
}
