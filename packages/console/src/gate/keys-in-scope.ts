import type { KeyView } from '@partner-hiring/core';
import type { Gate } from './gate.js';

/** Enough for a list to choose from. */
export const MOST_KEYS = 200;

/** The keys that an actor may see. */
export interface KeysInScope {
  readonly keys: readonly KeyView[];
  /** False if there are more. */
  readonly isComplete: boolean;
}

/**
 * Lists the keys of the actor's partners. For an actor for all partners, lists the first 200 keys. Empty without the
 * right `keys:read`.
 */
export async function listKeysInScope(gate: Gate): Promise<KeysInScope> {
  if (!gate.may('keys:read')) return { keys: [], isComplete: true };
  const { partnerIds } = gate.actor;
  if (partnerIds === 'all') {
    const { items: keys, nextCursor } = await gate.call('keys.list', { limit: MOST_KEYS });
    return { keys, isComplete: nextCursor === null };
  }
  const pages = await Promise.all(partnerIds.map((partnerId) => gate.call('keys.list', { partnerId })));
  return { keys: pages.flatMap(({ items: keys }) => keys), isComplete: true };
}
