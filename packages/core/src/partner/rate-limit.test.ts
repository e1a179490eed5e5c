import { createFakeClock } from '@partner-hiring/test-support/clock';
import { expect, it } from 'vitest';
import type { Bucket } from '../domain/rate-limit.js';
import type { LimitedCharge } from '../ports/repositories/submissions.js';
import { chargeEach, createBucketCounts } from './rate-limit.js';

const bucket = (id: string, limit: number): Bucket => ({ id, limit, scope: { kind: 'partner' } });
const [NARROW, ROOMY] = [bucket('narrow', 2), bucket('roomy', 9)];
const of = (...buckets: readonly Bucket[]) => buckets.map((each) => ({ bucket: each }));
const countOf = (count: number) => ({ count, windowStart: 0, countedAt: 0 });

it('counts the requests of one bucket together, and gives them what is left in their order', async () => {
  const charged: LimitedCharge[] = [];
  const charge = async (charges: readonly LimitedCharge[]) => {
    charged.push(...charges);
    return charges.map(({ cost }) => countOf(cost));
  };
  const outcomes = await chargeEach(charge, of(NARROW, ROOMY, NARROW, NARROW));
  expect(charged).toEqual([
    { bucketId: 'narrow', cost: 3, limit: 2 },
    { bucketId: 'roomy', cost: 1, limit: 9 },
  ]);
  const left = outcomes.map(({ charge: { allowed, state } }) => [allowed, state.remaining]);
  expect(left).toEqual([
    [true, 1],
    [true, 8],
    [true, 0],
    [false, 0],
  ]);
});

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
  return { clock, asked, buckets: createBucketCounts(windows, clock) };
}

it('reads each bucket once', async () => {
  const { asked, buckets } = createCounts({ narrow: 1, roomy: 2 });
  const states = await buckets.read(of(NARROW, ROOMY, NARROW));
  expect(asked).toEqual(['narrow', 'roomy']);
  expect(states.map(({ state }) => state.remaining)).toEqual([1, 7, 1]);
});

it('neither counts nor reads an exhausted bucket again until its window ends', async () => {
  const { clock, asked, buckets } = createCounts({ narrow: 1 });
  expect(await buckets.charge(of(NARROW))).toMatchObject([
    { charge: { allowed: true, state: { remaining: 0 } } },
  ]);
  await clock.advance(10_000);
  expect(await buckets.charge(of(NARROW, ROOMY))).toMatchObject([
    {
      charge: {
        allowed: false,
        isRepeatedRefusal: true,
        state: { remaining: 0, retryAfterSeconds: 45 },
      },
    },
    { charge: { allowed: true } },
  ]);
  expect(await buckets.read(of(NARROW))).toMatchObject([{ state: { remaining: 0, retryAfterSeconds: 45 } }]);
  expect(asked).toEqual(['narrow', 'roomy']);
  await clock.advance(45_000);
  await buckets.read(of(NARROW));
  expect(asked).toEqual(['narrow', 'roomy', 'narrow']);
});

it('marks every refusal of a window but the first as repeated', async () => {
  const { buckets } = createCounts({});
  const outcomes = await buckets.charge(of(NARROW, NARROW, NARROW, NARROW));
  expect(outcomes.map(({ charge }) => [charge.allowed, charge.isRepeatedRefusal])).toEqual([
    [true, false],
    [true, false],
    [false, false],
    [false, true],
  ]);
});
