import type { Instant } from '../../domain/time.js';

/**
 * The storage's own clock: one for all processes that use the storage. Rate windows and leases are on the same one.
 */
export interface TimeRepository {
  /** Returns the time now, in whole milliseconds; in a transaction too, however long ago that began. */
  now(): Promise<Instant>;
}
