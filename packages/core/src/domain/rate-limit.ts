import { clientNetwork } from './client-network.js';
import type { CompanyId, KeyId } from './ids.js';
import type { Optional } from './optional.js';
import { type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/** The window of the limits, in milliseconds: one minute. Contract: 8.5. */
export const WINDOW_MS = MINUTE_MS;

/**
 * Requests that count together: submissions for each key and company; failed authentications for each network of
 * clients; the others for each key. `webhook_endpoint` counts all requests to `/webhook-endpoint`, and `guard` those
 * that belong to no other bucket.
 */
export type BucketKind =
  | 'submit_application'
  | 'read_application'
  | 'list_applications'
  | 'list_jobs'
  | 'list_events'
  | 'webhook_endpoint'
  | 'guard'
  | 'failed_authentication';

/** Requests per minute in each bucket, each above 0. `submit_application` is for each key and company. */
export type RateLimits = Readonly<Record<BucketKind, number>>;

/**
 * The default limits: 10 submissions, 60 reads of each list, 120 of one application, 10 requests to
 * `/webhook-endpoint`, 300 others, 120 failed authentications. Contract: 8.1 to 8.4.
 */
export const RATE_LIMITS: RateLimits = {
  submit_application: 10,
  read_application: 120,
  list_applications: 60,
  list_jobs: 60,
  list_events: 60,
  webhook_endpoint: 10,
  guard: 300,
  failed_authentication: 120,
};

/** Contract: 8.8. */
export const BOOTSTRAP_FACTOR = 5;

/** A kind of bucket that belongs to a key, so that its limit can be lowered for one key. */
export type KeyLimitKind = Exclude<BucketKind, 'failed_authentication'>;

/** The requests that each limit of a key counts. */
export const LIMITED_REQUESTS: Readonly<Record<KeyLimitKind, string>> = {
  submit_application: 'POST /applications',
  read_application: 'GET /applications/{id}',
  list_applications: 'GET /applications',
  list_jobs: 'GET /jobs',
  list_events: 'GET /events',
  webhook_endpoint: 'all of /webhook-endpoint',
  guard: 'refused and repeated requests',
};

export const KEY_LIMIT_KINDS = Object.keys(LIMITED_REQUESTS) as readonly KeyLimitKind[];

/** Lower limits of one key, for a time. Contract: 8.14. */
export interface LoweredLimits {
  /** Requests per minute, each from 1. A kind without a number, or with more than the usual limit, keeps that. */
  readonly perMinute: Optional<Record<KeyLimitKind, number>>;
  /** When the usual limits apply again. */
  readonly until: Instant;
  /** The partner sees it in the portal. */
  readonly reason: string;
}

/** A key, as far as its limits depend on it. */
export interface LimitedKey {
  readonly id: KeyId;
  readonly loweredLimits: LoweredLimits | null;
}

/** Returns the key, without lower limits that have ended. */
export function keyAt<Key extends LimitedKey>(key: Key, now: Instant): Key {
  const hasEnded = key.loweredLimits !== null && now >= key.loweredLimits.until;
  return hasEnded ? { ...key, loweredLimits: null } : key;
}

/** Returns the limit that applies: a lower one never raises it. */
export function appliedLimit(kind: KeyLimitKind, limits: RateLimits, lowered: LoweredLimits | null): number {
  return Math.min(limits[kind], lowered?.perMinute[kind] ?? limits[kind]);
}

/** Contract: 9.17. */
export type RateScope =
  | { readonly kind: 'partner' }
  | { readonly kind: 'partner_company'; readonly companyId: CompanyId };

/** A bucket with its current limit. */
export interface Bucket {
  readonly id: string;
  readonly limit: number;
  readonly scope: RateScope;
}

/** The number of requests counted in a time window. */
export interface WindowCount {
  readonly count: number;
  readonly windowStart: Instant;
  readonly countedAt: Instant;
}

/** Contract: 8.6. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Instant;
  readonly countedAt: Instant;
  readonly retryAfterSeconds: number;
  readonly scope: RateScope;
  readonly bucketId: string;
}

const PARTNER: RateScope = { kind: 'partner' };

/** The kinds of bucket that exist once per key. */
export type KeyBucketKind = Exclude<KeyLimitKind, 'submit_application'>;

/** Returns a bucket of a key, with the limit that applies. */
export function keyBucket(kind: KeyBucketKind, key: LimitedKey, limits: RateLimits): Bucket {
  return limitedBucket(`${kind}:${key.id}`, kind, key, limits);
}

/** Returns the bucket of a key and a company. Bootstrap mode multiplies the limit that applies. */
export function submissionBucket(
  key: LimitedKey,
  companyId: CompanyId,
  bootstrapping: boolean,
  limits: RateLimits,
): Bucket {
  const kind = 'submit_application';
  const bucket = limitedBucket(`${kind}:${key.id}:${companyId}`, kind, key, limits);
  const limit = bootstrapping ? bucket.limit * BOOTSTRAP_FACTOR : bucket.limit;
  return { ...bucket, limit, scope: { kind: 'partner_company', companyId } };
}

/**
 * Each lower limit has buckets of its own: a request that a process has counted before it knew of a change does not use
 * up the other limit.
 */
function limitedBucket(id: string, kind: KeyLimitKind, key: LimitedKey, limits: RateLimits): Bucket {
  const limit = appliedLimit(kind, limits, key.loweredLimits);
  return { id: limit < limits[kind] ? `${id}:${limit}` : id, limit, scope: PARTNER };
}

/** Returns the bucket for failed authentications from a client's network. */
export function addressBucket(address: string, limits: RateLimits): Bucket {
  const id = `failed_authentication:${clientNetwork(address)}`;
  return { id, limit: limits.failed_authentication, scope: PARTNER };
}

/** Returns the bucket for the acts of people of a partner in the portal, apart from those with the API key. */
export function portalBucket(keyId: KeyId, limits: RateLimits): Bucket {
  return { id: `portal:${keyId}`, limit: limits.webhook_endpoint, scope: PARTNER };
}

/** Returns the bucket for failed sign-ins to the portal from a client's network. Null: all whose network is unknown. */
export function signInBucket(address: string | null, limits: RateLimits): Bucket {
  const id = `${FAILED_SIGN_IN}:${address === null ? 'unknown' : clientNetwork(address)}`;
  return { id, limit: limits.failed_authentication, scope: PARTNER };
}

const FAILED_SIGN_IN = 'failed_sign_in';
const OF_NETWORKS: readonly string[] = ['failed_authentication', FAILED_SIGN_IN];

/** Returns the key that a bucket belongs to. Null for the bucket of a network. */
export function keyOfBucket(bucketId: string): KeyId | null {
  const [kind = '', id] = bucketId.split(':', 2);
  return OF_NETWORKS.includes(kind) || id === undefined ? null : (id as KeyId);
}

/** Returns the start of a window. */
export function windowStart(at: Instant): Instant {
  return at - (at % WINDOW_MS);
}

/** Returns the content of the rate headers. */
export function rateState(bucket: Bucket, window: WindowCount): RateState {
  const resetAt = window.windowStart + WINDOW_MS;
  return {
    limit: bucket.limit,
    remaining: Math.max(0, bucket.limit - window.count),
    resetAt,
    countedAt: window.countedAt,
    retryAfterSeconds: secondsUntil(resetAt, window.countedAt),
    scope: bucket.scope,
    bucketId: bucket.id,
  };
}

function secondsUntil(resetAt: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((resetAt - now) / SECOND_MS));
}

