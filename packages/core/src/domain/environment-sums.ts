import type { HourCount } from './hour-count.js';
import type { KeyId } from './ids.js';
import type { Environment } from './partner-key.js';

/** Finds the environments of keys. Null for a key that does not exist. */
type FindEnvironments = (
  keyIds: readonly KeyId[],
) => Promise<readonly ({ readonly environment: Environment } | null)[]>;

/** The environment of a key never changes. With more keys than this, which take a megabyte, they are looked up again. */
const MOST_KNOWN = 10_000;

/**
 * Returns a function that adds the sums of each environment to the counts of keys, so that a partner can be compared with
 * all others. It rejects if `find` does.
 */
export function createEnvironmentSums(
  find: FindEnvironments,
): (counts: readonly HourCount[]) => Promise<readonly HourCount[]> {
  const known = new Map<KeyId, Environment>();

  async function learn(keyIds: readonly KeyId[]): Promise<void> {
    if (known.size > MOST_KNOWN) known.clear();
    const unknown = keyIds.filter((keyId) => !known.has(keyId));
    if (unknown.length === 0) return;
    const found = await find(unknown);
    unknown.forEach((keyId, index) => {
      const environment = found[index]?.environment;
      if (environment !== undefined) known.set(keyId, environment);
    });
  }

  return async (counts) => {
    await learn([...new Set(counts.flatMap((count) => keyOf(count) ?? []))]);
    const sums = new Map<string, HourCount>();
    for (const count of counts) {
      const keyId = keyOf(count);
      const environment = keyId === null ? undefined : known.get(keyId);
      if (environment === undefined) continue;
      const { kind, hour, name } = count;
      const place = [kind, environment, hour, name].join(' ');
      const before = sums.get(place)?.count ?? 0;
      sums.set(place, { ...count, keyId: environment, count: before + count.count });
    }
    return [...counts, ...sums.values()];
  };
}

function keyOf({ keyId }: HourCount): KeyId | null {
  return keyId === 'production' || keyId === 'sandbox' ? null : keyId;
}
