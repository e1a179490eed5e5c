import { presentedSecret } from '../domain/authorization.js';
import { hashSecret } from '../domain/partner-key.js';
import type { KeyOfSecret } from '../ports/repositories/partners.js';
import { type BoundedCache, createBoundedCache } from './bounded-cache.js';

/** Maps the hash of each secret to the last known key. The storage still authenticates the caller. */
export type KeyCache = BoundedCache<KeyOfSecret>;

/**
 * More than the active keys of a large host: with fewer, almost every request would need a second round trip. A
 * full cache takes about 100 MB.
 */
const MAX_SECRETS = 100_000;

export function createKeyCache(): KeyCache {
  return createBoundedCache(MAX_SECRETS);
}

/**
 * Returns the secret's hash, or null unless there is exactly one `Authorization` field with a well-formed
 * secret.
 */
export function presentedHash(authorization: readonly string[]): string | null {
  const secret = presentedSecret(authorization);
  return secret === null ? null : hashSecret(secret);
}
