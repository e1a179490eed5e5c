import type { Instant } from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Preparation } from './preparation.js';

/**
 * The current time for leases. The sub-select makes the database evaluate it only once. Storages without a
 * clock return `processNow`.
 */
export function leaseClock(
  { storageNow }: Preparation,
  processNow: Expression<Instant>,
): RawBuilder<Instant> {
  return sql`(select ${storageNow(processNow)})`;
}

/** The start of a lease that is taken now. It has no sub-select, because Citus refuses one in `set`. */
export function leaseStart(
  { storageNow }: Preparation,
  processNow: Expression<Instant>,
): RawBuilder<Instant> {
  return sql`${storageNow(processNow)}`;
}

/** The end of a lease that is taken or renewed now. */
export function leaseEnd(
  preparation: Preparation,
  processNow: Expression<Instant>,
  forMs: Expression<number>,
): RawBuilder<Instant> {
  return sql`${leaseStart(preparation, processNow)} + ${forMs}`;
}
