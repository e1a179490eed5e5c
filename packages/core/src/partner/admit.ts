import { type Batcher, type BatcherOptions, createBatcher } from '../batcher.js';
import type { Application } from '../domain/application.js';
import { getOrAdd } from '../domain/get-or-add.js';
import {
  foundSecretEnd,
  isLastUsedStale,
  isSecretUsable,
  type KeySecret,
  type PartnerKey,
  type SecretEnd,
} from '../domain/partner-key.js';
import {
  addressBucket,
  type Bucket,
  type ChargeOutcome,
  type KeyBucketKind,
  keyAt,
  keyBucket,
  type RateLimits,
  type RateState,
} from '../domain/rate-limit.js';
import type { Instant } from '../domain/time.js';
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
  /**
   * Null if the request counts for its client address. Undefined if it is counted only after the storage has answered.
   */
  readonly assumed: PartnerKey | null | undefined;
}

interface KeyedRequest {
  readonly request: Presented;
  readonly key: PartnerKey | null;
  readonly bucket: Bucket;
}

interface RequestCount {
  /**
   * Null if a later step counts the request. In this case, `state` is the state of the key's guard bucket.
   */
  readonly charge: ChargeOutcome | null;
  readonly state: RateState;
}

/**
 * Authenticates requests, counts them, reads applications and records when secrets were last used, in one round
 * trip. A secret that is not in the key cache needs a second one.
 */
export function createAdmit(
  deps: AdmitDeps,
  options: Partial<BatcherOptions>,
): Batcher<AdmitCall, Admission> {
  return createBatcher((calls) => admit(deps, calls), options);
}

async function admit(deps: AdmitDeps, calls: readonly AdmitCall[]): Promise<readonly Admission[]> {
  const { repositories, keyCache, storageClock } = deps;
  const now = storageClock.now();
  const requests = present(calls, keyCache, now);
  const bucketOf = createBuckets(deps.limits);
  const assumed = requests.flatMap((request): readonly KeyedRequest[] => {
    const { assumed: key, call } = request;
    return key === undefined ? [] : [{ request, key, bucket: bucketOf(call, key) }];
  });
  const touched = findStaleSecrets(keyCache, assumed, now);
  const [found, counts, applications] = await Promise.all([
    findUsableKeys(deps, requests),
    countRequests(deps.buckets, assumed),
    readApplications(repositories, assumed),
    repositories.keys.touchSecrets([...touched], now),
  ]);
  learnKeys(keyCache, requests, found);
  for (const hash of touched) learnUse(keyCache, found.get(hash), now);

  const corrected = requests.flatMap((request): readonly KeyedRequest[] => {
    const key = keyOf(request, found)?.key ?? null;
    const bucket = bucketOf(request.call, key);
    return counts.get(request)?.state.bucketId === bucket.id ? [] : [{ request, key, bucket }];
  });
  const untouched = new Map([...found].filter(([hash]) => !touched.has(hash)));
  const [recounts] = await Promise.all([countRequests(deps.buckets, corrected), noteUse(deps, untouched)]);

  return requests.map((request) => {
    const recount = recounts.get(request);
    // If the assumed key was wrong, the application that was read for it must not be returned.
    const application = recount === undefined ? applications.get(request) : undefined;
    const count = recount ?? counts.get(request);
    const admission = decideAdmission(keyOf(request, found), count, application);
    const isGuardExhausted = admission.kind === 'limited' && request.call.bucket === null;
    if (isGuardExhausted && request.hash !== null) keyCache.forget(request.hash);
    return admission;
  });
}

/**
 * Hashes the secrets of a batch. Each value is hashed once, because most requests come from a few partners.
 */
function present(calls: readonly AdmitCall[], keyCache: KeyCache, now: number): readonly Presented[] {
  const hashes = new Map<string, string | null>();
  const hashOf = ({ authorization }: AdmitCall): string | null => {
    const [value, second] = authorization;
    if (value === undefined || second !== undefined) return null;
    return getOrAdd(hashes, value, () => presentedHash(authorization));
  };
  const assume = (hash: string | null): Presented['assumed'] => {
    if (hash === null) return null;
    const known = keyCache.find(hash);
    return known !== undefined && isSecretUsable(known.secret, now) ? keyAt(known.key, now) : undefined;
  };
  return calls.map((call) => {
    const hash = hashOf(call);
    return { call, hash, assumed: assume(hash) };
  });
}

