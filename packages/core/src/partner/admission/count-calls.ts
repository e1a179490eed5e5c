import type { KeyId } from '../../domain/ids.js';
import {
  addressBucket,
  type Bucket,
  type ChargeOutcome,
  keyBucket,
  type RateLimits,
  type RateState,
} from '../../domain/rate-limit.js';
import type { Repositories } from '../../ports/repositories.js';
import { chargeBuckets, readBuckets } from '../charge.js';
import type { AdmitCall } from '../partner-api.js';
import type { CountedKeys } from './presume-keys.js';

/** What counting needs. */
export interface CountDeps {
  readonly repositories: Pick<Repositories, 'rateWindows'>;
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
  { repositories: { rateWindows }, limits }: CountDeps,
  calls: readonly AdmitCall[],
  keyIds: CountedKeys,
): Promise<readonly (Counted | undefined)[]> {
  const [charges, guards] = await Promise.all([
    chargeBuckets(
      rateWindows,
      calls.map((call, index) => countedBucket(limits, call, keyIds[index])),
    ),
    readBuckets(
      rateWindows,
      calls.map((call, index) => guardBucket(limits, call, keyIds[index])),
    ),
  ]);
  return keyIds.map((keyId, index) =>
    keyId === undefined ? undefined : { charge: charges[index] ?? null, guard: guards[index] ?? null },
  );
}

/** A failed authentication counts by its address, a read by its operation; all else is counted later. */
function countedBucket(limits: RateLimits, call: AdmitCall, keyId: KeyId | null | undefined): Bucket | null {
  if (keyId === undefined) return null;
  if (keyId === null) return addressBucket(call.clientAddress, limits);
  return call.bucket === null ? null : keyBucket(call.bucket, keyId, limits);
}

function guardBucket(limits: RateLimits, call: AdmitCall, keyId: KeyId | null | undefined): Bucket | null {
  return keyId === undefined || keyId === null || call.bucket !== null
    ? null
    : keyBucket('guard', keyId, limits);
}
