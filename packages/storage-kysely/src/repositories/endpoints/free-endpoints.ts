import type { Instant } from '@partner-hiring/core/ports';
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

/** Active endpoints that nobody holds, but for those that are left alone. */
export function selectFree(preparation: Preparation, param: Param<LeaseParams>) {
  const { queries, strings } = preparation;
  return queries
    .selectFrom('ph_endpoint as endpoint')
    .where('endpoint.state', '=', sql.lit('active'))
    .where('endpoint.lease_until', '<=', leaseClock(preparation, param('now')))
    .where(({ ref }) => sql<boolean>`${ref('endpoint.key_id')} not in ${strings(param('except'))}`);
}

/** Whether there is an event beyond the watermark. Not all stamps of a head that moved on are events'. */
export function hasEvent(where: ExpressionBuilder<Tables, 'endpoint'>): Expression<SqlBool> {
  return where(
    where
      .selectFrom('ph_event as event')
      .select('event.at')
      .whereRef('event.key_id', '=', 'endpoint.key_id')
      .orderBy('event.at', 'desc')
      .limit(sql.lit(1)),
    '>',
    where.ref('endpoint.watermark'),
  );
}
