import { type Batcher, type BatcherOptions, createBatcher } from '../batcher.js';
import type { Application } from '../domain/application.js';
import type { KeyId } from '../domain/ids.js';
import {
  isLastUsedStale,
  isSecretUsable,
  type KeySecret,
  type SecretEnd,
  secretEnd,
} from '../domain/partner-key.js';
import {
  addressBucket,
  type Bucket,
  type ChargeOutcome,
  type KeyBucketKind,
  keyBucket,
  type RateLimits,
  type RateState,
} from '../domain/rate-limit.js';
import type { KeyOfSecret } from '../ports/repositories/partners.js';
import type { Repositories } from '../ports/storage.js';
import type { StorageClock } from '../storage-clock.js';
import { type KeyCache, presentedHash } from './key-cache.js';
import type { Admission, AdmitCall } from './partner-api.js';
import type { BucketCounts } from './rate-limit.js';

interface AdmitDeps {
  readonly repositories: Pick<Repositories, 'keys' | 'applications'>;
  readonly storageClock: Pick<StorageClock, 'now' | 'beginReading'>;
  readonly limits: RateLimits;
  readonly buckets: BucketCounts;
  readonly keyCache: KeyCache;
  readonly onEndedSecret: (secret: KeySecret, end: SecretEnd) => void;
}

interface Presented {
  readonly call: AdmitCall;
  readonly hash: string | null;
  /** Null: counted by address. Undefined: counted after the storage has answered. */
  readonly assumedKeyId: KeyId | null | undefined;
}

interface KeyedRequest {
  readonly request: Presented;
  readonly keyId: KeyId | null;
}

interface RequestCount {
  /** Null if a later step counts the request: `state` is then the key's guard. */
  readonly charge: ChargeOutcome | null;
  readonly state: RateState;
}

/** Looks up, counts and reads in one round trip. A new secret needs a second one. */
export function createAdmit(
  deps: AdmitDeps,
  options: Partial<BatcherOptions>,
): Batcher<AdmitCall, Admission> {
  return createBatcher((calls) => admit(deps, calls), options);
}

async function admit(deps: AdmitDeps, calls: readonly AdmitCall[]): Promise<readonly Admission[]> {
  const { repositories, keyCache, storageClock } = deps;
  const requests = present(calls, keyCache, storageClock.now());
  const assumed = requests.flatMap((request): readonly KeyedRequest[] =>
    request.assumedKeyId === undefined ? [] : [{ request, keyId: request.assumedKeyId }],
  );
  const [found, counts, applications] = await Promise.all([
    findUsableKeys(deps, requests),
    countRequests(deps, assumed),
    readApplications(repositories, assumed),
  ]);
  learnKeys(keyCache, requests, found);

  const corrected = requests.flatMap((request): readonly KeyedRequest[] => {
    const keyId = keyOf(request, found)?.key.id ?? null;
    return keyId === request.assumedKeyId ? [] : [{ request, keyId }];
  });
  const [recounts] = await Promise.all([countRequests(deps, corrected), noteUse(deps, found)]);

  return requests.map((request) => {
    const recount = recounts.get(request);
    // An application that was read for another key must not be returned.
    const application = recount === undefined ? applications.get(request) : undefined;
    const count = recount ?? counts.get(request);
    const admission = decideAdmission(keyOf(request, found), count, application);
    const isGuardExhausted = admission.kind === 'limited' && request.call.bucket === null;
    if (isGuardExhausted && request.hash !== null) keyCache.forget(request.hash);
    return admission;
  });
}

/** Hashes each value once: most requests of a batch come from a few partners. */
function present(calls: readonly AdmitCall[], keyCache: KeyCache, now: number): readonly Presented[] {
  const hashes = new Map<string, string | null>();
  const hashOf = ({ authorization }: AdmitCall): string | null => {
    const [value, second] = authorization;
    if (value === undefined || second !== undefined) return null;
    const known = hashes.get(value);
    if (known !== undefined) return known;
    const hash = presentedHash(authorization);
    hashes.set(value, hash);
    return hash;
  };
  const assume = (hash: string | null): Presented['assumedKeyId'] => {
    if (hash === null) return null;
    const known = keyCache.find(hash);
    return known !== undefined && isSecretUsable(known.secret, now) ? known.key.id : undefined;
  };
  return calls.map((call) => {
    const hash = hashOf(call);
    return { call, hash, assumedKeyId: assume(hash) };
  });
}

type KeysByHash = ReadonlyMap<string, KeyOfSecret>;

function keyOf({ hash }: Presented, found: KeysByHash): KeyOfSecret | null {
  return hash === null ? null : (found.get(hash) ?? null);
}

