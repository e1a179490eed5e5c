import type { KeyId } from '../domain/ids.js';
import type { PartnerKey } from '../domain/partner-key.js';
import {
  addressBucket,
  freshRateState,
  keyBucket,
  type RateLimits,
  type RateState,
} from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import { presentedHash } from '../partner/key-cache.js';
import type { PartnerApi } from '../partner/partner-api.js';
import type { HttpRequest } from './message.js';
import { type Outcome, type Route, refused, type Uncounted } from './route.js';

export interface InFlight {
  enter(keyId: KeyId): boolean;
  leave(keyId: KeyId): void;
}

export function createInFlight(maxPerKey: number): InFlight {
  const counts = new Map<KeyId, number>();
  return {
    enter: (keyId) => {
      const count = counts.get(keyId) ?? 0;
      if (count >= maxPerKey) return false;
      counts.set(keyId, count + 1);
      return true;
    },
    leave: (keyId) => {
      const count = counts.get(keyId) ?? 0;
      if (count > 1) counts.set(keyId, count - 1);
      else counts.delete(keyId);
    },
  };
}

/**
 * Returns the values of the rate headers for a request that could not be counted because of a failure.
 * Decision 33.
 */
export function expectedRate(
  request: HttpRequest,
  route: Route | null,
  limits: RateLimits,
  now: Instant,
): RateState {
  const isKeyPresented = presentedHash(request.headerValues('authorization')) !== null;
  const bucket = isKeyPresented
    ? keyBucket(route?.bucket ?? 'guard', 'key_', limits)
    : addressBucket('', limits);
  return freshRateState(bucket, now);
}

/**
 * Counts a refused request in the key's guard bucket. If that bucket is exhausted, returns RATE_LIMITED
 * instead.
 */
export async function countRefusal(
  partner: Pick<PartnerApi, 'chargeGuard'>,
  key: PartnerKey,
  outcome: Uncounted,
): Promise<Outcome> {
  const { allowed, state: rate } = await partner.chargeGuard(key);
  if (!allowed) return refused({ code: 'RATE_LIMITED' }, rate);
  return { ...outcome, kind: 'refused', rate };
}

export async function refuseCrowd(
  partner: Pick<PartnerApi, 'chargeGuard'>,
  key: PartnerKey,
): Promise<Outcome> {
  const { allowed, state } = await partner.chargeGuard(key);
  return refused({ code: 'RATE_LIMITED' }, allowed ? { ...state, retryAfterSeconds: 1 } : state);
}
