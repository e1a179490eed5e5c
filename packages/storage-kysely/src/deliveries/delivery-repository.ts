import {
  attemptToKeep,
  type DeliveryRepository,
  type DeliveryState,
  type EventId,
  hasExcerpt,
  type Instant,
  type KeyId,
  type StoredDelivery,
  withoutExcerpt,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineSave, itemsWith } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { NO_ID } from '../feed-page.js';
import { defineLookUps, type Item, prepareFindEach } from '../look-ups.js';
import { inOrder } from '../mapping.js';
import { beyond } from '../merged-ranges.js';
import type { Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';
import { prepareSweep } from '../sweep-position.js';
import type { Row } from '../table.js';
import { ATTEMPTS, DELIVERIES } from '../tables/index.js';
import { prepareDueDeliveries } from './due-deliveries.js';
import { defineFindErased } from './find-erased.js';

export const prepareDeliveries: Prepare<DeliveryRepository> = (preparation) => {
  const sweep = prepareSweep(preparation, {
    table: 'ph_delivery',
    column: 'last_attempt_at',
    key: ['key_id', 'event_id'],
    only: (query) => query.where('state', '=', sql.lit('delivered')),
    // Another transaction may have resent the delivery meanwhile.
    recheck: (query, before) =>
      query.where('state', '=', sql.lit('delivered')).where('last_attempt_at', '<', before),
    isOver: (at, before) => at < before,
  });

  return {
    ...prepareFindDeliveries(preparation),
    ...prepareDueDeliveries(preparation),
    ...prepareDeliveryLists(preparation),
    ...prepareAttempts(preparation),
    ...prepareSaveDeliveries(preparation),
    ...prepareWaitingDeliveries(preparation),
    sweep,
  };
};

const prepareFindDeliveries: Prepare<Pick<DeliveryRepository, 'find' | 'findEach'>> = (preparation) => {
  const { queries } = preparation;
  const find = defineLookUps(
    preparation,
    { event_id: 'text' },
    (item: Item<{ event_id: EventId }>, param: Param<{ keyId: KeyId }>) =>
      queries
        .selectFrom('ph_delivery')
        .selectAll()
        .where('key_id', '=', param('keyId'))
        .where('event_id', '=', item('event_id')),
  );
  const findEach = prepareFindEach(preparation, DELIVERIES, ['key_id', 'event_id']);

  return {
    find: (session, keyId, eventIds) =>
      session.read(async (run) => {
        const { rows } = await run.batch(find, itemsWith('event_id', eventIds), { keyId });
        return inOrder(eventIds, rows, (row) => row.event_id, DELIVERIES.toValue);
      }),
    findEach,
  };
};

interface ListParams {
  readonly keyId: KeyId;
  readonly state: DeliveryState;
  readonly eventAt: Instant;
  readonly eventId: EventId;
  readonly limit: number;
}

const START = { eventAt: Number.MAX_SAFE_INTEGER, eventId: NO_ID } as const;

const prepareDeliveryLists: Prepare<Pick<DeliveryRepository, 'list'>> = ({ queries }) => {
  const defineList = (isOfKey: boolean) =>
    define((param: Param<ListParams>) =>
      queries
        .selectFrom('ph_delivery')
        .selectAll()
        .$if(isOfKey, (query) => query.where('key_id', '=', param('keyId')))
        .where('state', '=', param('state'))
        .where(beyond('<', { event_at: param('eventAt'), event_id: param('eventId') }))
        .orderBy('event_at', 'desc')
        .orderBy('event_id', 'desc')
        .limit(param('limit')),
    );
  const list = defineList(false);
  const listOfKey = defineList(true);

  return {
    list: (session, { keyId, state, from = 0, after = START, limit }) =>
      session.read(async (run) => {
        const { eventAt, eventId } = after;
        const values = { keyId: keyId as KeyId, state, eventAt, eventId, limit };
        const rows = await run.all(keyId === null ? list : listOfKey, values);
        // Filters here, because with an SQL condition SQLite would use another index. The oldest rows come last, so the
        // filter only shortens the page.
        return rows.filter((row) => row.event_at >= from).map(DELIVERIES.toValue);
      }),
  };
};

const prepareSaveDeliveries: Prepare<Pick<DeliveryRepository, 'save'>> = (preparation) => {
  const save = defineSave(preparation, DELIVERIES, ['key_id', 'event_id']);
  // An attempt replaces a saved one with the same number, 1 to 10. So a delivery has at most ten.
  const saveAttempts = defineSave(preparation, ATTEMPTS, ['key_id', 'event_id', 'number']);
  const findErased = defineFindErased(preparation);

  async function saveAll(run: Run, deliveries: readonly StoredDelivery[]): Promise<void> {
    await run.each(save, deliveries.map(DELIVERIES.toRow), {});
    await run.each(saveAttempts, deliveries.flatMap(attemptsToKeep), {});
  }

  return {
    save: (session, deliveries) =>
      session.write(async (run) => {
        const erased = await findErased.known(run, deliveries.filter(hasExcerpt));
        const clean = deliveries.map((each) => (erased.has(each) ? withoutExcerpt(each) : each));
        await saveAll(run, clean);
        // Locks the applications last, which prevents deadlocks. Another transaction that waits for one of them could
        // otherwise hold rows that this transaction still needs.
        const late = await findErased.locked(run, clean.filter(hasExcerpt));
        await saveAll(run, [...late].map(withoutExcerpt));
      }),
  };
};

interface WaitingParams {
  readonly keyId: KeyId;
  readonly dueAt: Instant;
  readonly eventAt: Instant;
  readonly limit: number;
}

interface ForwardParams {
  readonly keyId: KeyId;
  readonly dueAt: Instant;
  readonly rows: JsonRows<{ readonly event_id: EventId }>;
}

const prepareWaitingDeliveries: Prepare<Pick<DeliveryRepository, 'listWaiting' | 'bringForward'>> = (
  preparation,
) => {
  const { queries, items } = preparation;
  const listWaiting = define((param: Param<WaitingParams>) =>
    queries
      .selectFrom('ph_delivery')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      // This value is a literal, because the planner does not match a parameter to a partial index.
      .where('state', '=', sql.lit('pending'))
      .where(beyond('>', { due_at: param('dueAt'), event_at: param('eventAt') }))
      .orderBy('due_at')
      .orderBy('event_at')
      .limit(param('limit')),
  );
  const bringForward = define((param: Param<ForwardParams>) =>
    queries
      .updateTable('ph_delivery')
      .from(items(param('rows'), { event_id: 'text' }))
      .set({ due_at: param('dueAt') })
      .where('ph_delivery.key_id', '=', param('keyId'))
      .whereRef('ph_delivery.event_id', '=', 'item.event_id')
      .where('ph_delivery.state', '=', sql.lit('pending'))
      .where('ph_delivery.due_at', '>', param('dueAt')),
  );

  return {
    listWaiting: (session, { keyId, after: { dueAt, eventAt }, limit }) =>
      session.read((run) => run.list(listWaiting, { keyId, dueAt, eventAt, limit }, DELIVERIES.toValue)),
    bringForward: (session, keyId, eventIds, dueAt) =>
      session.write((run) => run.each(bringForward, itemsWith('event_id', eventIds), { keyId, dueAt })),
  };
};

interface AttemptParams {
  readonly keyId: KeyId;
  readonly from: Instant;
  readonly endedAt: Instant;
  readonly eventId: EventId;
  readonly number: number;
  readonly limit: number;
}

const LAST_ATTEMPT = { endedAt: Number.MAX_SAFE_INTEGER, eventId: NO_ID, number: 0 } as const;

function attemptsToKeep(delivery: StoredDelivery): readonly Row<typeof ATTEMPTS>[] {
  const attempt = attemptToKeep(delivery);
  return attempt === null ? [] : [ATTEMPTS.toRow(attempt)];
}

const prepareAttempts: Prepare<Pick<DeliveryRepository, 'findAttempts' | 'listAttempts'>> = ({ queries }) => {
  const find = define((param: Param<{ keyId: KeyId; eventId: EventId }>) =>
    queries
      .selectFrom('ph_attempt')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('event_id', '=', param('eventId'))
      .orderBy('cycle')
      .orderBy('number'),
  );
  const list = define((param: Param<AttemptParams>) =>
    queries
      .selectFrom('ph_attempt')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .where('ended_at', '>=', param('from'))
      .where(beyond('<', { ended_at: param('endedAt'), event_id: param('eventId'), number: param('number') }))
      .orderBy('ended_at', 'desc')
      .orderBy('event_id', 'desc')
      .orderBy('number', 'desc')
      .limit(param('limit')),
  );

  return {
    findAttempts: (session, keyId, eventId) =>
      session.read((run) => run.list(find, { keyId, eventId }, ATTEMPTS.toValue)),
    listAttempts: (session, { keyId, from = 0, after = LAST_ATTEMPT, limit }) =>
      session.read(async (run) => {
        const { endedAt, eventId, number } = after;
        return run.list(list, { keyId, from, endedAt, eventId, number, limit }, ATTEMPTS.toValue);
      }),
  };
};
