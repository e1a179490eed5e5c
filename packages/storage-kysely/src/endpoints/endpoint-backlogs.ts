import type {
  EndpointBacklog,
  EndpointRepository,
  EndpointState,
  Instant,
  KeyId,
} from '@partner-hiring/core/ports';
import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { itemsWith, selectItems } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { leaseClock } from '../lease-clock.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Schema } from '../schema.js';
import { define, type Param } from '../statement.js';
import type { Flag } from '../table.js';
import { selectKeysWithDeliveries, selectUncheckedKeys } from './changed-keys.js';

interface CountParams {
  readonly dueBy: Instant;
  readonly now: Instant;
  readonly bound: number;
}

/** A query whose rows are one range of an index. */
type Counted = SelectQueryBuilder<Schema, never, object>;

interface BacklogRow {
  readonly key_id: KeyId;
  readonly state: EndpointState['kind'];
  readonly is_held: Flag;
  readonly unsent: number;
  readonly oldest_unsent_at: Instant | null;
  readonly due: number;
  readonly next_due_at: Instant | null;
  readonly oldest_first_at: Instant | null;
  readonly oldest_again_at: Instant | null;
  readonly resumed_at: Instant | null;
  readonly sends_from: Instant;
  readonly scheduled: number;
  readonly dead: number;
}

interface AlikeRow extends Pick<BacklogRow, 'state' | 'is_held'> {
  readonly key_ids: string;
}

/**
 * Counts the backlog of each endpoint. Each count reads one index range. Endpoints whose feeds have no new
 * events and that have no deliveries are not counted: their backlog is empty.
 */
export const prepareEndpointBacklogs: Prepare<
  Pick<EndpointRepository, 'states' | 'backlogs' | 'backlogsOf'>
> = (preparation) => {
  const { now, queries, jsonList } = preparation;
  // Groups the keys, because reading one row per endpoint would dominate the cost.
  const listAll = define((param: Param<Pick<CountParams, 'now'>>) =>
    queries
      .selectFrom(
        queries
          .selectFrom('ph_endpoint as endpoint')
          .select((eb) => [
            'endpoint.key_id',
            'endpoint.state',
            isHeld(preparation, eb, param('now')).as('is_held'),
          ])
          .as('each'),
      )
      .select(({ ref }) => ['each.state', 'each.is_held', jsonList(ref('each.key_id')).as('key_ids')])
      .groupBy(['each.state', 'each.is_held']),
  );
  const listChanged = define(() => {
    const withDeliveries = queries
      .selectFrom(selectKeysWithDeliveries(preparation).as('known'))
      .select('known.key_id');
    return selectUncheckedKeys(preparation).union(withDeliveries);
  });
  const count = define((param: Param<CountParams & { rows: JsonRows<{ key_id: KeyId }> }>) =>
    selectBacklogs(preparation, param as Param<CountParams>).where(
      'endpoint.key_id',
      'in',
      selectItems(preparation, param('rows'), 'key_id'),
    ),
  );

  return {
    states: (session) =>
      session.read(async (run) => {
        const changed = new Set((await run.all(listChanged, {})).map((row) => row.key_id));
        const alike = (await run.all(listAll, { now: now() })) as readonly AlikeRow[];
        return alike.flatMap(({ key_ids: keyIds, state, is_held: held }) =>
          (JSON.parse(keyIds) as KeyId[]).map((keyId) => ({
            keyId,
            state,
            isHeld: held === 1,
            mayWait: changed.has(keyId),
          })),
        );
      }),
    backlogsOf: (session, keyIds, dueBy, bound) =>
      session.read(async (run) => {
        const { rows } = await run.batch(count, itemsWith('key_id', keyIds), { dueBy, now: now(), bound });
        return (rows as readonly BacklogRow[]).map((row) => toBacklog(row, dueBy)).sort(byKeyId);
      }),
    backlogs: (session, keyId, dueBy, bound) =>
      session.read(async (run) => {
        const params = { dueBy, now: now(), bound };
        const keys = keyId === null ? await run.all(listChanged, {}) : [{ key_id: keyId }];
        const { rows } = await run.batch(count, keys, params);
        const backlogs = (rows as readonly BacklogRow[]).map((row) => toBacklog(row, dueBy));
        if (keyId !== null) return backlogs;
        const byKey = new Map(backlogs.map((backlog) => [backlog.keyId, backlog]));
        const alike = (await run.all(listAll, params)) as readonly AlikeRow[];
        const all = alike.flatMap(toIdle).map((idle) => byKey.get(idle.keyId) ?? idle);
        return all.sort(byKeyId);
      }),
  };
};

