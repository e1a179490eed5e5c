import type { Instant } from '@partner-hiring/core/ports';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Preparation } from './preparation.js';

/**
 * The clock by which leases are taken, renewed and judged, as a value of one statement.
 *
 * A scalar sub-select, which is evaluated once: a server would work its clock's time out again for each row that it
 * looks at.
 *
 * @param processNow - the clock of this process, for a storage that has no other.
 */
export function leaseClock(
  { storageNow }: Preparation,
  processNow: Expression<Instant>,
): RawBuilder<Instant> {
  return sql`(select ${storageNow(processNow)})`;
}

/** When a lease ends that is taken or renewed now. */
export function leaseEnd(
  preparation: Preparation,
  processNow: Expression<Instant>,
  forMs: Expression<number>,
): RawBuilder<Instant> {
  return sql`${leaseClock(preparation, processNow)} + ${forMs}`;
}
