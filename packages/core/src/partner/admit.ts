import type { Application } from '../domain/application.js';
import type { KeyId } from '../domain/ids.js';
import { isLastUsedStale, isSecretUsable } from '../domain/partner-key.js';
import type { Instant } from '../domain/time.js';
import { createGroup, type Group, type GroupOptions } from '../group.js';
import type { KeyOfSecret } from '../ports/repositories/keys.js';
import type { Repositories } from '../ports/repositories.js';
import type { Clock } from '../ports/runtime.js';
import { type Callers, presentedHash } from './callers.js';
import { type CountDeps, type Counted, countCalls } from './count-calls.js';
import type { Admission, AdmitCall } from './partner-api.js';

interface AdmitDeps extends CountDeps {
  readonly repositories: Repositories;
  readonly clock: Pick<Clock, 'now'>;
  readonly callers: Callers;
}

/**
 * Lets requests in: the hash of the secret says who is calling, the bucket whether they may. Two or three
 * statements for all requests that came in together. For a secret that was seen before, all of them go out at once:
 * its requests are counted and their application is read for the key that it opened last, while the storage
 * looks up which key it opens now.
 */
export function createAdmit(deps: AdmitDeps, options: Partial<GroupOptions>): Group<AdmitCall, Admission> {
  return createGroup((calls) => admit(deps, calls), options);
}

async function admit(deps: AdmitDeps, calls: readonly AdmitCall[]): Promise<readonly Admission[]> {
  const now = deps.clock.now();
  const hashOf = createBatchHasher();
  const hashes = calls.map((call) => hashOf(call.authorization));
  const presumed = hashes.map((hash) => (hash === null ? null : presumedKey(deps.callers, hash, now)));
  const [found, early, applications] = await Promise.all([
    findUsable(deps.repositories, hashes, now),
    countCalls(deps, calls, presumed),
    readWanted(deps.repositories, calls, presumed),
  ]);
  for (const [index, hash] of hashes.entries()) {
    if (hash !== null) deps.callers.learn(hash, found[index] ?? null);
  }
  // Whoever was counted for another key than it turns out to be is counted again, now for the right one.
  const actual = found.map((entry, index) => {
    const keyId = entry?.key.id ?? null;
    return keyId === presumed[index] ? undefined : keyId;
  });
  const stale = staleEntries(found, now);
  const [late] = await Promise.all([
    countCalls(deps, calls, actual),
    deps.repositories.keys.touchSecrets([...stale.keys()], now),
  ]);
  for (const [hash, { key, secret }] of stale) {
    deps.callers.learn(hash, { key, secret: { ...secret, lastUsedAt: now } });
  }
  return calls.map(({ bucket }, index) => {
    // What was read for another key is nobody's to see.
    const application = actual[index] === undefined ? applications[index] : undefined;
    const admission = decideAdmission(found[index] ?? null, late[index] ?? early[index] ?? null, application);
    const hash = hashes[index] ?? null;
    // Who is refused at the door is not presumed: nothing of the next request is read before its turn either.
    if (admission.kind === 'limited' && bucket === null && hash !== null) deps.callers.learn(hash, null);
    return admission;
  });
}

/** Whose a secret was when it was last presented; of one that has expired since, the storage is asked first. */
function presumedKey(callers: Callers, hash: string, now: Instant): KeyId | undefined {
  const caller = callers.find(hash);
  return caller !== undefined && isSecretUsable(caller.secret, now) ? caller.key.id : undefined;
}

/** Each secret that may be used, with its key; null for every cause of a refusal. */
async function findUsable(
  { keys }: Repositories,
  hashes: readonly (string | null)[],
  now: Instant,
): Promise<readonly (KeyOfSecret | null)[]> {
  const distinct = [...new Set(hashes.filter((hash) => hash !== null))];
  if (distinct.length === 0) return hashes.map(() => null);
  const found = await keys.findByHashes(distinct);
  const usable = new Map<string, KeyOfSecret>();
  for (const entry of found) {
    if (entry !== null && isSecretUsable(entry.secret, now)) usable.set(entry.secret.hash, entry);
  }
  return hashes.map((hash) => (hash === null ? null : (usable.get(hash) ?? null)));
}

/** The applications that calls ask for, as far as their keys are presumed; undefined for all other calls. */
async function readWanted(
  { applications }: Repositories,
  calls: readonly AdmitCall[],
  keyIds: readonly (KeyId | null | undefined)[],
): Promise<readonly (Application | null | undefined)[]> {
  const places: number[] = [];
  const wanted: { keyId: KeyId; id: string }[] = [];
  for (const [index, { applicationId: id }] of calls.entries()) {
    const keyId = keyIds[index] ?? null;
    if (id === null || keyId === null) continue;
    places.push(index);
    wanted.push({ keyId, id });
  }
  if (wanted.length === 0) return [];
  const found = await applications.findOwned(wanted);
  const answers: (Application | null | undefined)[] = calls.map(() => undefined);
  for (const [index, place] of places.entries()) answers[place] = found[index] ?? null;
  return answers;
}

/** Hashes what requests present. They come in crowds of one partner: each value is read once. */
function createBatchHasher(): (authorization: readonly string[]) => string | null {
  const known = new Map<string, string | null>();
  return (values) => {
    const [value, second] = values;
    if (value === undefined || second !== undefined) return null;
    const hash = known.get(value);
    if (hash !== undefined) return hash;
    const presented = presentedHash(values);
    known.set(value, presented);
    return presented;
  };
}

function staleEntries(
  found: readonly (KeyOfSecret | null)[],
  now: Instant,
): ReadonlyMap<string, KeyOfSecret> {
  const stale = new Map<string, KeyOfSecret>();
  for (const entry of found) {
    if (entry !== null && isLastUsedStale(entry.secret.lastUsedAt, now)) stale.set(entry.secret.hash, entry);
  }
  return stale;
}

function decideAdmission(
  found: KeyOfSecret | null,
  counted: Counted | null,
  application: Application | null | undefined,
): Admission {
  const charge = counted?.charge ?? null;
  const rate = charge?.state ?? counted?.guard ?? null;
  if (rate === null) throw new Error('Every request has a bucket.');
  const isAllowed = charge === null ? rate.remaining > 0 : charge.allowed;
  if (!isAllowed) return { kind: 'limited', rate };
  if (found === null) return { kind: 'unauthorized', rate };
  return { kind: 'admitted', key: found.key, rate, application };
}
