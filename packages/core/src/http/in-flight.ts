import type { KeyId } from '../domain/ids.js';

/** The requests of each key that were let in and not answered yet. */
export interface InFlight {
  /** Takes a place for a request of the key; false if the key has no free place. */
  enter(keyId: KeyId): boolean;
  /** Gives the place of a request back. */
  leave(keyId: KeyId): void;
}

/** Counts requests in flight, at most so many of one key at a time. */
export function createInFlight(maxPerKey: number): InFlight {
  const counts = new Map<KeyId, number>();
  return {
    enter: (keyId) => {
      const count = counts.get(keyId) ?? 0;
      if (count >= maxPerKey) return false;
      counts.set(keyId, count + 1);
      return true;
    },
    leave: (keyId) => {
      const count = counts.get(keyId) ?? 0;
      if (count > 1) counts.set(keyId, count - 1);
      else counts.delete(keyId);
    },
  };
}
