import { expect, it } from 'vitest';
import { RATE_LIMITS, rateState, submissionBucket, WINDOW_MS } from '../domain/rate-limit.js';
import { createUsedUpBuckets } from './used-up-buckets.js';

const NOW = 10 * WINDOW_MS + 1;
const RESET_AT = 11 * WINDOW_MS;
const KEY = { id: 'key_1', loweredLimits: null } as const;
const LOWERED = {
  ...KEY,
  loweredLimits: { perMinute: { submit_application: 2 }, until: RESET_AT, reason: 'R' },
} as const;
const usual = submissionBucket(KEY, 'co_1', false, RATE_LIMITS);
const raised = submissionBucket(KEY, 'co_1', true, RATE_LIMITS);

function remember(bucket: typeof usual, count: number) {
  const usedUp = createUsedUpBuckets();
  usedUp.note(rateState(bucket, { count, windowStart: RESET_AT - WINDOW_MS, countedAt: NOW }));
  return usedUp;
}

it('remembers a used-up bucket until its reset', () => {
  const usedUp = remember(usual, usual.limit);
  expect(usedUp.has(usual, NOW)).toBe(true);
  expect(usedUp.has(usual, RESET_AT - 1)).toBe(true);
  expect(usedUp.has(usual, RESET_AT)).toBe(false);
});

it('does not remember a bucket with requests left, and confuses no companies', () => {
  expect(remember(usual, usual.limit - 1).has(usual, NOW)).toBe(false);
  const ofAnother = submissionBucket(KEY, 'co_2', false, RATE_LIMITS);
  expect(remember(usual, usual.limit).has(ofAnother, NOW)).toBe(false);
});

it('forgets a bucket whose limit has grown, but not one whose limit has shrunk', () => {
  expect(remember(usual, usual.limit).has(raised, NOW)).toBe(false);
  expect(remember(raised, raised.limit).has(usual, NOW)).toBe(true);
});

it('remembers a used-up bucket with a lower limit, but not once the limit is lifted', () => {
  const lowered = submissionBucket(LOWERED, 'co_1', false, RATE_LIMITS);
  const usedUp = remember(lowered, 2);
  expect(usedUp.has(lowered, NOW)).toBe(true);
  expect(usedUp.has(usual, NOW)).toBe(false);
});
