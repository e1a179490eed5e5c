import type { KeyId } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { leaseClock, leaseEnd } from '../../lease-clock.js';
import type { Preparation } from '../../preparation.js';
import type { EndpointTable } from '../../schema.js';
import type { Run } from '../../session.js';
import { define, type Param } from '../../statement.js';
import { findAmongChanged } from './find-among-changed.js';
import { findInTurn } from './find-in-turn.js';
import type { LeaseParams } from './free-endpoints.js';

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
