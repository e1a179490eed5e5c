import { expect, it } from 'vitest';
import type { Bucket } from '../domain/rate-limit.js';
import type { LimitedCharge } from '../ports/repositories/submissions.js';
import { chargeBucketsBy, readBuckets } from './charge.js';

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

it('where buckets stand is asked once for each, and not for those who do not ask', async () => {
  const asked: string[] = [];
  const windows = {
    read: async (ids: readonly string[]) => {
      asked.push(...ids);
      return ids.map((_, index) => countOf(index + 1));
    },
  };
  const states = await readBuckets(windows, [NARROW, ROOMY, null, NARROW]);
  expect(asked).toEqual(['narrow', 'roomy']);
  expect(states.map((state) => state?.remaining)).toEqual([1, 7, undefined, 1]);
});
