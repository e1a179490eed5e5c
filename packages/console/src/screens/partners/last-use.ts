import type { KeyView } from '@partner-hiring/core';

type WithSecrets = Pick<KeyView, 'secrets'>;

/** Returns when a secret of these keys was used last. Null if none ever was. */
export function lastUseOf(keys: readonly WithSecrets[]): number | null {
  const uses = keys.flatMap(({ secrets }) => secrets.flatMap(({ lastUsedAt }) => lastUsedAt ?? []));
  return uses.length === 0 ? null : Math.max(...uses);
}

/** The newest one if all have ended. */
export function currentSecretOf({ secrets }: WithSecrets) {
  return secrets.find(({ state }) => state === 'current') ?? secrets[0];
}
