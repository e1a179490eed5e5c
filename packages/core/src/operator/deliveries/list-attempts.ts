import type { KeyId } from '../../domain/ids.js';
import type { AttemptPosition } from '../../ports/repositories/deliveries.js';
import type { Repositories } from '../../ports/storage.js';
import type { AttemptPage, PageFilter } from '../deliveries.js';
import { checkedLimit, inspect, inspectInstant } from '../input/inspection.js';
import { BEFORE_ALL_IDS, definePageCursors, isPlaceId, isPlaceNumber } from './page-cursor.js';

const COMMAND = 'deliveries.listAttempts';

const CURSORS = definePageCursors<AttemptPosition>({
  command: COMMAND,
  list: 'attempts',
  valuesOf: ({ endedAt, eventId, number }) => [endedAt, eventId, number],
  placeOf: ([endedAt, eventId, number]) =>
    isPlaceNumber(endedAt) && isPlaceId(eventId) && isPlaceNumber(number)
      ? { endedAt, eventId, number }
      : null,
});

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
  const place = CURSORS.read(binding, filter.cursor);
  // No attempt has the number 0, so all of that instant come after it.
  const newest = until === undefined ? undefined : { endedAt: until, eventId: BEFORE_ALL_IDS, number: 0 };
  const after = place ?? newest;
  const more = after === undefined ? {} : { after };
  const attempts = await read.deliveries.listAttempts({ keyId, from: since, ...more, limit: limit + 1 });
  const page = attempts.slice(0, limit);
  const last = attempts.length > limit ? page.at(-1) : undefined;
  return { attempts: page, nextCursor: last === undefined ? null : CURSORS.write(binding, last) };
}
