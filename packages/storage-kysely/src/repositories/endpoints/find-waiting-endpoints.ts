import type { Instant, KeyId } from '@partner-hiring/core/ports';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { leaseClock } from '../../lease-clock.js';
import type { Preparation } from '../../preparation.js';
import type { EndpointTable, Schema } from '../../schema.js';
import type { Param } from '../../statement.js';

/** A lease to be taken. */
export interface LeaseParams {
  /** The keys that are left alone, as a JSON list. */
  readonly except: string;
  readonly token: string;
  readonly forMs: number;
  /** By when a delivery is due. */
  readonly dueBy: Instant;
  /** For a storage whose clock is the process's. */
  readonly now: Instant;
  readonly limit: number;
}

/** The tables of a look. */
type Tables = Schema & { readonly endpoint: EndpointTable };

const ONE = sql.lit(1);

/**
 * Endpoints with work due that nobody holds, those that waited longest first.
 *
 * Looks at one endpoint after the other, until it has found enough: its head, one row of its log if that has moved on,
 * and one of what is due, by index, so a backlog of any length costs no more than one event. Values rather than
 * `exists`, which a planner may answer by reading all that is due.
 */
export function findInTurn(preparation: Preparation, param: Param<LeaseParams>) {
  const { lockFreeRows } = preparation;
  return selectFree(preparation, param)
    .where((where) =>
      where.or([
        where.and([
          where(
            where
              .selectFrom('ph_feed_head as head')
              .select('head.event_at')
              .whereRef('head.key_id', '=', 'endpoint.key_id'),
            '>',
            where.ref('endpoint.watermark'),
          ),
          hasEvent(where),
        ]),
        where(
          where
            .selectFrom('ph_delivery as delivery')
            .select('delivery.due_at')
            .whereRef('delivery.key_id', '=', 'endpoint.key_id')
            .where('delivery.state', '=', sql.lit('pending'))
            .orderBy('delivery.due_at')
            .limit(ONE),
          '<=',
          param('dueBy'),
        ),
      ]),
    )
    .orderBy('endpoint.leased_at')
    .orderBy('endpoint.key_id')
    .limit(param('limit'))
    .$call(lockFreeRows);
}

/**
 * The same, but looks at all endpoints at once: reads them, and the heads, from one end to the other, and takes what is
 * due from its own index. Of ten thousands of which next to none has work, that costs a sixth.
 */
export function findAmongAll(preparation: Preparation, param: Param<LeaseParams>) {
  const { lockFreeRows } = preparation;
  return (
    selectFree(preparation, param)
      .innerJoin('ph_feed_head as head', 'head.key_id', 'endpoint.key_id')
      // A planner takes a comparison of columns for a third of all rows, and would look each head up to find the first
      // few soon. Of a case it expects next to none.
      .where((where) =>
        where(
          where
            .case()
            .when(
              where.or([
                where.and([where('head.event_at', '>', where.ref('endpoint.watermark')), hasEvent(where)]),
                where('endpoint.key_id', 'in', selectDueKeys(preparation, param)),
              ]),
            )
            .then(ONE)
            .end(),
          '=',
          ONE,
        ),
      )
      .orderBy('endpoint.leased_at')
      .orderBy('endpoint.key_id')
      .limit(param('limit'))
      .$call((query) => lockFreeRows(query, 'endpoint'))
  );
}

function selectFree(preparation: Preparation, param: Param<LeaseParams>) {
  const { queries, strings } = preparation;
  return queries
    .selectFrom('ph_endpoint as endpoint')
    .where('endpoint.state', '=', sql.lit('active'))
    .where('endpoint.lease_until', '<=', leaseClock(preparation, param('now')))
    .where(({ ref }) => sql<boolean>`${ref('endpoint.key_id')} not in ${strings(param('except'))}`);
}

/** Whether there is one beyond the watermark. Not all stamps of a head that moved on are events'. */
function hasEvent(where: ExpressionBuilder<Tables, 'endpoint'>): Expression<SqlBool> {
  return where(
    where
      .selectFrom('ph_event as event')
      .select('event.at')
      .whereRef('event.key_id', '=', 'endpoint.key_id')
      .orderBy('event.at', 'desc')
      .limit(ONE),
    '>',
    where.ref('endpoint.watermark'),
  );
}

/** Goes along the keys of what is pending, from the first of one to the first of the next. */
function selectDueKeys({ queries }: Preparation, param: Param<LeaseParams>) {
  const firstBehind = (key: Expression<KeyId>) =>
    queries
      .selectFrom('ph_delivery as delivery')
      .select(['delivery.key_id', 'delivery.due_at'])
      .where('delivery.state', '=', sql.lit('pending'))
      .where('delivery.key_id', '>', key)
      .orderBy('delivery.key_id')
      .orderBy('delivery.due_at')
      .limit(ONE);
  return queries
    .withRecursive('due(key_id, due_at)', (db) =>
      db
        .selectFrom(firstBehind(sql<KeyId>`''`).as('first'))
        .select(['first.key_id', 'first.due_at'])
        .unionAll(
          db
            .selectFrom('due')
            .innerJoinLateral(
              ({ ref }) => firstBehind(ref('due.key_id') as Expression<KeyId>).as('next'),
              (join) => join.onTrue(),
            )
            .select(['next.key_id', 'next.due_at']),
        ),
    )
    .selectFrom('due')
    .select('due.key_id')
    .where('due.due_at', '<=', param('dueBy'));
}
