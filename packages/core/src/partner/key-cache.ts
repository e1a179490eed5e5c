import { hashSecret, presentedSecret } from '../domain/partner-key.js';
import type { KeyOfSecret } from '../ports/repositories/partners.js';

export interface BoundedCache<Value> {
  find(name: string): Value | undefined;
  learn(name: string, value: Value): void;
  forget(name: string): void;
}

/** Creates a cache that drops its oldest entry when it holds more than `max` entries. */
export function createBoundedCache<Value>(max: number): BoundedCache<Value> {
  const values = new Map<string, Value>();
  return {
    find: (name) => values.get(name),
    learn: (name, value) => {
      values.set(name, value);
      const [oldest] = values.size > max ? values.keys() : [];
      if (oldest !== undefined) values.delete(oldest);
    },
    forget: (name) => void values.delete(name),
  };
}

/** Maps the hash of each secret to the last known key. The storage still authenticates the caller. */
export type KeyCache = BoundedCache<KeyOfSecret>;

/**
 * Larger than the number of active keys of a large host. With a smaller cache, almost every request would need a second
 * round trip. A full cache takes about 100 MB.
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
