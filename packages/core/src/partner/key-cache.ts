import { hashSecret, isWellFormedSecret } from '../domain/partner-key.js';
import type { KeyOfSecret } from '../ports/repositories/partners.js';
import { type BoundedCache, createBoundedCache } from './bounded-cache.js';

/** Whose each secret was when it was last presented, by its hash. */
export type KeyCache = BoundedCache<KeyOfSecret>;

/** Far more secrets than partners; some megabytes at the very most. */
const MAX_CALLERS = 10_000;

/** Nobody yet. */
export function createKeyCache(): KeyCache {
  return createBoundedCache(MAX_CALLERS);
}

/** A scheme in any letter case, one or more spaces, one token. Spec: Authentication, 1. */
const BEARER = /^bearer +([^\s,]+)$/i;

/** The hash of the secret that the values of all `Authorization` fields present; null if it can be none. */
export function presentedHash([value, second]: readonly string[]): string | null {
  if (value === undefined || second !== undefined) return null;
  const secret = BEARER.exec(value)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? hashSecret(secret) : null;
}
