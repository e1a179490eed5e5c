import { EVENT_TYPES, type EventType, type PartnerEvent } from '../../domain/event.js';
import type { KeyId, PartnerId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import { onFilter } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { oneOf, optional, optionalId, page, range } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { type KeyNames, withKeyNames } from '../../operator/names.js';
import { definePageCursors, type Page, readPage, scanPage } from '../../operator/page-cursor.js';
import type { ListPage } from '../../ports/repositories/partners.js';
import type { Repositories } from '../../ports/storage.js';
import type { PageFilter } from './delivery-filter.js';
import { keysOfFilter } from './list-deliveries.js';

/** Selects events. It needs `keyId` or `partnerId`, but not both. */
export interface EventFilter extends PageFilter {
  /** Only events of this key; omitted with `partnerId`. */
  readonly keyId?: KeyId | undefined;
  /** Only events of all keys of this partner; omitted with `keyId`. */
  readonly partnerId?: PartnerId | undefined;
  /**
   * Only events of this type; default: all. To find matches, a page reads at most 5,000 events of all types, so it may
   * be short.
   */
  readonly type?: EventType | undefined;
}

/** An event with its body and the names that belong to its key. */
export interface ListedEvent extends PartnerEvent, KeyNames {}

/** Reads the event logs of keys. */
export interface EventCommands {
  /**
   * Returns a page of the events that are stored for a key or for all keys of a partner, oldest first, 100 by default. It
   * also shows what partners cannot fetch because `selfService.events` is off. With `type`, a page may be short or empty:
   * continue until `nextCursor` is null.
   * @example
   * const { items: events } = await operator.events.list({ keyId, since: Date.parse('2026-01-31T09:00Z') });
   * for (const { id, type, body } of events) console.log(id, type, body);
   */
  list(filter: EventFilter): Promise<Page<ListedEvent>>;
  /**
   * Iterates over the rows of `list` in its order. Reads each page only when the loop reaches it.
   * @example
   * for await (const { id } of operator.events.each({ partnerId, type: 'job.closed' })) console.log(id);
   */
  each(filter: EventFilter): AsyncIterable<ListedEvent>;
}

export const eventDefinitions: Definitions<EventCommands> = {
  list: {
    summary: 'Lists the stored events of a key or a partner, oldest first',
    input: record(
      {
        keyId: optionalId('key'),
        partnerId: optionalId('partner', 'Only those of the keys of this partner'),
        type: optional(oneOf(EVENT_TYPES), 'Only events of this type'),
        ...range,
        ...page,
      },
      ({ keyId, partnerId }) =>
        isGiven(keyId) === isGiven(partnerId) ? [{ rule: 'must have keyId or partnerId, but not both' }] : [],
    ),
    right: 'deliveries:read',
    // Null counts as omitted.
    claims: ({ keyId, partnerId }) =>
      onFilter({ keyId: keyId ?? undefined, partnerId: partnerId ?? undefined }),
    run: ({ read }, filter) => listEvents(read, filter),
  },
};

type EventPosition = Pick<PartnerEvent, 'at' | 'id'>;

const CURSORS = definePageCursors<EventPosition>('events', { at: 'number', id: 'id' });

/** The most events that a page reads, and that one query returns. */
const SCAN = { most: 5_000, atOnce: 1_000 };

async function listEvents(read: Repositories, filter: EventFilter): Promise<Page<ListedEvent>> {
  const { keyId, partnerId, type, since = 0, until } = filter;
  const binding = [keyId, partnerId, type, since, until].map((value) => value ?? null);
  const keyIds = (await keysOfFilter(read, filter)) ?? [];
  const list = async ({ after, limit }: ListPage<EventPosition>) => {
    // The logs of two keys may have events of the same instant.
    const from = (after?.at ?? since) - 1;
    const asked = keyIds.map((each) => ({ keyId: each, after: from, limit: limit + 1 }));
    return (await read.events.readLogs(asked))
      .flat()
      .filter((event) => after === null || compare(event, after) > 0)
      .filter(({ at }) => until === undefined || at < until)
      .sort(compare)
      .slice(0, limit);
  };
  const isKept = (event: PartnerEvent) => event.type === type;
  const { items, nextCursor } =
    type === undefined
      ? await readPage(CURSORS, binding, filter, list)
      : await scanPage(CURSORS, binding, filter, { list, isKept, ...SCAN });
  return { items: await withKeyNames(read, items), nextCursor };
}

function compare(left: EventPosition, right: EventPosition): number {
  if (left.at !== right.at) return left.at - right.at;
  return left.id < right.id ? -1 : Number(left.id > right.id);
}
