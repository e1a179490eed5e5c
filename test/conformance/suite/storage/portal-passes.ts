import { describe, expect, it } from 'vitest';
import type { PortalPass } from '../../../../packages/core/src/features/portal/rules.js';
import { T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

function samplePass(number: number, changes: Partial<PortalPass> = {}): PortalPass {
  return {
    hash: `hash-${number}`,
    kind: 'link',
    partnerId: 'ptn_1',
    origin: 'https://jobs.example.com',
    rights: ['keys', 'requests'],
    madeBy: 'Ada (user_42)',
    createdAt: T0,
    expiresAt: T0 + number,
    ...changes,
  };
}

export function describePortalPasses<HostTx>(open: OpenStorage<HostTx>): void {
  describe('links and sessions of the portal', () => {
    const opened = useStorage(open);

    it('are found by their hash, and removed once', async () => {
      const { portalPasses } = opened.direct;
      expect(await portalPasses.find('hash-1')).toBeNull();
      await portalPasses.add(samplePass(1));
      expect(await portalPasses.find('hash-1')).toEqual(samplePass(1));
      const removed = await Promise.all([portalPasses.remove('hash-1'), portalPasses.remove('hash-1')]);
      expect(removed.toSorted()).toEqual([false, true]);
      expect(await portalPasses.find('hash-1')).toBeNull();
    });

    it('are removed with their partner, and counted by kind', async () => {
      const { portalPasses } = opened.direct;
      for (const number of [1, 2]) await portalPasses.add(samplePass(number));
      await portalPasses.add(samplePass(3, { kind: 'session' }));
      await portalPasses.add(samplePass(4, { partnerId: 'ptn_2' }));
      expect(await portalPasses.removeOf('ptn_1')).toEqual({ links: 2, sessions: 1 });
      expect(await portalPasses.removeOf('ptn_1')).toEqual({ links: 0, sessions: 0 });
      expect(await portalPasses.find('hash-4')).not.toBeNull();
    });

    it('are swept after they have expired, the oldest first', async () => {
      const { portalPasses } = opened.direct;
      for (const number of [3, 1, 2]) await portalPasses.add(samplePass(number));
      expect(await portalPasses.sweep(T0 + 1, 9)).toBe(0);
      expect(await portalPasses.sweep(T0 + 3, 1)).toBe(1);
      expect(await portalPasses.find('hash-1')).toBeNull();
      expect(await portalPasses.sweep(T0 + 3, 9)).toBe(1);
      expect(await portalPasses.find('hash-3')).not.toBeNull();
    });
  });
}