function selectBacklogs(preparation: Preparation, param: Param<CountParams>) {
  return preparation.queries
    .selectFrom('ph_endpoint as endpoint')
    .select(['endpoint.key_id', 'endpoint.state', 'endpoint.resumed_at', 'endpoint.sends_from'])
    .select((eb) => isHeld(preparation, eb, param('now')).as('is_held'))
    .select((eb) => {
      const unsent = eb
        .selectFrom('ph_event as event')
        .select('event.at')
        .whereRef('event.key_id', '=', 'endpoint.key_id')
        .whereRef('event.at', '>', 'endpoint.watermark')
        .orderBy('event.at');
      const rows = eb
        .selectFrom('ph_delivery as delivery')
        .select('delivery.event_at')
        .whereRef('delivery.key_id', '=', 'endpoint.key_id');
      // This value is a literal, because the planner does not match a parameter to a partial index.
      const pending = rows.where('delivery.state', '=', sql.lit('pending')).orderBy('delivery.due_at');
      // Each range is ordered by its index. Without the order, the planner may scan the table.
      const count = (some: Counted) =>
        eb
          .selectFrom(some.limit(param('bound')).as('some'))
          .select((all) => all.fn.countAll<number>().as('count'));
      return [
        count(unsent).as('unsent'),
        unsent.limit(sql.lit(1)).as('oldest_unsent_at'),
        count(pending.where('delivery.due_at', '<=', param('dueBy'))).as('due'),
        pending.clearSelect().select('delivery.due_at').limit(sql.lit(1)).as('next_due_at'),
        ...oldestPending(eb),
        count(pending.where('delivery.due_at', '>', param('dueBy'))).as('scheduled'),
        count(rows.where('delivery.state', '=', sql.lit('dead')).orderBy('delivery.event_at')).as('dead'),
      ];
    });
}

/** Two look-ups: the oldest event that was not resent, and the oldest that was. */
function oldestPending(
  eb: ExpressionBuilder<Schema & { readonly endpoint: Schema['ph_endpoint'] }, 'endpoint'>,
) {
  const pending = eb
    .selectFrom('ph_delivery as delivery')
    .whereRef('delivery.key_id', '=', 'endpoint.key_id')
    .where('delivery.state', '=', sql.lit('pending'))
    .limit(sql.lit(1));
  return [
    pending
      .select('delivery.event_at')
      .where('delivery.pending_since', 'is', null)
      // This column is null here, but with it, only one index has the order.
      .orderBy('delivery.pending_since')
      .orderBy('delivery.event_at')
      .as('oldest_first_at'),
    pending
      .select('delivery.pending_since')
      .where('delivery.pending_since', 'is not', null)
      .orderBy('delivery.pending_since')
      .as('oldest_again_at'),
  ] as const;
}

function byKeyId(a: EndpointBacklog, b: EndpointBacklog): number {
  return a.keyId < b.keyId ? -1 : 1;
}

function isHeld(
  preparation: Preparation,
  eb: ExpressionBuilder<Schema & { readonly endpoint: Schema['ph_endpoint'] }, 'endpoint'>,
  now: Expression<Instant>,
) {
  return eb
    .case()
    .when('endpoint.lease_until', '>', leaseClock(preparation, now))
    .then(eb.lit(1))
    .else(eb.lit(0))
    .end();
}

// These functions write out each object, because with tens of thousands of endpoints, object spread would take
// most of the time.

function toIdle({ key_ids: keyIds, state, is_held: held }: AlikeRow): EndpointBacklog[] {
  const isHeld = held === 1;
  return (JSON.parse(keyIds) as KeyId[]).map((keyId) => ({
    keyId,
    state,
    isHeld,
    unsent: 0,
    oldestUnsentAt: null,
    due: 0,
    oldestDueAt: null,
    oldestPendingAt: null,
    resumedAt: null,
    gapUntil: null,
    scheduled: 0,
    dead: 0,
  }));
}

function toBacklog(row: BacklogRow, dueBy: Instant): EndpointBacklog {
  const { next_due_at: nextDueAt } = row;
  return {
    keyId: row.key_id,
    state: row.state,
    isHeld: row.is_held === 1,
    unsent: row.unsent,
    oldestUnsentAt: row.oldest_unsent_at,
    due: row.due,
    oldestDueAt: nextDueAt !== null && nextDueAt <= dueBy ? nextDueAt : null,
    oldestPendingAt: earliest(row.oldest_first_at, row.oldest_again_at),
    resumedAt: row.resumed_at,
    gapUntil: row.sends_from === 0 ? null : row.sends_from,
    scheduled: row.scheduled,
    dead: row.dead,
  };
}

function earliest(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
