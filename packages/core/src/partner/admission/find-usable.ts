import { type KeySecret, type SecretEnd, secretEnd } from '../../domain/partner-key.js';
import type { KeyOfSecret } from '../../ports/repositories/partners.js';
import type { Repositories } from '../../ports/storage.js';
import type { StorageClock } from '../../storage-clock.js';

/**
 * Returns each secret that could be used when the storage read it, with its key; null for every cause of a refusal. What
 * follows in these requests sees the storage's time of this reading, or a later one.
 */
export async function findUsable(
  { keys }: Pick<Repositories, 'keys'>,
  storageClock: Pick<StorageClock, 'beginReading'>,
  hashes: readonly (string | null)[],
  onEndedSecret: (secret: KeySecret, end: SecretEnd) => void,
): Promise<readonly (KeyOfSecret | null)[]> {
  const distinct = [...new Set(hashes.filter((hash) => hash !== null))];
  if (distinct.length === 0) return hashes.map(() => null);
  const noteTime = storageClock.beginReading();
  const found = (await keys.findByHashes(distinct)).filter((entry) => entry !== null);
  const [first] = found;
  if (first !== undefined) noteTime(first.readAt);
  const byHash = new Map(found.map((entry) => [entry.secret.hash, entry]));
  return hashes.map((hash) => {
    const entry = hash === null ? undefined : byHash.get(hash);
    if (entry === undefined) return null;
    const end = secretEnd(entry.secret, entry.readAt);
    if (end === null) return entry;
    onEndedSecret(entry.secret, end);
    return null;
  });
}
