import type { PartnerKey } from '../domain/partner-key.js';
import {
  addressBucket,
  freshRateState,
  keyBucket,
  type RateLimits,
  type RateState,
} from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import { WIRE_ERRORS } from '../errors.js';
import { presentedHash } from '../partner/key-cache.js';
import type { PartnerApi } from '../partner/partner-api.js';
import type { HttpRequest } from './message.js';
import { type Outcome, type Route, refused, type Uncounted } from './route.js';
import type { WireRateLimited } from './wire-schemas/errors.js';

/** The body of a 429: whom it throttles, and for how long. Spec: Errors, 429 body fields. */
export function rateLimitedBody(rate: RateState): string {
  const { scope } = rate;
  const body: WireRateLimited = {
    error: 'RATE_LIMITED',
    message: WIRE_ERRORS.RATE_LIMITED.message,
    scope: scope.kind,
    ...(scope.kind === 'partner_company' ? { companyId: scope.companyId } : {}),
    retryAfter: rate.retryAfterSeconds,
  };
  return JSON.stringify(body);
}

/**
 * Where the bucket stands that a request would be counted in, as far as can be told before it is counted: no key's
 * where it presents none (decision 33). Whose bucket it is has no part in what its headers say.
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
 * Counts in the key's guard what was refused before a bucket of its own could count it. If the guard is
 * exhausted, that is the answer instead.
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

/** Refuses a request of a key that has too many under way in this process. One of them has ended within a second. */
export async function refuseCrowd(
  partner: Pick<PartnerApi, 'chargeGuard'>,
  key: PartnerKey,
): Promise<Outcome> {
  const { allowed, state } = await partner.chargeGuard(key);
  return refused({ code: 'RATE_LIMITED' }, allowed ? { ...state, retryAfterSeconds: 1 } : state);
}
