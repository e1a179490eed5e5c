import type { KeyView } from '@partner-hiring/core';

/** Returns when a secret of these keys was used last. Null if none ever was. */
export function lastUseOf(keys: readonly KeyView[]): number | null {
  const uses = keys.flatMap(({ secrets }) => secrets.flatMap(({ lastUsedAt }) => lastUsedAt ?? []));
  return uses.length === 0 ? null : Math.max(...uses);
}
