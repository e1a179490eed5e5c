import type { StoredDelivery } from '../../domain/delivery.js';
import type { KeyId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import { type Delivery, rowReader, withEvidence } from '../../groups/deliveries/read-deliveries.js';
import { LIST_LIMIT } from '../../operator/command/fields.js';
import type { KeyNames } from '../../operator/names.js';
import { definePageCursors, type Page } from '../../operator/page-cursor.js';
import type { DeliveryPosition } from '../../ports/repositories/deliveries.js';
import type { Repositories } from '../../ports/storage.js';
import { mayHaveFailed, type PortalDelivery, portalDelivery } from './own-rows.js';

const CURSORS = definePageCursors<DeliveryPosition>('own-mended-deliveries', {
  eventAt: 'number',
  eventId: 'id',
});

/** Lists the events of a key that were delivered after a failure or resent. A page may be short. */
export async function listMended(
  read: Repositories,
  keyId: KeyId,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
): Promise<Page<PortalDelivery>> {
  const after = CURSORS.read([keyId], cursor);
  const { deliveries, reached } = await rowReader(read, keyId, 'delivered')({ from: 0, after, limit });
  const rows = await withEvidence(read, deliveries.filter(mayHaveFailed));
  return {
    items: await portalDeliveries(read, rows),
    nextCursor: reached === null ? null : CURSORS.write([keyId], reached),
  };
}

/** Adds the last failure to each delivery, even if a later attempt succeeded. */
export function portalDeliveries(
  { deliveries }: Pick<Repositories, 'deliveries'>,
  rows: readonly Omit<Delivery, 'pause' | keyof KeyNames>[],
): Promise<readonly PortalDelivery[]> {
  const attemptsOf = async (row: StoredDelivery) =>
    mayHaveFailed(row) ? deliveries.findAttempts(row.keyId, row.eventId) : [];
  return Promise.all(rows.map(async (row) => portalDelivery(row, await attemptsOf(row))));
}

/** A count of events that stops at 1000. */
export interface EventCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** Counts the events of a key since an instant that were sent already, without those that the operator cancelled. */
export async function countSent(
  { events, deliveries }: Pick<Repositories, 'events' | 'deliveries'>,
  keyId: KeyId,
  since: Instant,
): Promise<EventCount> {
  const limit = LIST_LIMIT.max;
  const found = await events.listNewest({ keyId, from: since, before: Number.MAX_SAFE_INTEGER, limit });
  const rows = await deliveries.find(
    keyId,
    found.map(({ id }) => id),
  );
  const sent = found.filter(({ isPassed }, index) => isPassed && rows[index]?.state !== 'cancelled');
  return { count: sent.length, isExact: found.length < limit };
}
