import { createFakeClock } from '@partner-hiring/test-support/clock';
import { expect, it } from 'vitest';
import type { Bucket } from '../domain/rate-limit.js';
import type { LimitedCharge } from '../ports/repositories/submissions.js';
import { chargeBucketsBy, createBucketCounts } from './charge.js';
import { createExhaustedBuckets } from './exhausted-buckets.js';

const bucket = (id: string, limit: number): Bucket => ({ id, limit, scope: { kind: 'partner' } });
const [NARROW, ROOMY] = [bucket('narrow', 2), bucket('roomy', 9)];
const countOf = (count: number) => ({ count, windowStart: 0, countedAt: 0 });

it('requests of one bucket are counted together, and share what is left in their order', async () => {
  const charged: LimitedCharge[] = [];
  const charge = async (charges: readonly LimitedCharge[]) => {
    charged.push(...charges);
    return charges.map(({ cost }) => countOf(cost));
  };
  const outcomes = await chargeBucketsBy(charge, [NARROW, null, ROOMY, NARROW, NARROW]);
  expect(charged).toEqual([
    { bucketId: 'narrow', cost: 3, limit: 2 },
    { bucketId: 'roomy', cost: 1, limit: 9 },
  ]);
  const left = outcomes.map((outcome) => outcome && [outcome.allowed, outcome.state.remaining]);
  expect(left).toEqual([[true, 1], null, [true, 8], [true, 0], [false, 0]]);
});

/** A storage whose buckets stand where they are told to, and what it was asked for. */
function createCounts(counts: Record<string, number>) {
  const asked: string[] = [];
  const clock = createFakeClock();
  const countOfBucket = (id: string) => {
    asked.push(id);
    return { count: counts[id] ?? 0, windowStart: clock.now() - 5_000, countedAt: clock.now() };
  };
  const windows = {
    charge: async (charges: readonly { readonly bucketId: string; readonly cost: number }[]) =>
      charges.map(({ bucketId, cost }) => {
        counts[bucketId] = (counts[bucketId] ?? 0) + cost;
        return countOfBucket(bucketId);
      }),
    read: async (ids: readonly string[]) => ids.map(countOfBucket),
  };
  return { clock, asked, buckets: createBucketCounts(windows, createExhaustedBuckets(clock)) };
}

it('where buckets stand is asked once for each, and not for those who do not ask', async () => {
  const { asked, buckets } = createCounts({ narrow: 1, roomy: 2 });
  const states = await buckets.read([NARROW, ROOMY, null, NARROW]);
  expect(asked).toEqual(['narrow', 'roomy']);
  expect(states.map((state) => state?.remaining)).toEqual([1, 7, undefined, 1]);
});

it('an exhausted bucket is neither counted nor read again until its window ends', async () => {
  const { clock, asked, buckets } = createCounts({ narrow: 1 });
  expect(await buckets.charge([NARROW])).toMatchObject([{ allowed: true, state: { remaining: 0 } }]);
  await clock.advance(10_000);
  expect(await buckets.charge([NARROW, ROOMY])).toMatchObject([
    { allowed: false, isRepeatedRefusal: true, state: { remaining: 0, retryAfterSeconds: 45 } },
    { allowed: true },
  ]);
  expect(await buckets.read([NARROW])).toMatchObject([{ remaining: 0, retryAfterSeconds: 45 }]);
  expect(asked).toEqual(['narrow', 'roomy']);
  await clock.advance(45_000);
  await buckets.read([NARROW]);
  expect(asked).toEqual(['narrow', 'roomy', 'narrow']);
});

it('the first refusal of a window is told from those that repeat it', async () => {
  const { buckets } = createCounts({});
  const outcomes = await buckets.charge([NARROW, NARROW, NARROW, NARROW]);
  expect(outcomes.map((outcome) => [outcome?.allowed, outcome?.isRepeatedRefusal])).toEqual([
    [true, false],
    [true, false],
    [false, false],
    [false, true],
  ]);
});
