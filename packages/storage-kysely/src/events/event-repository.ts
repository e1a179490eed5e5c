import type { EventId, EventRepository, Instant, KeyId, LoggedEvent } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineInsert, itemsWith } from '../batch.js';
import type { JsonRows, TableColumns } from '../dialect.js';
import { selectUncheckedKeys } from '../endpoints/changed-keys.js';
import { defineEach, defineLookUps, type Item } from '../look-ups.js';
import { inOrder, listsOf, pairKey } from '../mapping.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { type ENDPOINTS, EVENTS } from '../tables/index.js';
import { prepareEventSweep } from './event-sweep.js';

interface UnsentParams {
  readonly from: Instant;
  readonly through: Instant;
  readonly take: number;
}

type EventHead = Omit<Row<typeof EVENTS>, 'body'>;

/** Reads one index range for each key whose feed may have unsent events. */
export const prepareUnsentEvents: Prepare<Pick<EventRepository, 'listUnsent'>> = (preparation) => {
  const { queries } = preparation;
  const listKeys = define(() => selectUncheckedKeys(preparation));
  const listUnsent = defineEach(
    preparation,
    { key_id: 'text' },
    (item: Item<{ key_id: KeyId }>, param: Param<UnsentParams>) =>
      queries
        .selectFrom('ph_event as event')
        .select(['event.key_id', 'event.at', 'event.id', 'event.type'])
        .where('event.key_id', '=', item('key_id'))
        .where('event.at', '>', ({ selectFrom }) =>
          selectFrom('ph_endpoint as endpoint')
            .select('endpoint.watermark')
            .where('endpoint.key_id', '=', item('key_id')),
        )
        .where('event.at', '>=', param('from'))
        .where('event.at', '<=', param('through'))
        .orderBy('event.at', 'desc')
        .limit(param('take')),
  );

  return {
    listUnsent: (session, { from, before, limit }) =>
      session.read(async (run) => {
        const keys = await run.all(listKeys, {});
        // Reads one row more than the limit. A key has at most one event at `before.at`, and that event may be the last
        // one of the previous page.
        const { rows } = await run.batch(listUnsent, keys, { from, through: before.at, take: limit + 1 });
        return (rows as readonly EventHead[])
          .filter(({ at, id }) => at < before.at || id < before.id)
          .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map(({ id, key_id: keyId, type, at }) => ({ id, keyId, type, at, isPassed: false }));
      }),
  };
};

export const prepareEvents: Prepare<Omit<EventRepository, 'page'>> = (preparation) => {
  const { announceWork } = preparation;
  const announce = announceWork === null ? null : define(() => announceWork);
  const append = defineInsert(preparation, { table: EVENTS });

  return {
    ...prepareFindEvents(preparation),
    ...prepareUnsentEvents(preparation),
    ...prepareEventSweep(preparation),
    append: (session, events) =>
      session.write(async (run) => {
        if (events.length === 0) return;
        // Sends both statements at once, without waiting for the first result.
        await Promise.all([
          run.batch(append, events.map(EVENTS.toRow), {}),
          announce === null ? null : run.all(announce, {}),
        ]);
      }),
  };
};

interface LogItem {
  readonly key_id: KeyId;
  readonly after: Instant;
  readonly take: number;
}

const LOG_COLUMNS: TableColumns<LogItem> = { key_id: 'text', after: 'integer', take: 'integer' };

type FindMethods = 'readLogs' | 'find' | 'findKey' | 'findTypes' | 'listNewest';

export const prepareFindEvents: Prepare<Pick<EventRepository, FindMethods>> = (preparation) => {
  const { queries, items } = preparation;
  const readLogs = defineEach(preparation, LOG_COLUMNS, (item: Item<LogItem>) =>
    queries
      .selectFrom('ph_event as event')
      .selectAll('event')
      .where('event.key_id', '=', item('key_id'))
      .where('event.at', '>', item('after'))
      .orderBy('event.at')
      .limit(item('take')),
  );
  const find = define((param: Param<{ keyId: KeyId; rows: JsonRows<{ id: EventId }> }>) =>
    queries
      .selectFrom(items(param('rows'), { id: 'text' }))
      .innerJoin('ph_event as event', 'event.id', 'item.id')
      .selectAll('event')
      .where('event.key_id', '=', param('keyId')),
  );
  // A sub-select for one value is not turned into a join, so no database reads the whole log.
  const findKey = define((param: Param<{ id: EventId }>) =>
    queries
      .selectFrom('ph_partner_key as key')
      .select('key.id')
      .where(
        (eb) =>
          eb
            .selectFrom('ph_event as event')
            .select('event.id')
            .whereRef('event.key_id', '=', 'key.id')
            .where('event.id', '=', param('id')),
        'is not',
        null,
      )
      .limit(sql.lit(1)),
  );
  const findTypes = defineLookUps(
    preparation,
    { key_id: 'text', event_id: 'text' },
    (item: Item<{ key_id: KeyId; event_id: EventId }>) =>
      queries
        .selectFrom('ph_event')
        .select(['key_id', 'id', 'type'])
        .where('key_id', '=', item('key_id'))
        .where('id', '=', item('event_id')),
  );
  const listNewest = define((param: Param<{ keyId: KeyId; from: Instant; before: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_event as event')
      .innerJoin('ph_endpoint as endpoint', 'endpoint.key_id', 'event.key_id')
      .select(['event.key_id', 'event.at', 'event.id', 'event.type'])
      .select(['endpoint.log_start', 'endpoint.watermark'])
      .where('endpoint.key_id', '=', param('keyId'))
      .where('event.key_id', '=', param('keyId'))
      .where('event.at', '>=', param('from'))
      .where('event.at', '<', param('before'))
      .orderBy('event.at', 'desc')
      .limit(param('limit')),
  );

  return {
    readLogs: (session, asked) =>
      session.read(async (run) => {
        const logs = asked.map(({ keyId, after, limit }) => ({ key_id: keyId, after, take: limit }));
        const { rows } = await run.batch(readLogs, logs, {});
        return listsOf(asked, rows.map(EVENTS.toValue), ({ keyId }) => keyId);
      }),
    find: (session, keyId, ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(find, itemsWith('id', ids), { keyId });
        return inOrder(ids, rows, (row) => row.id, EVENTS.toValue);
      }),
    findKey: (session, id) => session.read(async (run) => (await run.first(findKey, { id }))?.id ?? null),
    findTypes: (session, events) =>
      session.read(async (run) => {
        const asked = events.map(({ keyId, eventId }) => ({ key_id: keyId, event_id: eventId }));
        const { rows } = await run.batch(findTypes, asked, {});
        return inOrder(
          events.map(({ keyId, eventId }) => pairKey(keyId, eventId)),
          rows,
          (row) => pairKey(row.key_id, row.id),
          ({ type }) => type,
        );
      }),
    listNewest: (session, filter) =>
      session.read(async (run) => {
        const rows = await run.all(listNewest, filter);
        return rows.filter(({ at, log_start: logStart }) => at > logStart).map(toLoggedEvent);
      }),
  };
};

function toLoggedEvent(row: EventHead & Pick<Row<typeof ENDPOINTS>, 'watermark'>): LoggedEvent {
  const { id, key_id: keyId, type, at, watermark } = row;
  return { id, keyId, type, at, isPassed: at <= watermark };
}
