import { hashSecret, isWellFormedSecret } from '../domain/partner-key.js';
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

/** Matches `Bearer` in any letter case, one or more spaces, and one token. Spec: Authentication, 1. */
const BEARER = /^bearer +([^\s,]+)$/i;

/**
 * Returns the secret's hash, or null unless there is exactly one `Authorization` field with a well-formed
 * secret.
 */
export function presentedHash([value, second]: readonly string[]): string | null {
  if (value === undefined || second !== undefined) return null;
  const secret = BEARER.exec(value)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? hashSecret(secret) : null;
}