/** Counts no request. */
export function rateStateAt(state: RateState, now: Instant): RateState {
  const countedAt = Math.max(now, state.countedAt);
  return { ...state, countedAt, retryAfterSeconds: secondsUntil(state.resetAt, countedAt) };
}

/** Returns the state of an unused bucket. */
export function freshRateState(bucket: Bucket, now: Instant): RateState {
  return rateState(bucket, { count: 0, windowStart: windowStart(now), countedAt: now });
}

/** Returns the state of an exhausted bucket. */
export function spentRateState(bucket: Bucket, now: Instant): RateState {
  return rateState(bucket, { count: bucket.limit, windowStart: windowStart(now), countedAt: now });
}

/** The result of a counted request. */
export interface ChargeOutcome {
  readonly allowed: boolean;
  readonly isRepeatedRefusal: boolean;
  readonly state: RateState;
}

/**
 * Returns one outcome for each of `cost` requests that were counted together. The first ones are allowed
 * until the limit is reached.
 */
export function shareCharge(bucket: Bucket, cost: number, window: WindowCount): ChargeOutcome[] {
  const before = window.count - cost;
  return Array.from({ length: cost }, (_, index) => {
    const count = before + index + 1;
    return {
      allowed: count <= bucket.limit,
      isRepeatedRefusal: count > bucket.limit + 1,
      state: rateState(bucket, { ...window, count }),
    };
  });
}
