import { hashSecret, isLastUsedStale, isSecretUsable, isWellFormedSecret } from '../domain/partner-key.js';
import {
  addressBucket,
  type Bucket,
  type ChargeOutcome,
  keyBucket,
  type RateLimits,
  type RateState,
} from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
import { createGroup, type Group } from '../group.js';
import type { KeyOfSecret, Repositories } from '../ports/repositories.js';
import type { Clock } from '../ports/runtime.js';
import { chargeBuckets, readBuckets } from './charge.js';
import type { Admission, AdmitCall } from './partner-api.js';

interface AdmitDeps {
  readonly repositories: Repositories;
  readonly clock: Clock;
  readonly limits: RateLimits;
}

/** A scheme in any letter case, one or more spaces, one token. Spec: Authentication, 1. */
const BEARER = /^bearer +([^\s,]+)$/i;

/**
 * Lets requests in: who is calling, by the hash of the secret, and may it, by its bucket. Two or three
 * statements for all requests that came in together.
 */
export function createAdmit(deps: AdmitDeps): Group<AdmitCall, Admission> {
  return createGroup((calls) => admit(deps, calls));
}

async function admit(deps: AdmitDeps, calls: readonly AdmitCall[]): Promise<readonly Admission[]> {
  const { keys, rateWindows } = deps.repositories;
  const now = deps.clock.now();
  const found = await authenticate(deps.repositories, calls, now);
  const counted = calls.map((call, index) => countedBucket(deps.limits, call, found[index] ?? null));
  const guards = calls.map((call, index) => guardBucket(deps.limits, call, found[index] ?? null));
  const [charges, guardStates] = await Promise.all([
    chargeBuckets(rateWindows, counted),
    readBuckets(rateWindows, guards),
    keys.touchSecrets(staleHashes(found, now), now),
  ]);
  return calls.map((_, index) =>
    decideAdmission(found[index] ?? null, charges[index] ?? null, guardStates[index] ?? null),
  );
}

/** Each call's key, or null for every cause of a refusal. */
async function authenticate(
  { keys }: Repositories,
  calls: readonly AdmitCall[],
  now: Instant,
): Promise<readonly (KeyOfSecret | null)[]> {
  const hashOf = createBatchHasher();
  const hashes = calls.map((call) => hashOf(call.authorization));
  const distinct = [...new Set(hashes.filter((hash) => hash !== null))];
  if (distinct.length === 0) return calls.map(() => null);
  const found = await keys.findByHashes(distinct);
  const usable = new Map<string, KeyOfSecret>();
  for (const entry of found) {
    if (entry !== null && isSecretUsable(entry.secret, now)) usable.set(entry.secret.hash, entry);
  }
  return hashes.map((hash) => (hash === null ? null : (usable.get(hash) ?? null)));
}

/** Hashes what requests present. They come in crowds of one partner: each value is read once. */
function createBatchHasher(): (authorization: readonly string[]) => string | null {
  const known = new Map<string, string | null>();
  return ([value, second]) => {
    if (value === undefined || second !== undefined) return null;
    const hash = known.get(value);
    if (hash !== undefined) return hash;
    const presented = presentedHash(value);
    known.set(value, presented);
    return presented;
  };
}

function presentedHash(value: string): string | null {
  const secret = BEARER.exec(value)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? hashSecret(secret) : null;
}

/** A failed authentication counts by its address, a read by its operation; all else is counted later. */
function countedBucket(limits: RateLimits, call: AdmitCall, found: KeyOfSecret | null): Bucket | null {
  if (found === null) return addressBucket(call.clientAddress, limits);
  return call.bucket === null ? null : keyBucket(call.bucket, found.key.id, limits);
}

function guardBucket(limits: RateLimits, call: AdmitCall, found: KeyOfSecret | null): Bucket | null {
  return found === null || call.bucket !== null ? null : keyBucket('guard', found.key.id, limits);
}

function staleHashes(found: readonly (KeyOfSecret | null)[], now: Instant): readonly string[] {
  const stale = new Set<string>();
  for (const entry of found) {
    if (entry !== null && isLastUsedStale(entry.secret.lastUsedAt, now)) stale.add(entry.secret.hash);
  }
  return [...stale];
}

function decideAdmission(
  found: KeyOfSecret | null,
  charge: ChargeOutcome | null,
  guard: RateState | null,
): Admission {
  const rate = charge?.state ?? guard;
  if (rate === null) throw new Error('Every request has a bucket.');
  const isAllowed = charge === null ? rate.remaining > 0 : charge.allowed;
  if (!isAllowed) return { kind: 'limited', rate };
  return found === null ? { kind: 'unauthorized', rate } : { kind: 'admitted', key: found.key, rate };
}
