import type { KeyId } from '../../domain/ids.js';
import { isSecretUsable } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import type { KeyOfSecret } from '../../ports/repositories/keys.js';
import type { Callers } from '../callers.js';

/** For whom calls are counted: null stands for none but their address, undefined for calls that are not counted now. */
export type CountedKeys = readonly (KeyId | null | undefined)[];

/**
 * Whose each secret was when it was last presented. Calls with a secret that is not remembered wait for the storage,
 * and so do those with one that has expired since; calls without a secret are nobody's.
 */
export function presumeKeys(callers: Callers, hashes: readonly (string | null)[], now: Instant): CountedKeys {
  return hashes.map((hash) => (hash === null ? null : presumedKey(callers, hash, now)));
}

function presumedKey(callers: Callers, hash: string, now: Instant): KeyId | undefined {
  const caller = callers.find(hash);
  return caller !== undefined && isSecretUsable(caller.secret, now) ? caller.key.id : undefined;
}

/** Whose each secret is, of the calls that were counted for another key than it turned out to be, or not yet. */
export function correctedKeys(presumed: CountedKeys, found: readonly (KeyOfSecret | null)[]): CountedKeys {
  return found.map((entry, index) => {
    const keyId = entry?.key.id ?? null;
    return keyId === presumed[index] ? undefined : keyId;
  });
}
