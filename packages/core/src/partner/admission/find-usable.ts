import { isSecretUsable } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import type { KeyOfSecret } from '../../ports/repositories/keys.js';
import type { Repositories } from '../../ports/repositories.js';

/** Each secret that may be used, with its key; null for every cause of a refusal. */
export async function findUsable(
  { keys }: Pick<Repositories, 'keys'>,
  hashes: readonly (string | null)[],
  now: Instant,
): Promise<readonly (KeyOfSecret | null)[]> {
  const distinct = [...new Set(hashes.filter((hash) => hash !== null))];
  if (distinct.length === 0) return hashes.map(() => null);
  const found = await keys.findByHashes(distinct);
  const usable = new Map<string, KeyOfSecret>();
  for (const entry of found) {
    if (entry !== null && isSecretUsable(entry.secret, now)) usable.set(entry.secret.hash, entry);
  }
  return hashes.map((hash) => (hash === null ? null : (usable.get(hash) ?? null)));
}
