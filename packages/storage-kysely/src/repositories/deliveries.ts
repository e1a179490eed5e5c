import type {
  Delivery,
  DeliveryRepository,
  DueDelivery,
  EventId,
  EventType,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Columns, JsonRows } from '../dialect.js';
import { lookUpEach } from '../each-item.js';
import { createFront, type FromFront, sweepFrom } from '../front.js';
import { inOrder, listsOf, pairKey } from '../in-order.js';
import { defineInsert } from '../insert.js';
import type { Prepare } from '../preparation.js';
import type { DeliveryTable } from '../schema.js';
import { define, type Param } from '../statement.js';
import { attemptsToKeep, defineSaveAttempts, prepareAttempts } from './deliveries/attempts.js';
import { prepareDeliveryLists } from './deliveries/delivery-lists.js';
import { toDelivery } from './deliveries/delivery-rows.js';
import { defineListDue, MOST_DUE } from './deliveries/due-deliveries.js';

const DELIVERY_COLUMNS: Columns<DeliveryTable> = {
  key_id: 'text',
  event_id: 'text',
  event_at: 'integer',
  state: 'text',
  attempts: 'integer',
  cycle: 'integer',
  due_at: 'integer',
  last_attempt_at: 'integer',
  last_outcome: 'text',
  last_latency_ms: 'integer',
};

interface PairItem {
  readonly key_id: KeyId;
  readonly event_id: EventId;
}

const PAIR_COLUMNS: Columns<PairItem> = { key_id: 'text', event_id: 'text' };

/** Deliveries that need a row. */
export const prepareDeliveries: Prepare<DeliveryRepository> = (preparation) => {
  const { queries } = preparation;
  const bindLists = prepareDeliveryLists(preparation);
  const bindAttempts = prepareAttempts(preparation);
  const save = defineInsert(preparation, {
    table: 'ph_delivery',
    columns: DELIVERY_COLUMNS,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.columns(['key_id', 'event_id']).doUpdateSet((eb) => ({
          event_at: eb.ref('excluded.event_at'),
          state: eb.ref('excluded.state'),
          attempts: eb.ref('excluded.attempts'),
          cycle: eb.ref('excluded.cycle'),
          due_at: eb.ref('excluded.due_at'),
          last_attempt_at: eb.ref('excluded.last_attempt_at'),
          last_outcome: eb.ref('excluded.last_outcome'),
          last_latency_ms: eb.ref('excluded.last_latency_ms'),
        })),
      ),
  });
  const saveAttempts = defineSaveAttempts(preparation);
  const listDue = defineListDue(preparation, MOST_DUE);
  const listManyDue = defineListDue(preparation, null);
  const find = define((param: Param<{ keyId: KeyId; rows: JsonRows<{ event_id: EventId }> }>) =>
    lookUpEach(preparation, param('rows'), { event_id: 'text' }, (item) =>
      queries
        .selectFrom('ph_delivery')
        .selectAll()
        .where('key_id', '=', param('keyId'))
        .where('event_id', '=', item('event_id')),
    ),
  );
  const findEach = define((param: Param<{ rows: JsonRows<PairItem> }>) =>
    lookUpEach(preparation, param('rows'), PAIR_COLUMNS, (item) =>
      queries
        .selectFrom('ph_delivery')
        .selectAll()
        .where('key_id', '=', item('key_id'))
        .where('event_id', '=', item('event_id')),
    ),
  );
  // Both open at their end, for which a planner takes the index in its order, whatever it knows.
  const findOldest = define((param: Param<FromFront>) =>
    queries
      .selectFrom('ph_delivery')
      .select(({ ref }) => ref('last_attempt_at').$notNull().as('at'))
      .where('state', '=', sql.lit('delivered'))
      .where('last_attempt_at', '>=', param('from'))
      .orderBy('last_attempt_at')
      .limit(param('limit')),
  );
  const sweep = define((param: Param<FromFront & { before: Instant }>) =>
    queries
      .deleteFrom('ph_delivery')
      .where((eb) =>
        eb(
          eb.refTuple('key_id', 'event_id'),
          'in',
          eb
            .selectFrom('ph_delivery')
            .select(['key_id', 'event_id'])
            .where('state', '=', sql.lit('delivered'))
            .where('last_attempt_at', '>=', param('from'))
            .orderBy('last_attempt_at')
            .limit(param('limit'))
            .$asTuple('key_id', 'event_id'),
        ),
      )
      // Asked again of what another transaction changed meanwhile: it may have been sent on its way again.
      .where('state', '=', sql.lit('delivered'))
      .where('last_attempt_at', '<', param('before')),
  );
  const front = createFront(preparation.now);

  return (session) => ({
    ...bindLists(session),
    ...bindAttempts(session),
    save: (deliveries) =>
      session.write(async (run) => {
        await run.batch(save, deliveries.map(fromDelivery), {});
        await run.batch(saveAttempts, deliveries.flatMap(attemptsToKeep), {});
      }),
    listDue: (asked, now) =>
      session.read(async (run) => {
        const wanted = asked.filter(({ limit }) => limit > 0);
        const keys = wanted.map(({ keyId, limit }) => ({ key_id: keyId, take: limit }));
        const statement = keys.every(({ take }) => take <= MOST_DUE) ? listDue : listManyDue;
        const { rows } = await run.batch(statement, keys, { now });
        return listsOf(asked, rows.map(toDueDelivery), ({ event }) => event.keyId);
      }),
    find: (keyId, eventIds) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          find,
          eventIds.map((id) => ({ event_id: id })),
          { keyId },
        );
        return inOrder(eventIds, rows, (row) => row.event_id, toDelivery);
      }),
    findEach: (pairs) =>
      session.read(async (run) => {
        const { rows } = await run.batch(
          findEach,
          pairs.map(({ keyId, eventId }) => ({ key_id: keyId, event_id: eventId })),
          {},
        );
        return inOrder(
          pairs.map(({ keyId, eventId }) => pairKey(keyId, eventId)),
          rows,
          (row) => pairKey(row.key_id, row.event_id),
          toDelivery,
        );
      }),
    sweep: (before, limit) =>
      sweepFrom(front, {
        find: (from) => session.read((run) => run.all(findOldest, { from, limit })),
        isOver: (at) => at < before,
        remove: (from, count) => session.write((run) => run.changes(sweep, { from, before, limit: count })),
      }),
  });
};

function fromDelivery(delivery: Delivery): DeliveryTable {
  return {
    key_id: delivery.keyId,
    event_id: delivery.eventId,
    event_at: delivery.eventAt,
    state: delivery.state,
    attempts: delivery.attempts,
    cycle: delivery.cycle,
    due_at: delivery.dueAt,
    last_attempt_at: delivery.lastAttemptAt,
    last_outcome: delivery.lastOutcome === null ? null : JSON.stringify(delivery.lastOutcome),
    last_latency_ms: delivery.lastLatencyMs,
  };
}

function toDueDelivery(
  row: DeliveryTable & { readonly type: EventType; readonly body: string },
): DueDelivery {
  const { event_id: id, key_id: keyId, event_at: at, type, body } = row;
  return { delivery: toDelivery(row), event: { id, keyId, type, at, body } };
}
