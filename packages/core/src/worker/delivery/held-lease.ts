import { type Batcher, type BatcherOptions, createBatcher } from '../../batcher.js';
import type { KeyId } from '../../domain/ids.js';
import { type Instant, SECOND_MS } from '../../domain/time.js';
import type { Lease } from '../../ports/repositories/claims.js';
import type { EndpointRepository, Holding, LeaseState } from '../../ports/repositories/endpoints.js';
import type { Clock } from '../../ports/runtime.js';

export interface HeldLease {
  readonly token: string;
  /** Returns whether the longest possible attempt, begun now, would end within the lease. */
  isSafe(now: Instant): boolean;
  endsBy(at: Instant): boolean;
  isLost(): boolean;
  lose(): void;
  /** Created on first use, because abort signals are slow to create. */
  readonly lost: AbortSignal;
  renewAt(now: Instant): Instant;
  /** Renews the lease if that is due. Rejects if the storage fails; a later call tries again. */
  renewIfDue(): Promise<void>;
}

export interface TakenLease {
  readonly token: string;
  /**
   * The local time, read before the lease was requested. The lease therefore never ends earlier than
   * calculated from this instant.
   */
  readonly askedAt: Instant;
}

export type Renew = Batcher<Holding & Lease, LeaseState>;

export function createRenew(
  endpoints: Pick<EndpointRepository, 'renew'>,
  options: Partial<BatcherOptions> = {},
): Renew {
  return createBatcher((leases) => endpoints.renew(leases), options);
}

/** The pause after a failed renewal. Many tries fit into the remaining two thirds of the lease. */
const RENEW_AGAIN_MS = 2 * SECOND_MS;

export function holdLease(
  renew: Renew,
  clock: Clock,
  leaseMs: number,
  keyId: KeyId,
  taken: TakenLease,
): HeldLease {
  const { token, askedAt } = taken;
  let lost: AbortController | null = null;
  // `signal.aborted` is slow.
  let isLost = false;
  let until = askedAt + leaseMs;
  let renewAt = askedAt + leaseMs / 3;
  let lastAt = askedAt;

  /** Returns when to renew: now if the clock was set back, because the remaining time is then unknown. */
  function nextRenewal(now: Instant): Instant {
    return now < lastAt ? now : renewAt;
  }

  function lose(): void {
    isLost = true;
    lost?.abort();
  }

  function lostSignal(): AbortSignal {
    lost ??= new AbortController();
    if (isLost) lost.abort();
    return lost.signal;
  }

  return {
    token,
    isSafe: (now) => !isLost && now <= until - leaseMs / 3,
    endsBy: (at) => at >= until,
    isLost: () => isLost,
    lose,
    get lost() {
      return lostSignal();
    },
    renewAt: nextRenewal,
    async renewIfDue() {
      const now = clock.now();
      if (now < nextRenewal(now)) return;
      lastAt = now;
      renewAt = now + RENEW_AGAIN_MS;
      const state = await renew({ keyId, token, forMs: leaseMs });
      if (state === 'lost') return lose();
      if (state === 'busy') return;
      until = now + leaseMs;
      renewAt = now + leaseMs / 3;
    },
  };
}
