import type { KeyId } from '../domain/ids.js';

/** Whose a secret was when it was last presented. Never the last word: it only lets work begin earlier. */
export interface RememberedKeys {
  /** Undefined if the secret is not remembered. */
  find(hash: string): KeyId | undefined;
  /** What the storage said of the secret: whose it is, or null if it lets nobody in. */
  learn(hash: string, keyId: KeyId | null): void;
}

/** Far more secrets than partners; some megabytes at the very most. */
const MAX_REMEMBERED = 10_000;

/** An empty memory. When it is full, who came in first is forgotten first. */
export function createRememberedKeys(): RememberedKeys {
  const keys = new Map<string, KeyId>();
  return {
    find: (hash) => keys.get(hash),
    learn: (hash, keyId) => {
      if (keyId === null) {
        keys.delete(hash);
        return;
      }
      keys.set(hash, keyId);
      if (keys.size <= MAX_REMEMBERED) return;
      for (const oldest of keys.keys()) {
        keys.delete(oldest);
        return;
      }
    },
  };
}
