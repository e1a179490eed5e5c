import type { LeaseRepository } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import { LONG_LEASE_MS, SHORT_LEASE_MS } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const NAME = 'nightly-report';
const EVERY_MS = 2 * LONG_LEASE_MS;

function held(token: string, forMs = LONG_LEASE_MS, name = NAME) {
  return { name, token, forMs };
}

export function describeLeases<HostTx>(open: OpenStorage<HostTx>): void {
  describe('leases of the host', () => {
    const opened = useStorage(open);
    const take = (leases: LeaseRepository, token: string, everyMs = EVERY_MS, forMs = LONG_LEASE_MS) =>
      leases.take(held(token, forMs), everyMs);

    it('one of several that ask at once gets the lease, and the others hear how long to wait', async () => {
      const other = (await opened.another()).direct.leases;
      const { leases } = opened.direct;
      const answers = await Promise.all(
        ['a', 'b', 'c', 'd'].map((token, index) => take(index % 2 ? other : leases, token)),
      );
      expect(answers.filter((waitMs) => waitMs === null)).toHaveLength(1);
      for (const waitMs of answers) {
        if (waitMs === null) continue;
        expect(waitMs).toBeGreaterThan(LONG_LEASE_MS / 2);
        expect(waitMs).toBeLessThanOrEqual(LONG_LEASE_MS);
      }
    });

    it('a run that is done is due again when its time has passed since it began', async () => {
      const { leases } = opened.direct;
      expect(await take(leases, 'a')).toBeNull();
      await leases.release(NAME, 'a', 'done');
      const waitMs = await take(leases, 'b');
      expect(waitMs).toBeGreaterThan(LONG_LEASE_MS);
      expect(waitMs).toBeLessThanOrEqual(EVERY_MS);
      expect(await leases.take(held('b', LONG_LEASE_MS, 'another'), EVERY_MS)).toBeNull();
      await opened.pass(SHORT_LEASE_MS);
      // Each asks with its own time: a new release may run the work more often.
      expect(await take(leases, 'b', SHORT_LEASE_MS)).toBeNull();
    });

    it('a run that was broken off, or whose process died, is due again when nobody holds the lease', async () => {
      const { leases } = opened.direct;
      expect(await take(leases, 'a')).toBeNull();
      await leases.release(NAME, 'a', 'broken_off');
      expect(await take(leases, 'b', EVERY_MS, SHORT_LEASE_MS)).toBeNull();
      expect(await take(leases, 'c')).toBeGreaterThanOrEqual(0);
      await opened.pass(SHORT_LEASE_MS);
      expect(await take(leases, 'c')).toBeNull();
    });

    it('only its holder renews and releases it', async () => {
      const { leases } = opened.direct;
      expect(await take(leases, 'a', EVERY_MS, SHORT_LEASE_MS)).toBeNull();
      expect(await leases.renew(held('b'))).toBe(false);
      expect(await leases.renew(held('a'))).toBe(true);
      await opened.pass(SHORT_LEASE_MS);
      expect(await take(leases, 'b')).toBeGreaterThan(0);
      await leases.release(NAME, 'b', 'broken_off');
      expect(await take(leases, 'b')).toBeGreaterThan(0);
      await leases.release(NAME, 'a', 'broken_off');
      expect(await take(leases, 'b')).toBeNull();
      expect(await leases.renew(held('a'))).toBe(false);
      await leases.release(NAME, 'a', 'done');
      expect(await leases.renew(held('b'))).toBe(true);
    });
  });
}