type KeysByHash = ReadonlyMap<string, KeyOfSecret>;

function keyOf({ hash }: Presented, found: KeysByHash): KeyOfSecret | null {
  return hash === null ? null : (found.get(hash) ?? null);
}

/** Finds the keys whose secrets are valid at the storage's time. Sets the storage clock to that time. */
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

  const usable = new Map(
    found.map((entry) => [entry.secret.hash, { ...entry, key: keyAt(entry.key, entry.readAt) }]),
  );
  for (const entry of found) {
    const end = foundSecretEnd(entry);
    if (end === null) continue;
    usable.delete(entry.secret.hash);
    for (const { hash } of requests) if (hash === entry.secret.hash) onEndedSecret(entry.secret, end);
  }
  return usable;
}

async function countRequests(
  buckets: BucketCounts,
  requests: readonly KeyedRequest[],
): Promise<ReadonlyMap<Presented, RequestCount>> {
  const isGuarded = ({ request, key }: KeyedRequest) => key !== null && request.call.bucket === null;
  const [charges, guards] = await Promise.all([
    buckets.charge(requests.filter((each) => !isGuarded(each))),
    buckets.read(requests.filter(isGuarded)),
  ]);
  const counts = new Map<Presented, RequestCount>();
  for (const { request, charge } of charges) counts.set(request, { charge, state: charge.state });
  for (const { request, state } of guards) counts.set(request, { charge: null, state });
  return counts;
}

/** Each bucket of a batch is made once, because most requests come from a few partners. */
function createBuckets(limits: RateLimits): (call: AdmitCall, key: PartnerKey | null) => Bucket {
  const built = new Map<KeyBucketKind, Map<PartnerKey, Bucket>>();
  return ({ bucket: asked, clientAddress }, key) => {
    if (key === null) return addressBucket(clientAddress, limits);
    const kind = asked ?? 'guard';
    const buckets = getOrAdd(built, kind, () => new Map<PartnerKey, Bucket>());
    return getOrAdd(buckets, key, () => keyBucket(kind, key, limits));
  };
}

async function readApplications(
  { applications }: AdmitDeps['repositories'],
  requests: readonly KeyedRequest[],
): Promise<ReadonlyMap<Presented, Application | null>> {
  const wanted = requests.flatMap(({ request, key }) => {
    const id = request.call.applicationId;
    return id === null || key === null ? [] : [{ request, keyId: key.id, id }];
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

/**
 * Returns the hashes of secrets whose last recorded use, as far as the cache knows, is so old that it should be
 * recorded again.
 */
function findStaleSecrets(
  keyCache: KeyCache,
  assumed: readonly KeyedRequest[],
  now: Instant,
): ReadonlySet<string> {
  const stale = new Set<string>();
  for (const { request, key } of assumed) {
    const known = key === null || request.hash === null ? undefined : keyCache.find(request.hash);
    if (known !== undefined && isLastUsedStale(known.secret.lastUsedAt, now)) stale.add(known.secret.hash);
  }
  return stale;
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
  for (const entry of stale) learnUse(keyCache, entry, now);
}

/** Caches that a secret was used. The row was read before the use was recorded. */
function learnUse(keyCache: KeyCache, entry: KeyOfSecret | undefined, now: Instant): void {
  if (entry === undefined) return;
  keyCache.learn(entry.secret.hash, { ...entry, secret: { ...entry.secret, lastUsedAt: now } });
}

function decideAdmission(
  found: KeyOfSecret | null,
  count: RequestCount | undefined,
  application: Application | null | undefined,
): Admission {
  if (count === undefined) throw new Error('A request was not counted in any bucket.');
  const { charge, state: rate } = count;
  const isAllowed = charge === null ? rate.remaining > 0 : charge.allowed;
  if (!isAllowed) {
    const repeatedBy = charge?.isRepeatedRefusal === true ? (found?.key ?? null) : null;
    return { kind: 'limited', rate, repeatedBy, keyId: found?.key.id ?? null };
  }
  if (found === null) return { kind: 'unauthorized', rate };
  return { kind: 'admitted', key: { ...found.key, secretHash: found.secret.hash }, rate, application };
}
