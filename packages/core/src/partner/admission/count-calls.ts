import type { KeyId } from '../../domain/ids.js';
import {
  addressBucket,
  type Bucket,
  type ChargeOutcome,
  type KeyBucketKind,
  keyBucket,
  type RateLimits,
  type RateState,
} from '../../domain/rate-limit.js';
import type { BucketCounts } from '../charge.js';
import type { AdmitCall } from '../partner-api.js';
import type { CountedKeys } from './cached-keys.js';

/** What counting needs. */
export interface CountDeps {
  readonly buckets: BucketCounts;
  readonly limits: RateLimits;
}

/** Where a call's bucket stands. */
export interface Counted {
  /** Null if the call was not counted: it is later, or as refused. */
  readonly charge: ChargeOutcome | null;
  /** Where the key's guard stands for such a call; null for all others. */
  readonly guard: RateState | null;
}

/** Counts each call for its key, or for its address if that is null. Undefined stands for one that waits. */
export async function countCalls(
  { buckets, limits }: CountDeps,
  calls: readonly AdmitCall[],
  keyIds: CountedKeys,
): Promise<readonly (Counted | undefined)[]> {
  const bucketOfKey = createKeyBuckets(limits);
  const counted = calls.map((call, index) => countedBucket(bucketOfKey, limits, call, keyIds[index]));
  const guards = calls.map((call, index) => guardBucket(bucketOfKey, call, keyIds[index]));
  const [charges, states] = await Promise.all([buckets.charge(counted), buckets.read(guards)]);
  return keyIds.map((keyId, index) =>
    keyId === undefined ? undefined : { charge: charges[index] ?? null, guard: states[index] ?? null },
  );
}

type BucketOfKey = (kind: KeyBucketKind, keyId: KeyId) => Bucket;

/** A failed authentication counts by its address, a read by its operation; all else is counted later. */
function countedBucket(
  bucketOfKey: BucketOfKey,
  limits: RateLimits,
  { bucket, clientAddress }: AdmitCall,
  keyId: KeyId | null | undefined,
): Bucket | null {
  if (keyId === undefined) return null;
  if (keyId === null) return addressBucket(clientAddress, limits);
  return bucket === null ? null : bucketOfKey(bucket, keyId);
}

function guardBucket(
  bucketOfKey: BucketOfKey,
  { bucket }: AdmitCall,
  keyId: KeyId | null | undefined,
): Bucket | null {
  return keyId === undefined || keyId === null || bucket !== null ? null : bucketOfKey('guard', keyId);
}

/** The buckets of keys, each made once: the calls of a batch are mostly of a few keys. */
function createKeyBuckets(limits: RateLimits): BucketOfKey {
  const made = new Map<KeyBucketKind, Map<KeyId, Bucket>>();
  return (kind, keyId) => {
    const known = made.get(kind)?.get(keyId);
    if (known !== undefined) return known;
    const bucket = keyBucket(kind, keyId, limits);
    made.set(kind, (made.get(kind) ?? new Map()).set(keyId, bucket));
    return bucket;
  };
}
