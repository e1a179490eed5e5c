import type { KeyId } from '../../domain/ids.js';
import { isSecretUsable } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import type { KeyOfSecret } from '../../ports/repositories/partners.js';
import type { KeyCache } from '../key-cache.js';

/** For whom calls are counted: null stands for none but their address, undefined for calls that are not counted now. */
export type CountedKeys = readonly (KeyId | null | undefined)[];

/**
 * Whose each secret was when it was last presented. Calls with a secret that is not remembered wait for the storage,
 * and so do those with one that has expired since; calls without a secret are nobody's.
 */
export function cachedKeys(
  keyCache: KeyCache,
  hashes: readonly (string | null)[],
  now: Instant,
): CountedKeys {
  return hashes.map((hash) => (hash === null ? null : cachedKey(keyCache, hash, now)));
}

function cachedKey(keyCache: KeyCache, hash: string, now: Instant): KeyId | undefined {
  const caller = keyCache.find(hash);
  return caller !== undefined && isSecretUsable(caller.secret, now) ? caller.key.id : undefined;
}

/** Whose each secret is, of the calls that were counted for another key than it turned out to be, or not yet. */
export function correctedKeys(cached: CountedKeys, found: readonly (KeyOfSecret | null)[]): CountedKeys {
  return found.map((entry, index) => {
    const keyId = entry?.key.id ?? null;
    return keyId === cached[index] ? undefined : keyId;
  });
}
