import type { EventId, EventRepository, EventType, Instant, KeyId } from '@partner-hiring/core/ports';
import { forEachItem } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { selectUncheckedKeys } from '../endpoints/changed-keys.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';

interface KeyItem {
  readonly key_id: KeyId;
}

interface UnsentParams {
  readonly rows: JsonRows<KeyItem>;
  readonly from: Instant;
  readonly through: Instant;
  readonly take: number;
}

interface UnsentRow {
  readonly key_id: KeyId;
  readonly at: Instant;
  readonly id: EventId;
  readonly type: EventType;
}

/** Reads one index range for each key whose feed may have unsent events. */
export const prepareUnsentEvents: Prepare<Pick<EventRepository, 'listUnsent'>> = (preparation) => {
  const { queries } = preparation;
  const listKeys = define(() => selectUncheckedKeys(preparation));
  const listUnsent = define((param: Param<UnsentParams>) =>
    forEachItem(preparation, param('rows'), { key_id: 'text' }, (item) =>
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
    ),
  );

  return (session) => ({
    listUnsent: ({ from, before, limit }) =>
      session.read(async (run) => {
        const keys = await run.all(listKeys, {});
        // A key has at most one event at an instant, which may be the last one of the page before.
        const { rows } = await run.batch(listUnsent, keys, { from, through: before.at, take: limit + 1 });
        return (rows as readonly UnsentRow[])
          .filter(({ at, id }) => at < before.at || id < before.id)
          .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
          .slice(0, limit)
          .map(({ id, key_id: keyId, type, at }) => ({ id, keyId, type, at, isPassed: false }));
      }),
  });
};
