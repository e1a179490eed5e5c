import type { KeyView } from '@partner-hiring/core';
import type { Gate } from './gate.js';

/** Enough for a list to choose from. */
export const MOST_KEYS = 200;

/**
 * Lists the keys of the actor's partners. For an actor for all partners, lists the first 200 keys. Empty without the
 * right `keys:read`.
 */
export async function listKeysInScope(gate: Gate): Promise<readonly KeyView[]> {
  if (!gate.may('keys:read')) return [];
  const { partnerIds } = gate.actor;
  if (partnerIds === 'all') return (await gate.call('keys.list', { limit: MOST_KEYS })).items;
  const pages = await Promise.all(partnerIds.map((partnerId) => gate.call('keys.list', { partnerId })));
  return pages.flatMap(({ items: keys }) => keys);
}
