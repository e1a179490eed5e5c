import type { Instant, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { JsonRows } from '../dialect.js';
import { leaseClock, leaseEnd, leaseStart } from '../lease-clock.js';
import type { Preparation } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';
import { maySend, type SenderParams } from '../system/deployment.js';
import type { Row } from '../table.js';
import type { ENDPOINTS } from '../tables/index.js';
import { hasEvent, selectDueKeys, selectUncheckedKeys } from './changed-keys.js';

/** Leases the endpoints that have waited longest, and returns them in that order. */
type TakeWaiting = (run: Run, params: LeaseParams) => Promise<readonly Row<typeof ENDPOINTS>[]>;

export function prepareTakeWaiting(preparation: Preparation): TakeWaiting {
  return preparation.batches.kind === 'per_item' ? takeInSteps(preparation) : takeAtOnce(preparation);
}

/**
 * Finds the endpoints, then leases them. Two statements are safe in SQLite, because no other transaction can
 * write in between.
 */
function takeInSteps(preparation: Preparation): TakeWaiting {
  const find = define((param: Param<LeaseParams>) =>
    findLongestWaiting(preparation, param).selectAll('endpoint'),
  );
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
 * Finds and leases endpoints in one statement. If many endpoints have work, reads them in order of waiting time. If few
 * do, reads only the changed feeds.
 */
function takeAtOnce(preparation: Preparation): TakeWaiting {
  const longestWaiting = defineTakeAtOnce(preparation, findLongestWaiting);
  const amongChanged = defineTakeAtOnce(preparation, findAmongChanged);
  /** Whether the last call found as many endpoints as its limit. */
  let areMany = false;
  return async (run, params) => {
    const taken = await run.all(areMany ? longestWaiting : amongChanged, params);
    areMany = taken.length >= params.limit;
    return [...taken].sort((a, b) => a.waited_since - b.waited_since || (a.key_id < b.key_id ? -1 : 1));
  };
}

function defineTakeAtOnce(
  preparation: Preparation,
  find: typeof findLongestWaiting | typeof findAmongChanged,
) {
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

function leaseOf(preparation: Preparation, param: Param<LeaseParams>) {
  return {
    lease_token: param('token'),
    lease_until: leaseEnd(preparation, param('now'), param('forMs')),
    leased_at: leaseStart(preparation, param('now')),
  };
}

/**
 * Finds unleased endpoints with work that is due, longest waiting first. Each endpoint costs at most three index
 * look-ups. The conditions compare values instead of using `exists`, for which the planner may read all due rows.
 */
function findLongestWaiting(preparation: Preparation, param: Param<LeaseParams>) {
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
 * Finds the same endpoints as `findLongestWaiting`, but reads only changed feeds and pending deliveries. Idle
 * endpoints cost nothing.
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

interface LeaseParams extends SenderParams {
  /** The keys to skip, as a JSON array. */
  readonly except: string;
  readonly token: string;
  readonly forMs: number;
  readonly dueBy: Instant;
  readonly now: Instant;
  readonly limit: number;
}

function selectFree(preparation: Preparation, param: Param<LeaseParams>) {
  const { queries, strings } = preparation;
  return queries
    .selectFrom('ph_endpoint as endpoint')
    .where('endpoint.state', '=', sql.lit('active'))
    .where('endpoint.lease_until', '<=', leaseClock(preparation, param('now')))
    .where('endpoint.sends_from', '<=', leaseClock(preparation, param('now')))
    .where(maySend(preparation, param as Param<SenderParams>), '=', sql.lit(1))
    .where(({ ref }) => sql<boolean>`${ref('endpoint.key_id')} not in ${strings(param('except'))}`);
}
