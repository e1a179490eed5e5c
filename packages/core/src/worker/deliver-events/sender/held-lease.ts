import { type Batcher, type BatcherOptions, createBatcher } from '../../../batcher.js';
import type { KeyId } from '../../../domain/ids.js';
import { type Instant, SECOND_MS } from '../../../domain/time.js';
import type { Lease } from '../../../ports/repositories/claims.js';
import type { EndpointRepository, Holding, LeaseState } from '../../../ports/repositories/endpoints.js';
import type { Clock } from '../../../ports/runtime.js';

/** A lane's claim on its endpoint. */
export interface HeldLease {
  readonly token: string;
  /** Whether a further attempt would surely end within the lease. */
  isSafe(now: Instant): boolean;
  /** Whether it runs out by then unless it is renewed, and others may have it. */
  endsBy(at: Instant): boolean;
  /** Whether it is known to be another's. */
  isLost(): boolean;
  /** Notes that it is another's, or is to be let go without a word. */
  lose(): void;
  /** Aborts when it is lost. Made once somebody asks for it: a signal costs more than all else about a lease. */
  readonly lost: AbortSignal;
  /** When it should be renewed. */
  renewAt(now: Instant): Instant;
  /** Renews it if it is time. Rejects if the storage fails; it is then tried again soon. */
  renewIfDue(): Promise<void>;
}

/** A lease that the storage gave. */
export interface TakenLease {
  readonly token: string;
  /** By this process's clock, before it was asked for: it lasts no shorter from then on, whatever the storage's shows. */
  readonly askedAt: Instant;
}

/** Renews leases, many at once. */
export type Renew = Batcher<Holding & Lease, LeaseState>;

/** Builds the group. */
export function createRenew(
  endpoints: Pick<EndpointRepository, 'renew'>,
  options: Partial<BatcherOptions> = {},
): Renew {
  return createBatcher((leases) => endpoints.renew(leases), options);
}

/** How soon a renewal that failed, or was held up, is tried again: often, within the two thirds that are left. */
const RENEW_AGAIN_MS = 2 * SECOND_MS;

/** Holds a lease that was just taken, and renews it each time a third of it has passed. */
export function holdLease(
  renew: Renew,
  clock: Clock,
  leaseMs: number,
  keyId: KeyId,
  taken: TakenLease,
): HeldLease {
  const { token, askedAt } = taken;
  let lost: AbortController | null = null;
  // Asked for several times for each attempt, and a signal is slow to say.
  let isLost = false;
  let until = askedAt + leaseMs;
  let renewAt = askedAt + leaseMs / 3;
  let lastAt = askedAt;

  /** A clock that was set back no longer tells how much of the lease is left: it is time to renew. */
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
