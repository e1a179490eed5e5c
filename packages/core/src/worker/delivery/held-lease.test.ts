import { createFakeClock, STORY_START, settle } from '@partner-hiring/test-support/clock';
import { describe, expect, it } from 'vitest';
import type { KeyId } from '../../domain/ids.js';
import type { Lease } from '../../ports/repositories/claims.js';
import type { Holding, LeaseState } from '../../ports/repositories/endpoints.js';
import { createRenew, holdLease } from './held-lease.js';

const LEASE_MS = 90_000;
const KEY: KeyId = 'key_1';

describe('holdLease', () => {
  it('renews after a third of the lease', async () => {
    const { held, clock, renewals } = setUp();
    await clock.advance(LEASE_MS / 3 - 1);
    await held.renewIfDue();
    expect(renewals).toEqual([]);
    await clock.advance(1);
    await held.renewIfDue();
    expect(renewals).toEqual([{ keyId: KEY, token: 'token', forMs: LEASE_MS }]);
    expect(held.renewAt(clock.now())).toBe(clock.now() + LEASE_MS / 3);
  });

  it('renews at once after the clock was set back', async () => {
    const { held, clock, renewals } = setUp();
    clock.setBack(3_600_000);
    expect(held.renewAt(clock.now())).toBeLessThanOrEqual(clock.now());
    await held.renewIfDue();
    expect(renewals).toEqual([{ keyId: KEY, token: 'token', forMs: LEASE_MS }]);
    await held.renewIfDue();
    expect(renewals).toHaveLength(1);
    expect(held.renewAt(clock.now())).toBe(clock.now() + LEASE_MS / 3);
  });

  it('is lost when the storage has another token', async () => {
    const { held, clock } = setUp({ answer: () => ['lost'] });
    await clock.advance(LEASE_MS / 3);
    await held.renewIfDue();
    expect(held.isLost()).toBe(true);
    expect(held.isSafe(clock.now())).toBe(false);
  });

  it('aborts signals created before and after the loss', () => {
    const { held } = setUp();
    const signals = [held.lost, held.lost];
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    held.lose();
    expect([...signals, held.lost].map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('expires after its duration since the request or the last renewal', async () => {
    const { held, clock } = setUp();
    expect([LEASE_MS - 1, LEASE_MS].map((ms) => held.endsBy(STORY_START + ms))).toEqual([false, true]);
    await clock.advance(LEASE_MS / 3);
    await held.renewIfDue();
    const renewedAt = clock.now();
    expect([LEASE_MS - 1, LEASE_MS].map((ms) => held.endsBy(renewedAt + ms))).toEqual([false, true]);
  });

  it('counts from before the request when the storage is slow', () => {
    const askedAt = STORY_START - 10_000;
    const { held } = setUp({ askedAt });
    expect([LEASE_MS - 1, LEASE_MS].map((ms) => held.endsBy(askedAt + ms))).toEqual([false, true]);
    expect(held.renewAt(STORY_START)).toBe(askedAt + LEASE_MS / 3);
  });

  it('counts from before the renewal when the storage is slow', async () => {
    const { held, clock } = setUp({
      async answer() {
        await clock.sleep(10_000);
        return ['held'];
      },
    });
    await clock.advance(LEASE_MS / 3);
    const askedAt = clock.now();
    const renewed = held.renewIfDue();
    await settle();
    await clock.advance(10_000);
    await renewed;
    expect([LEASE_MS - 1, LEASE_MS].map((ms) => held.endsBy(askedAt + ms))).toEqual([false, true]);
    expect(held.renewAt(clock.now())).toBe(askedAt + LEASE_MS / 3);
  });

  it('renews at once when the clock was set back during the request', () => {
    const { held } = setUp({ askedAt: STORY_START + 1 });
    expect(held.renewAt(STORY_START)).toBe(STORY_START);
  });

  it('retries the renewal soon while another transaction holds the endpoint', async () => {
    const answers: LeaseState[] = ['busy', 'held'];
    const { held, clock, renewals } = setUp({ answer: () => answers.splice(0, 1) });
    await clock.advance(LEASE_MS / 3);
    await held.renewIfDue();
    expect(held.isLost()).toBe(false);
    expect(held.renewAt(clock.now())).toBe(clock.now() + 2_000);
    await clock.advance(2_000);
    await held.renewIfDue();
    expect(renewals).toHaveLength(2);
    expect(held.renewAt(clock.now())).toBe(clock.now() + LEASE_MS / 3);
  });

  it('is not safe when renewing failed and less than a third is left', async () => {
    const { held, clock, renewals } = setUp({
      answer() {
        throw new Error('The storage is down.');
      },
    });
    await clock.advance(LEASE_MS / 3);
    await expect(held.renewIfDue()).rejects.toThrow();
    await held.renewIfDue();
    expect(renewals).toHaveLength(1);
    await clock.advance(LEASE_MS / 3);
    expect(held.isSafe(clock.now())).toBe(true);
    await clock.advance(1);
    expect(held.isSafe(clock.now())).toBe(false);
    await expect(held.renewIfDue()).rejects.toThrow();
  });
});

function setUp({ askedAt = STORY_START, answer = holds }: Partial<Setting> = {}) {
  const clock = createFakeClock();
  const renewals: (Holding & Lease)[] = [];
  const renew = createRenew({
    async renew(leases) {
      renewals.push(...leases);
      return answer();
    },
  });
  return { clock, renewals, held: holdLease(renew, clock, LEASE_MS, KEY, { token: 'token', askedAt }) };
}

interface Setting {
  readonly askedAt: number;
  answer(): readonly LeaseState[] | Promise<readonly LeaseState[]>;
}

function holds(): readonly LeaseState[] {
  return ['held'];
}
