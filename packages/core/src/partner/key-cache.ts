import { hashSecret, isWellFormedSecret } from '../domain/partner-key.js';
import type { KeyOfSecret } from '../ports/repositories/partners.js';
import { type BoundedCache, createBoundedCache } from './bounded-cache.js';

/** The last known key of each secret, by hash. The storage still authenticates the caller. */
export type KeyCache = BoundedCache<KeyOfSecret>;

/** Far more secrets than partners have; a few megabytes at most. */
const MAX_SECRETS = 10_000;

export function createKeyCache(): KeyCache {
  return createBoundedCache(MAX_SECRETS);
}

/** A scheme in any letter case, one or more spaces, one token. Spec: Authentication, 1. */
const BEARER = /^bearer +([^\s,]+)$/i;

/** Returns null unless the `Authorization` fields hold one well-formed secret. */
export function presentedHash([value, second]: readonly string[]): string | null {
  if (value === undefined || second !== undefined) return null;
  const secret = BEARER.exec(value)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? hashSecret(secret) : null;
}
