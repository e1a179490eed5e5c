import {
  type Bucket,
  type ChargeOutcome,
  type RateState,
  rateState,
  shareCharge,
  type WindowCount,
} from '../domain/rate-limit.js';
import type { LimitedCharge, RateWindowRepository } from '../ports/repositories/submissions.js';
import type { ExhaustedBuckets } from './exhausted-buckets.js';

/**
 * Counts one request in each of the buckets, in one statement: requests of one bucket are counted together
 * and share what is left of it in their order. Null stands for a request that is not counted.
 */
export function chargeBuckets(
  windows: Pick<RateWindowRepository, 'charge'>,
  buckets: readonly (Bucket | null)[],
): Promise<readonly (ChargeOutcome | null)[]> {
  return chargeBucketsBy((charges) => windows.charge(charges), buckets);
}

/** The same, counted by the function that is given. */
export async function chargeBucketsBy(
  charge: (charges: readonly LimitedCharge[]) => Promise<readonly WindowCount[]>,
  buckets: readonly (Bucket | null)[],
): Promise<readonly (ChargeOutcome | null)[]> {
  const tallies = tally(buckets);
  if (tallies.size === 0) return buckets.map(() => null);
  const counted = [...tallies.values()];
  const counts = await charge(
    counted.map(({ bucket, cost }) => ({ bucketId: bucket.id, cost, limit: bucket.limit })),
  );
  const shares = new Map(
    counted.map(({ bucket, cost }, index) => [bucket.id, shareCharge(bucket, cost, required(counts[index]))]),
  );
  return buckets.map((bucket) => (bucket === null ? null : required(shares.get(bucket.id)?.shift())));
}

/** Counts in buckets, and reads them, outside any transaction. Null stands for a request without a bucket. */
export interface BucketCounts {
  charge(buckets: readonly (Bucket | null)[]): Promise<readonly (ChargeOutcome | null)[]>;
  read(buckets: readonly (Bucket | null)[]): Promise<readonly (RateState | null)[]>;
}

/**
 * Creates counts that do not ask the storage about buckets which it has called exhausted. Within a transaction this
 * memory has no place: a count that is rolled back was never made.
 */
export function createBucketCounts(
  windows: Pick<RateWindowRepository, 'charge' | 'read'>,
  exhausted: ExhaustedBuckets,
): BucketCounts {
  return {
    charge: async (buckets) => {
      const known = buckets.map((bucket) => (bucket === null ? null : exhausted.find(bucket)));
      const charges = await chargeBuckets(windows, withoutKnown(buckets, known));
      return buckets.map((bucket, index) => {
        const state = known[index] ?? null;
        if (state !== null) return { allowed: false, isRepeatedRefusal: true, state };
        const charge = charges[index] ?? null;
        if (bucket !== null && charge !== null) exhausted.note(bucket, charge.state);
        return charge;
      });
    },
    read: async (buckets) => {
      const known = buckets.map((bucket) => (bucket === null ? null : exhausted.find(bucket)));
      const states = await readBuckets(windows, withoutKnown(buckets, known));
      return buckets.map((bucket, index) => {
        const state = known[index] ?? states[index] ?? null;
        if (bucket !== null && state !== null) exhausted.note(bucket, state);
        return state;
      });
    },
  };
}

function withoutKnown(
  buckets: readonly (Bucket | null)[],
  known: readonly (RateState | null)[],
): readonly (Bucket | null)[] {
  return buckets.map((bucket, index) => (known[index] === null ? bucket : null));
}

/** Where buckets stand, without counting. Null stands for a request that asks for none. */
async function readBuckets(
  windows: Pick<RateWindowRepository, 'read'>,
  buckets: readonly (Bucket | null)[],
): Promise<readonly (RateState | null)[]> {
  const ids = [...tally(buckets).keys()];
  if (ids.length === 0) return buckets.map(() => null);
  const counts = await windows.read(ids);
  const byId = new Map(ids.map((id, index) => [id, required(counts[index])]));
  return buckets.map((bucket) => (bucket === null ? null : rateState(bucket, required(byId.get(bucket.id)))));
}

function tally(buckets: readonly (Bucket | null)[]): Map<string, { bucket: Bucket; cost: number }> {
  const tallies = new Map<string, { bucket: Bucket; cost: number }>();
  for (const bucket of buckets) {
    if (bucket === null) continue;
    const entry = tallies.get(bucket.id);
    if (entry === undefined) tallies.set(bucket.id, { bucket, cost: 1 });
    else entry.cost += 1;
  }
  return tallies;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The storage must answer for each bucket.');
  return value;
}
