import type { Delivery, DeliveryFilter, KeyId, KeyView } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import { lastUseOf } from '../partners/last-use.js';

/** Each key is one range of an index, so the number of keys bounds the time. */
const MOST_KEYS = 8;
const MOST_ROWS = 50;

/** The newest deliveries of several keys. */
export interface NewestDeliveries {
  readonly items: readonly Delivery[];
  /** Whether the list has all keys. Otherwise, it has those whose partners called last. */
  readonly isOfAll: boolean;
}

/** Merges the newest deliveries of the keys that were used last. */
export async function listNewest(
  gate: Gate,
  keys: readonly KeyView[],
  filter: Pick<DeliveryFilter, 'type' | 'since' | 'until'>,
): Promise<NewestDeliveries> {
  const chosen = lastUsed(keys);
  const pages = await Promise.all(
    chosen.map((keyId) => gate.call('deliveries.list', { ...filter, keyId, limit: MOST_ROWS })),
  );
  const newestFirst = pages
    .flatMap(({ items }) => items)
    .sort((first, second) => second.eventAt - first.eventAt || (first.eventId < second.eventId ? 1 : -1));
  return { items: newestFirst.slice(0, MOST_ROWS), isOfAll: chosen.length === keys.length };
}

function lastUsed(keys: readonly KeyView[]): readonly KeyId[] {
  const uses = new Map(keys.map((view) => [view.key.id, lastUseOf([view]) ?? 0]));
  const lastFirst = [...uses].sort(([, first], [, second]) => second - first);
  return lastFirst.slice(0, MOST_KEYS).map(([keyId]) => keyId);
}