/** Compares at the storage's time, and sets the storage clock to it. */
async function findUsableKeys(
  { repositories: { keys }, storageClock, onEndedSecret }: AdmitDeps,
  requests: readonly Presented[],
): Promise<KeysByHash> {
  const hashes = new Set(requests.map(({ hash }) => hash).filter((hash) => hash !== null));
  if (hashes.size === 0) return new Map();
  const noteTime = storageClock.beginReading();
  const found = (await keys.findByHashes([...hashes])).filter((entry) => entry !== null);
  const [first] = found;
  if (first !== undefined) noteTime(first.readAt);

  const usable = new Map(found.map((entry) => [entry.secret.hash, entry]));
  for (const entry of found) {
    const end = secretEnd(entry.secret, entry.readAt);
    if (end === null) continue;
    usable.delete(entry.secret.hash);
    for (const { hash } of requests) if (hash === entry.secret.hash) onEndedSecret(entry.secret, end);
  }
  return usable;
}

async function countRequests(
  { buckets, limits }: AdmitDeps,
  requests: readonly KeyedRequest[],
): Promise<ReadonlyMap<Presented, RequestCount>> {
  const bucketOfKey = createKeyBuckets(limits);
  const charged: { readonly request: Presented; readonly bucket: Bucket }[] = [];
  const guarded: { readonly request: Presented; readonly bucket: Bucket }[] = [];
  for (const { request, keyId } of requests) {
    const { bucket: kind, clientAddress } = request.call;
    if (keyId === null) charged.push({ request, bucket: addressBucket(clientAddress, limits) });
    else if (kind === null) guarded.push({ request, bucket: bucketOfKey('guard', keyId) });
    else charged.push({ request, bucket: bucketOfKey(kind, keyId) });
  }
  const [charges, guards] = await Promise.all([buckets.charge(charged), buckets.read(guarded)]);
  const counts = new Map<Presented, RequestCount>();
  for (const { request, charge } of charges) counts.set(request, { charge, state: charge.state });
  for (const { request, state } of guards) counts.set(request, { charge: null, state });
  return counts;
}

function createKeyBuckets(limits: RateLimits): (kind: KeyBucketKind, keyId: KeyId) => Bucket {
  const built = new Map<KeyBucketKind, Map<KeyId, Bucket>>();
  return (kind, keyId) => {
    const known = built.get(kind)?.get(keyId);
    if (known !== undefined) return known;
    const bucket = keyBucket(kind, keyId, limits);
    built.set(kind, (built.get(kind) ?? new Map()).set(keyId, bucket));
    return bucket;
  };
}

async function readApplications(
  { applications }: AdmitDeps['repositories'],
  requests: readonly KeyedRequest[],
): Promise<ReadonlyMap<Presented, Application | null>> {
  const wanted = requests.flatMap(({ request, keyId }) => {
    const id = request.call.applicationId;
    return id === null || keyId === null ? [] : [{ request, keyId, id }];
  });
  if (wanted.length === 0) return new Map();
  const found = await applications.findOwned(wanted.map(({ keyId, id }) => ({ keyId, id })));
  return new Map(wanted.map(({ request }, index) => [request, found[index] ?? null]));
}

function learnKeys(keyCache: KeyCache, requests: readonly Presented[], found: KeysByHash): void {
  for (const { hash } of requests) {
    const entry = hash === null ? undefined : found.get(hash);
    if (entry !== undefined) keyCache.learn(entry.secret.hash, entry);
    else if (hash !== null) keyCache.forget(hash);
  }
}

async function noteUse(
  { repositories, storageClock, keyCache }: AdmitDeps,
  found: KeysByHash,
): Promise<void> {
  const stale = [...found.values()].filter(({ secret, readAt }) =>
    isLastUsedStale(secret.lastUsedAt, readAt),
  );
  const now = storageClock.now();
  await repositories.keys.touchSecrets(
    stale.map(({ secret }) => secret.hash),
    now,
  );
  for (const entry of stale) {
    keyCache.learn(entry.secret.hash, { ...entry, secret: { ...entry.secret, lastUsedAt: now } });
  }
}

function decideAdmission(
  found: KeyOfSecret | null,
  count: RequestCount | undefined,
  application: Application | null | undefined,
): Admission {
  if (count === undefined) throw new Error('Every request has a bucket.');
  const { charge, state: rate } = count;
  const isAllowed = charge === null ? rate.remaining > 0 : charge.allowed;
  if (!isAllowed) {
    const repeatedBy = charge?.isRepeatedRefusal === true ? (found?.key ?? null) : null;
    return { kind: 'limited', rate, repeatedBy };
  }
  if (found === null) return { kind: 'unauthorized', rate };
  return { kind: 'admitted', key: found.key, rate, application };
}
