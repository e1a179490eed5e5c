import type { AttemptRecord } from '../../domain/delivery.js';
import type { EventId, KeyId } from '../../domain/ids.js';
import type { AttemptPosition } from '../../ports/repositories/deliveries.js';
import type { Repositories } from '../../ports/storage.js';
import { definePageCursors, isCursorId, isCursorNumber, type Page, readPage } from '../page-cursor.js';
import { BEFORE_ALL_IDS, type PageFilter } from './delivery-filter.js';

const ATTEMPT_CURSORS = definePageCursors<AttemptPosition>({
  list: 'attempts',
  valuesOf: ({ endedAt, eventId, number }) => [endedAt, eventId, number],
  positionOf: ([endedAt, eventId, number]) =>
    isCursorNumber(endedAt) && isCursorId<EventId>(eventId) && isCursorNumber(number)
      ? { endedAt, eventId, number }
      : null,
});

export async function listAttempts(
  read: Repositories,
  filter: PageFilter & { readonly keyId: KeyId },
): Promise<Page<AttemptRecord>> {
  const { keyId, since = 0, until } = filter;
  const binding = [keyId, since, until ?? null];
  const newest = until === undefined ? undefined : { endedAt: until, eventId: BEFORE_ALL_IDS, number: 0 };
  return readPage(ATTEMPT_CURSORS, binding, filter, ({ after, limit }) => {
    const start = after ?? newest;
    return read.deliveries.listAttempts({ keyId, from: since, after: start, limit });
  });
}
