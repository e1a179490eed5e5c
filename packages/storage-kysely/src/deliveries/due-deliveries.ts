import type { DeliveryRepository, DueDelivery, EventType, Instant, KeyId } from '@partner-hiring/core/ports';
import { type Compilable, sql } from 'kysely';
import type { JsonRows, TableColumns } from '../dialect.js';
import { forEachItem } from '../look-ups.js';
import { listsOf } from '../mapping.js';
import type { Preparation, Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import type { Row } from '../table.js';
import { DELIVERIES } from '../tables/index.js';

interface DueItem {
  readonly key_id: KeyId;
  readonly take: number;
}

interface DueParams {
  readonly rows: JsonRows<DueItem>;
  readonly now: Instant;
}

type DueRow = Row<typeof DELIVERIES> & { readonly type: EventType; readonly body: string };

const DUE_COLUMNS: TableColumns<DueItem> = { key_id: 'text', take: 'integer' };

/** The largest limit of the fast statement. A worker with the default options asks for less at once. */
const MOST_DUE = 1_000;

export const prepareDueDeliveries: Prepare<Pick<DeliveryRepository, 'listDue'>> = (preparation) => {
  const listDue = defineListDue(preparation, MOST_DUE);
  const listManyDue = defineListDue(preparation, null);

  return {
    listDue: (session, asked, now) =>
      session.read(async (run) => {
        const wanted = asked.filter(({ limit }) => limit > 0);
        const keys = wanted.map(({ keyId, limit }) => ({ key_id: keyId, take: limit }));
        const statement = keys.every(({ take }) => take <= MOST_DUE) ? listDue : listManyDue;
        const { rows } = await run.batch(statement, keys, { now });
        return listsOf(asked, rows.map(toDueDelivery), ({ event }) => event.keyId);
      }),
  };
};

/**
 * Lists the due deliveries of each key with their events. If a limit is a parameter, PostgreSQL expects a
 * tenth of all due rows, and sorts a long backlog joined with the whole log. A literal limit and a lateral
 * look-up of each event prevent this. The look-up compares key, instant and id, so that either index on the
 * key fits.
 * @param most - the largest limit; null if unknown.
 */
function defineListDue(preparation: Preparation, most: number | null) {
  return preparation.batches.kind === 'per_item'
    ? define((param: Param<DueParams>) => joined(preparation, param))
    : define((param: Param<DueParams>) => lookedUp(preparation, param, most));
}

function joined(preparation: Preparation, param: Param<DueParams>): Compilable<DueRow> {
  return forEachItem(preparation, param('rows'), DUE_COLUMNS, (item) =>
    preparation.queries
      .selectFrom('ph_delivery as delivery')
      .innerJoin('ph_event as event', (join) =>
        join.onRef('event.key_id', '=', 'delivery.key_id').onRef('event.at', '=', 'delivery.event_at'),
      )
      .selectAll('delivery')
      .select(['event.type', 'event.body'])
      .where('delivery.key_id', '=', item('key_id'))
      // This value is a literal, because the planner does not match a parameter to a partial index.
      .where('delivery.state', '=', sql.lit('pending'))
      .where('delivery.due_at', '<=', param('now'))
      .orderBy('delivery.due_at')
      .orderBy('delivery.event_at')
      .limit(item('take')),
  );
}

function lookedUp(
  preparation: Preparation,
  param: Param<DueParams>,
  most: number | null,
): Compilable<DueRow> {
  const { queries } = preparation;
  return forEachItem(preparation, param('rows'), DUE_COLUMNS, (item) => {
    const due = queries
      .selectFrom('ph_delivery as delivery')
      .selectAll('delivery')
      .where('delivery.key_id', '=', item('key_id'))
      .where('delivery.state', '=', sql.lit('pending'))
      .where('delivery.due_at', '<=', param('now'))
      .orderBy('delivery.due_at')
      .orderBy('delivery.event_at')
      .$if(most !== null, (query) => query.limit(sql.lit(most ?? 0)));
    const taken = queries
      .selectFrom(due.as('longest'))
      .selectAll()
      .orderBy('longest.due_at')
      .orderBy('longest.event_at')
      .limit(item('take'));
    return queries
      .selectFrom(taken.as('taken'))
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('ph_event as event')
            .select(['event.type', 'event.body'])
            .whereRef('event.key_id', '=', 'taken.key_id')
            .whereRef('event.at', '=', 'taken.event_at')
            .whereRef('event.id', '=', 'taken.event_id')
            .limit(sql.lit(1))
            .as('event'),
        (join) => join.onTrue(),
      )
      .selectAll('taken')
      .select(['event.type', 'event.body'])
      .orderBy('taken.due_at')
      .orderBy('taken.event_at') as never;
  });
}

function toDueDelivery(row: DueRow): DueDelivery {
  const { event_id: id, key_id: keyId, event_at: at, type, body } = row;
  return { delivery: DELIVERIES.toValue(row), event: { id, keyId, type, at, body } };
}
