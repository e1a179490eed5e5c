import { isLastUsedStale } from '../../domain/partner-key.js';
import type { KeyOfSecret } from '../../ports/repositories/partners.js';

/** Those whose last use is to be written down again, by the hash of their secret. */
export function staleSecrets(found: readonly (KeyOfSecret | null)[]): ReadonlyMap<string, KeyOfSecret> {
  const stale = new Map<string, KeyOfSecret>();
  for (const entry of found) {
    if (entry !== null && isLastUsedStale(entry.secret.lastUsedAt, entry.readAt))
      stale.set(entry.secret.hash, entry);
  }
  return stale;
}
