import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressBucket,
  freshRateState,
  keyAt,
  keyBucket,
  keyOfBucket,
  type LoweredLimits,
  RATE_LIMITS,
  rateState,
  shareCharge,
  submissionBucket,
  windowStart,
} from './rate-limit.js';

const MINUTE = 60_000;
const START = 1_750_000_020_000;
const at = (ms: number, count: number) => ({ count, windowStart: START, countedAt: START + ms });
const key = (number: number, loweredLimits: LoweredLimits | null = null) =>
  ({ id: `key_${number}`, loweredLimits }) as const;
const lists = keyBucket('list_jobs', key(1), RATE_LIMITS);

describe('limits, per minute', () => {
  test.each([
    ['POST /applications', submissionBucket(key(1), 'co_1', false, RATE_LIMITS), 10],
    ['POST /applications in bootstrap mode', submissionBucket(key(1), 'co_1', true, RATE_LIMITS), 50],
    ['GET /applications/{id}', keyBucket('read_application', key(1), RATE_LIMITS), 120],
    ['GET /applications', keyBucket('list_applications', key(1), RATE_LIMITS), 60],
    ['GET /jobs', lists, 60],
    ['what is refused before it is counted', keyBucket('guard', key(1), RATE_LIMITS), 300],
    ['failed authentication', addressBucket('192.0.2.1', RATE_LIMITS), 120],
  ])('%s', (_, bucket, limit) => {
    expect(bucket.limit).toBe(limit);
  });

  test('submissions are limited per company, everything else per partner', () => {
    expect(submissionBucket(key(1), 'co_1', false, RATE_LIMITS).scope).toEqual({
      kind: 'partner_company',
      companyId: 'co_1',
    });
    expect(lists.scope).toEqual({ kind: 'partner' });
  });

  test('bootstrap mode raises the limit of the same bucket', () => {
    const [off, on] = [false, true].map((mode) => submissionBucket(key(1), 'co_1', mode, RATE_LIMITS));
    expect(on?.id).toBe(off?.id);
  });

  test('operations, keys, companies and addresses have separate buckets', () => {
    const ids = [
      ...(['read_application', 'list_applications', 'list_jobs', 'guard'] as const).flatMap((kind) => [
        keyBucket(kind, key(1), RATE_LIMITS).id,
        keyBucket(kind, key(2), RATE_LIMITS).id,
      ]),
      submissionBucket(key(1), 'co_1', false, RATE_LIMITS).id,
      submissionBucket(key(1), 'co_2', false, RATE_LIMITS).id,
      submissionBucket(key(2), 'co_1', false, RATE_LIMITS).id,
      addressBucket('key_1', RATE_LIMITS).id,
      addressBucket('2001:db8::1', RATE_LIMITS).id,
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('lower limits of a key', () => {
  const until = START + MINUTE;
  const lowered = (perMinute: LoweredLimits['perMinute']) => key(1, { perMinute, until, reason: 'R' });

  test.each([
    ['before their end', 6, until - 1, 6],
    ['from their end on', 6, until, 60],
    ['at one a minute', 1, START, 1],
    ['equal to the usual one', 60, START, 60],
    ['above the usual one', 600, START, 60],
    ['not given', undefined, START, 60],
  ])('%s', (_, list_jobs, now, limit) => {
    const known = keyAt(lowered({ list_jobs }), now);
    expect(keyBucket('list_jobs', known, RATE_LIMITS).limit).toBe(limit);
    expect(keyBucket('list_events', known, RATE_LIMITS).limit).toBe(60);
  });

  test.each([
    [false, 2, 2],
    [true, 2, 10],
    [true, 10, 50],
    [true, 40, 50],
  ])('bootstrap mode %s multiplies %i to %i', (isBootstrapping, submit_application, limit) => {
    const bucket = submissionBucket(lowered({ submit_application }), 'co_1', isBootstrapping, RATE_LIMITS);
    expect(bucket.limit).toBe(limit);
  });

  test('each limit has a bucket of its own, which belongs to the key', () => {
    const buckets = [60, 2, 1].flatMap((limit) => [
      keyBucket('list_jobs', lowered({ list_jobs: limit }), RATE_LIMITS),
      submissionBucket(lowered({ submit_application: limit }), 'co_1', false, RATE_LIMITS),
    ]);
    expect(new Set(buckets.map(({ id }) => id)).size).toBe(6);
    expect(buckets.map(({ id }) => keyOfBucket(id))).toEqual(buckets.map(() => 'key_1'));
    const ofOthers = keyBucket('guard', lowered({ list_jobs: 1 }), RATE_LIMITS);
    expect(ofOthers).toEqual(keyBucket('guard', key(1), RATE_LIMITS));
  });

  test('end on their own', () => {
    const limited = lowered({ guard: 3 });
    expect(keyAt(limited, until - 1)).toBe(limited);
    expect(keyAt(limited, until)).toEqual(key(1));
    expect(keyAt(key(1), START)).toEqual(key(1));
  });
});

describe('windows', () => {
  test('are aligned to the minute', () => {
    expect(windowStart(START)).toBe(START);
    expect(windowStart(START + MINUTE - 1)).toBe(START);
    expect(windowStart(START + MINUTE)).toBe(START + MINUTE);
  });

  test.each([
    [0, 60],
    [1, 60],
    [30_000, 30],
    [59_000, 1],
    [59_001, 1],
    [59_999, 1],
  ])('%i ms into one, the wait is %i s, at least 1', (ms, seconds) => {
    expect(rateState(lists, at(ms, 60)).retryAfterSeconds).toBe(seconds);
  });

  test('waiting for retryAfterSeconds always reaches the next window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MINUTE - 1 }), (ms) => {
        const state = rateState(lists, at(ms, 60));
        expect(START + ms + state.retryAfterSeconds * 1_000).toBeGreaterThanOrEqual(state.resetAt);
        expect(state.resetAt % 1_000).toBe(0);
      }),
    );
  });

  test('have the whole limit left when unused', () => {
    expect(freshRateState(lists, START + 5)).toEqual({
      limit: 60,
      remaining: 60,
      resetAt: START + MINUTE,
      countedAt: START + 5,
      retryAfterSeconds: 60,
      bucketId: 'list_jobs:key_1',
      scope: { kind: 'partner' },
    });
  });
});

describe('counting', () => {
  test('allows the request that reaches the limit, rejects the next, and keeps remaining at 0', () => {
    const charge = (count: number) => shareCharge(lists, 1, at(0, count))[0];
    expect(charge(1)).toMatchObject({ allowed: true, state: { remaining: 59 } });
    expect(charge(60)).toMatchObject({ allowed: true, state: { remaining: 0 } });
    expect(charge(61)).toMatchObject({ allowed: false, state: { remaining: 0 } });
    expect(charge(1_000)).toMatchObject({ allowed: false, state: { remaining: 0 } });
  });

  test('requests counted together have the same outcomes as one at a time', () => {
    fc.assert(
      fc.property(fc.nat(80), fc.integer({ min: 1, max: 80 }), (before, cost) => {
        const together = shareCharge(lists, cost, at(0, before + cost));
        const alone = Array.from(
          { length: cost },
          (_, index) => shareCharge(lists, 1, at(0, before + index + 1))[0],
        );
        expect(together).toEqual(alone);
        expect(together.filter(({ allowed }) => allowed)).toHaveLength(
          Math.min(cost, Math.max(0, 60 - before)),
        );
      }),
    );
  });
});
