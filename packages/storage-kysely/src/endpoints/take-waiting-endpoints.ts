import type { Instant, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { JsonRows } from '../dialect.js';
import { leaseClock, leaseEnd } from '../lease-clock.js';
import type { Preparation } from '../preparation.js';
import type { EndpointTable } from '../schema.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';
import { hasEvent, selectDueKeys, selectUncheckedKeys } from './changed-keys.js';

/** Leases those endpoints that wait the longest for somebody who sends; their rows, in that order. */
type TakeWaiting = (run: Run, params: LeaseParams) => Promise<readonly EndpointTable[]>;

/** Compiles it in the database's way. */
export function prepareTakeWaiting(preparation: Preparation): TakeWaiting {
  return preparation.batches.kind === 'one_by_one' ? takeInSteps(preparation) : takeAtOnce(preparation);
}

/** Inside the process: finds, then takes. Nobody else writes meanwhile. */
function takeInSteps(preparation: Preparation): TakeWaiting {
  const find = define((param: Param<LeaseParams>) => findInTurn(preparation, param).selectAll('endpoint'));
  const take = define((param: Param<LeaseParams & { rows: JsonRows<{ key_id: KeyId }> }>) =>
    preparation.queries
      .updateTable('ph_endpoint')
      .from(preparation.items(param('rows'), { key_id: 'text' }))
      .set(leaseOf(preparation, param))
      .whereRef('ph_endpoint.key_id', '=', 'item.key_id'),
  );
  return async (run, params) => {
    const waiting = await run.all(find, params);
    const taken = waiting.map((row) => ({ key_id: row.key_id }));
    await run.batch(take, taken, params);
    return waiting;
  };
}

/**
 * On a server: one statement, which is a transaction by itself. Where many endpoints wait, those at the front of the
 * queue are found soonest in turn. Where few do, they are found among what changed.
 */
function takeAtOnce(preparation: Preparation): TakeWaiting {
  const inTurn = defineTakeAtOnce(preparation, findInTurn);
  const amongChanged = defineTakeAtOnce(preparation, findAmongChanged);
  /** Whether as many waited as were asked for: then more do. */
  let areMany = false;
  return async (run, params) => {
    const taken = await run.all(areMany ? inTurn : amongChanged, params);
    areMany = taken.length >= params.limit;
    return [...taken].sort((a, b) => a.waited_since - b.waited_since || (a.key_id < b.key_id ? -1 : 1));
  };
}

function defineTakeAtOnce(preparation: Preparation, find: typeof findInTurn | typeof findAmongChanged) {
  return define((param: Param<LeaseParams>) =>
    preparation.queries
      .with('waiting', () => find(preparation, param).select(['endpoint.key_id', 'endpoint.leased_at']))
      .updateTable('ph_endpoint')
      .from('waiting')
      .set(leaseOf(preparation, param))
      .whereRef('ph_endpoint.key_id', '=', 'waiting.key_id')
      .returningAll('ph_endpoint')
      .returning('waiting.leased_at as waited_since'),
  );
}

/** What taking a lease writes. */
function leaseOf(preparation: Preparation, param: Param<LeaseParams>) {
  return {
    lease_token: param('token'),
    lease_until: leaseEnd(preparation, param('now'), param('forMs')),
    leased_at: leaseClock(preparation, param('now')),
  };
}

/**
 * Endpoints with work due that nobody holds, those that waited longest first.
 *
 * Looks at one endpoint after the other, until it has found enough: its head, one row of its log if that has moved on,
 * and one of what is due, by index, so a backlog of any length costs no more than one event. Values rather than
 * `exists`, which a planner may answer by reading all that is due.
 */
function findInTurn(preparation: Preparation, param: Param<LeaseParams>) {
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
            .limit(sql.lit(1)),
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
 * Finds the same endpoints as `findInTurn`, but reads only the feeds that changed and the keys with pending deliveries.
 * So idle endpoints cost a poll nothing, however many there are.
 */
function findAmongChanged(preparation: Preparation, param: Param<LeaseParams>) {
  const { queries, lockFreeRows } = preparation;
  const dueKeys = queries
    .selectFrom(selectDueKeys(preparation, param('dueBy')).as('due'))
    .select('due.key_id');
  return selectFree(preparation, param)
    .where('endpoint.key_id', 'in', selectUncheckedKeys(preparation).unionAll(dueKeys))
    .where((where) => where.or([hasEvent(where), where('endpoint.key_id', 'in', dueKeys)]))
    .orderBy('endpoint.leased_at')
    .orderBy('endpoint.key_id')
    .limit(param('limit'))
    .$call((query) => lockFreeRows(query, 'endpoint'));
}

/** A lease to be taken. */
interface LeaseParams {
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

/** Active endpoints that nobody holds, but for those that are left alone. */
function selectFree(preparation: Preparation, param: Param<LeaseParams>) {
  const { queries, strings } = preparation;
  return queries
    .selectFrom('ph_endpoint as endpoint')
    .where('endpoint.state', '=', sql.lit('active'))
    .where('endpoint.lease_until', '<=', leaseClock(preparation, param('now')))
    .where(({ ref }) => sql<boolean>`${ref('endpoint.key_id')} not in ${strings(param('except'))}`);
}
