import type { Instant } from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Preparation } from './preparation.js';

/**
 * The clock for taking, renewing and judging leases. A scalar sub-select, so that a server evaluates it once
 * rather than for each row.
 *
 * @param processNow - this process's clock, for a storage without a clock of its own.
 */
export function leaseClock(
  { storageNow }: Preparation,
  processNow: Expression<Instant>,
): RawBuilder<Instant> {
  return sql`(select ${storageNow(processNow)})`;
}

/** The end of a lease that is taken or renewed now. */
export function leaseEnd(
  preparation: Preparation,
  processNow: Expression<Instant>,
  forMs: Expression<number>,
): RawBuilder<Instant> {
  return sql`${leaseClock(preparation, processNow)} + ${forMs}`;
}
