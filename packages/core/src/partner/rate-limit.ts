import {
  type Bucket,
  type ChargeOutcome,
  type RateState,
  rateState,
  rateStateAt,
  shareCharge,
  type WindowCount,
} from '../domain/rate-limit.js';
import type { LimitedCharge, RateWindowRepository } from '../ports/repositories/submissions.js';
import type { StorageClock } from '../storage-clock.js';
import { createBoundedCache } from './key-cache.js';

interface Counted {
  readonly bucket: Bucket;
}

type Charge = (charges: readonly LimitedCharge[]) => Promise<readonly WindowCount[]>;

/** Counts all requests in one call. If a bucket has room for only some, the first ones get it. */
export async function chargeEach<Request extends Counted>(
  charge: Charge,
  requests: readonly Request[],
): Promise<readonly (Request & { readonly charge: ChargeOutcome })[]> {
  if (requests.length === 0) return [];
  const tallies = tally(requests);
  const windows = await charge(
    tallies.map(({ bucket, cost }) => ({ bucketId: bucket.id, cost, limit: bucket.limit })),
  );
  const shares = new Map(
    tallies.map(({ bucket, cost }, index) => [
      bucket.id,
      shareCharge(bucket, cost, required(windows[index])).values(),
    ]),
  );
  return requests.map((request) => ({
    ...request,
    charge: required(shares.get(request.bucket.id)?.next().value),
  }));
}

export interface BucketCounts {
  charge<Request extends Counted>(
    requests: readonly Request[],
  ): Promise<readonly (Request & { readonly charge: ChargeOutcome })[]>;
  read<Request extends Counted>(
    requests: readonly Request[],
  ): Promise<readonly (Request & { readonly state: RateState })[]>;
}

/** Larger than the number of keys and addresses that exhaust a bucket in a minute. Takes a few megabytes at most. */
const MAX_EXHAUSTED_BUCKETS = 10_000;

/**
 * Caches exhausted buckets, so that a flood costs no statements. Do not use it in a transaction, because a
 * rollback does not undo the cache.
 */
export function createBucketCounts(
  windows: Pick<RateWindowRepository, 'charge' | 'read'>,
  storageClock: Pick<StorageClock, 'now'>,
): BucketCounts {
  const exhausted = createBoundedCache<RateState>(MAX_EXHAUSTED_BUCKETS);

  function findExhausted({ id }: Bucket): RateState | null {
    const state = exhausted.find(id);
    if (state === undefined) return null;
    const now = storageClock.now();
    if (now < state.resetAt) return rateStateAt(state, now);
    exhausted.forget(id);
    return null;
  }

  function note({ id }: Bucket, state: RateState): void {
    if (state.remaining === 0) exhausted.learn(id, state);
  }

  return {
    charge: async (requests) => {
      const refusals = new Map<Counted, ChargeOutcome>();
      for (const request of requests) {
        const state = findExhausted(request.bucket);
        if (state !== null) refusals.set(request, { allowed: false, isRepeatedRefusal: true, state });
      }
      const open = requests.filter((request) => !refusals.has(request));
      const charged = (await chargeEach((charges) => windows.charge(charges), open)).values();
      return requests.map((request) => {
        const charge = refusals.get(request);
        if (charge !== undefined) return { ...request, charge };
        const counted = required(charged.next().value);
        note(counted.bucket, counted.charge.state);
        return counted;
      });
    },
    read: async (requests) => {
      const states = new Map<string, RateState>();
      const unknown = new Map<string, Bucket>();
      for (const { bucket } of requests) {
        const state = findExhausted(bucket);
        if (state === null) unknown.set(bucket.id, bucket);
        else states.set(bucket.id, state);
      }
      const counts = unknown.size === 0 ? [] : await windows.read([...unknown.keys()]);
      for (const [index, bucket] of [...unknown.values()].entries()) {
        const state = rateState(bucket, required(counts[index]));
        note(bucket, state);
        states.set(bucket.id, state);
      }
      return requests.map((request) => ({ ...request, state: required(states.get(request.bucket.id)) }));
    },
  };
}

interface Tally {
  readonly bucket: Bucket;
  cost: number;
}

function tally(requests: readonly Counted[]): readonly Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { bucket } of requests) {
    const entry = tallies.get(bucket.id);
    if (entry === undefined) tallies.set(bucket.id, { bucket, cost: 1 });
    else entry.cost += 1;
  }
  return [...tallies.values()];
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The storage must return a count for each bucket.');
  return value;
}
