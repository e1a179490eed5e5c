import type { Instant } from '../../domain/time.js';
import type { KeyOfSecret } from '../../ports/repositories/partners.js';
import type { KeyCache } from '../key-cache.js';
import type { Admission, AdmitCall } from '../partner-api.js';

/** Remembers whose each secret is, as the storage has just said. */
export function learnFound(
  keyCache: KeyCache,
  hashes: readonly (string | null)[],
  found: readonly (KeyOfSecret | null)[],
): void {
  for (const [index, hash] of hashes.entries()) {
    if (hash !== null) keyCache.learn(hash, found[index] ?? null);
  }
}

/** Remembers that the use of these secrets is written down. */
export function learnUsed(keyCache: KeyCache, used: ReadonlyMap<string, KeyOfSecret>, now: Instant): void {
  for (const [hash, found] of used) {
    keyCache.learn(hash, { ...found, secret: { ...found.secret, lastUsedAt: now } });
  }
}

/** Who is refused at the door is not presumed: nothing of the next request is read before its turn either. */
export function forgetRefused(
  keyCache: KeyCache,
  calls: readonly AdmitCall[],
  hashes: readonly (string | null)[],
  admissions: readonly Admission[],
): void {
  for (const [index, hash] of hashes.entries()) {
    const isRefused = admissions[index]?.kind === 'limited' && calls[index]?.bucket === null;
    if (isRefused && hash !== null) keyCache.learn(hash, null);
  }
}
