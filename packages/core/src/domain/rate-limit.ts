import { clientNetwork } from './client-network.js';
import type { CompanyId, KeyId } from './ids.js';
import { type Instant, MINUTE_MS, SECOND_MS } from './time.js';

/** All windows are of one length, aligned to the minute. Spec: Limits. */
export const WINDOW_MS = MINUTE_MS;

/** What a bucket counts. */
export type BucketKind =
  | 'submit_application'
  | 'read_application'
  | 'list_applications'
  | 'list_jobs'
  /** What a key sends and is refused before a bucket of its own counts it. */
  | 'guard'
  /** Failed authentication, by client address. */
  | 'failed_authentication';

/** Requests per window of each bucket. */
export type RateLimits = Readonly<Record<BucketKind, number>>;

/** The limits of the specification, and the two guards that we add. Spec: Limits. */
export const RATE_LIMITS: RateLimits = {
  submit_application: 10,
  read_application: 120,
  list_applications: 60,
  list_jobs: 60,
  guard: 300,
  failed_authentication: 120,
};

/** What bootstrap mode multiplies the submission limit by. Spec: Limits, rule 2. */
export const BOOTSTRAP_FACTOR = 5;

/** Whom a refusal throttles: one company's submissions, or all of the key's requests. Spec: Errors, 429. */
export type RateScope =
  | { readonly kind: 'partner' }
  | { readonly kind: 'partner_company'; readonly companyId: CompanyId };

/** A bucket with its limit at the moment. */
export interface Bucket {
  /** Unique over all buckets; what the storage counts under. */
  readonly id: string;
  readonly limit: number;
  readonly scope: RateScope;
}

/** What a bucket's window has counted. */
export interface WindowCount {
  /** Requests counted in the window, those over the limit included. */
  readonly count: number;
  readonly windowStart: Instant;
  /** Now, on the storage's clock. */
  readonly countedAt: Instant;
}

/** Where a bucket stands, as the rate headers tell it. Spec: Limits, rule 1. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Instant;
  /** When the count was taken, on the storage's clock. */
  readonly countedAt: Instant;
  /** Whole seconds until the reset, at least 1: the `Retry-After` header and `retryAfter`. */
  readonly retryAfterSeconds: number;
  readonly scope: RateScope;
}

const PARTNER: RateScope = { kind: 'partner' };

/** The kinds of which a key has one bucket: its read operations, and its guard. */
export type KeyBucketKind = Exclude<BucketKind, 'submit_application' | 'failed_authentication'>;

/** The bucket of a key for one of its read operations, or its guard. */
export function keyBucket(kind: KeyBucketKind, keyId: KeyId, limits: RateLimits): Bucket {
  return { id: `${kind}:${keyId}`, limit: limits[kind], scope: PARTNER };
}

/** The bucket of a key's submissions to one company. */
export function submissionBucket(
  keyId: KeyId,
  companyId: CompanyId,
  bootstrapping: boolean,
  limits: RateLimits,
): Bucket {
  const base = limits.submit_application;
  return {
    id: `submit_application:${keyId}:${companyId}`,
    limit: bootstrapping ? base * BOOTSTRAP_FACTOR : base,
    scope: { kind: 'partner_company', companyId },
  };
}

/** The bucket of failed authentication from one client address, with its network where that is IPv6. */
export function addressBucket(address: string, limits: RateLimits): Bucket {
  const id = `failed_authentication:${clientNetwork(address)}`;
  return { id, limit: limits.failed_authentication, scope: PARTNER };
}

/** The start of the window that an instant falls into. */
export function windowStart(at: Instant): Instant {
  return at - (at % WINDOW_MS);
}

/** A bucket as its headers tell it, from what was counted. */
export function rateState(bucket: Bucket, window: WindowCount): RateState {
  const resetAt = window.windowStart + WINDOW_MS;
  return {
    limit: bucket.limit,
    remaining: Math.max(0, bucket.limit - window.count),
    resetAt,
    countedAt: window.countedAt,
    retryAfterSeconds: secondsUntil(resetAt, window.countedAt),
    scope: bucket.scope,
  };
}

/** Whole seconds until a reset, at least 1. */
function secondsUntil(resetAt: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((resetAt - now) / SECOND_MS));
}

/** The same bucket at a later time, with nothing more counted. */
export function rateStateAt(state: RateState, now: Instant): RateState {
  const countedAt = Math.max(now, state.countedAt);
  return { ...state, countedAt, retryAfterSeconds: secondsUntil(state.resetAt, countedAt) };
}

/** A bucket in which nothing was counted yet. */
export function freshRateState(bucket: Bucket, now: Instant): RateState {
  return rateState(bucket, { count: 0, windowStart: windowStart(now), countedAt: now });
}

/** A bucket whose limit is used up until the window ends. */
export function spentRateState(bucket: Bucket, now: Instant): RateState {
  return rateState(bucket, { count: bucket.limit, windowStart: windowStart(now), countedAt: now });
}

/** What became of one request that was counted. */
export interface ChargeOutcome {
  readonly allowed: boolean;
  /** Whether the bucket has refused a request before in this window. */
  readonly isRepeatedRefusal: boolean;
  readonly state: RateState;
}

/**
 * What became of each of `cost` requests that one statement counted together, in their order: the first
 * are let through as long as the limit lasts.
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
