import type { EventId, KeyId } from '../domain/ids.js';
import type { AttemptPosition } from '../ports/repositories/deliveries.js';
import type { Repositories } from '../ports/repositories.js';
import type { AttemptPage, PageFilter } from './deliveries.js';
import { checkedLimit, inspect } from './inspection.js';
import { encodeCursor, inspectInstant, isPlaceId, isPlaceNumber, placeOf } from './page-cursor.js';

const LIST = 'attempts';
const COMMAND = 'deliveries.listAttempts';

/** A page of a key's attempts. Throws what `DeliveryCommands` says. */
export async function listAttempts(
  read: Repositories,
  filter: PageFilter & { readonly keyId: KeyId },
): Promise<AttemptPage> {
  const { keyId, since = 0, until } = filter;
  const limit = checkedLimit(COMMAND, filter.limit);
  const inspection = inspect(COMMAND);
  inspectInstant(inspection, since, 'since');
  inspectInstant(inspection, until, 'until');
  inspection.end();
  const binding = [keyId, since, until ?? null];
  const place = placeOf(COMMAND, LIST, binding, filter.cursor, toPosition);
  // No attempt has the number 0, so all of that instant come after it.
  const newest = until === undefined ? undefined : ({ endedAt: until, eventId: 'evt_', number: 0 } as const);
  const after = place ?? newest;
  const more = after === undefined ? {} : { after };
  const attempts = await read.deliveries.listAttempts({ keyId, from: since, ...more, limit: limit + 1 });
  const page = attempts.slice(0, limit);
  const last = attempts.length > limit ? page.at(-1) : undefined;
  const nextCursor =
    last === undefined ? null : encodeCursor(LIST, binding, [last.endedAt, last.eventId, last.number]);
  return { attempts: page, nextCursor };
}

function toPosition([endedAt, eventId, number]: readonly unknown[]): AttemptPosition | null {
  if (!isPlaceNumber(endedAt) || !isPlaceId(eventId) || !isPlaceNumber(number)) return null;
  return { endedAt, eventId: eventId as EventId, number };
}
