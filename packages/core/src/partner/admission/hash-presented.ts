import { presentedHash } from '../key-cache.js';
import type { AdmitCall } from '../partner-api.js';

/**
 * The hash of the secret that each call presents; null if that can be none. Calls come in crowds of one partner: each
 * value is read once.
 */
export function hashPresented(calls: readonly AdmitCall[]): readonly (string | null)[] {
  const known = new Map<string, string | null>();
  return calls.map(({ authorization }) => {
    const [value, second] = authorization;
    if (value === undefined || second !== undefined) return null;
    const hash = known.get(value);
    if (hash !== undefined) return hash;
    const presented = presentedHash(authorization);
    known.set(value, presented);
    return presented;
  });
}
