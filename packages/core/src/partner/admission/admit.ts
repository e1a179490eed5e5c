import { type Batcher, type BatcherOptions, createBatcher } from '../../batcher.js';
import type { KeySecret, SecretEnd } from '../../domain/partner-key.js';
import type { Repositories } from '../../ports/storage.js';
import type { StorageClock } from '../../storage-clock.js';
import type { KeyCache } from '../key-cache.js';
import type { Admission, AdmitCall } from '../partner-api.js';
import { cachedKeys, correctedKeys } from './cached-keys.js';
import { type CountDeps, countCalls } from './count-calls.js';
import { decideAdmission } from './decide-admission.js';
import { findUsable } from './find-usable.js';
import { hashPresented } from './hash-presented.js';
import { forgetRefused, learnFound, learnUsed } from './learn-callers.js';
import { readWanted } from './read-wanted.js';
import { staleSecrets } from './stale-secrets.js';

interface AdmitDeps extends CountDeps {
  readonly repositories: Repositories;
  readonly storageClock: Pick<StorageClock, 'now' | 'beginReading'>;
  readonly keyCache: KeyCache;
  /** Called once for each request that carries a secret which no longer works. */
  readonly onEndedSecret: (secret: KeySecret, end: SecretEnd) => void;
}

/**
 * Lets requests in: the hash of the secret says who is calling, the bucket whether they may. Two or three
 * statements for all requests that came in together. For a secret that was seen before, all of them go out at once:
 * its requests are counted and their application is read for the key that it opened last, while the storage
 * looks up which key it opens now.
 */
export function createAdmit(
  deps: AdmitDeps,
  options: Partial<BatcherOptions>,
): Batcher<AdmitCall, Admission> {
  return createBatcher((calls) => admit(deps, calls), options);
}

/** What each step hands on has a place for each call, in their order: a statement takes and answers such lists. */
async function admit(deps: AdmitDeps, calls: readonly AdmitCall[]): Promise<readonly Admission[]> {
  const { repositories, keyCache, storageClock } = deps;
  const hashes = hashPresented(calls);
  const cached = cachedKeys(keyCache, hashes, storageClock.now());
  const [found, counted, applications] = await Promise.all([
    findUsable(repositories, storageClock, hashes, deps.onEndedSecret),
    countCalls(deps, calls, cached),
    readWanted(repositories, calls, cached),
  ]);
  learnFound(keyCache, hashes, found);
  const corrected = correctedKeys(cached, found);
  const stale = staleSecrets(found);
  const now = storageClock.now();
  const [recounted] = await Promise.all([
    countCalls(deps, calls, corrected),
    repositories.keys.touchSecrets([...stale.keys()], now),
  ]);
  learnUsed(keyCache, stale, now);
  const admissions = found.map((caller, index) => {
    // What was read for another key is nobody's to see.
    const application = corrected[index] === undefined ? applications[index] : undefined;
    return decideAdmission(caller, recounted[index] ?? counted[index] ?? null, application);
  });
  forgetRefused(keyCache, calls, hashes, admissions);
  return admissions;
}
