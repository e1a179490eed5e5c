import type { WindowCount } from '../../domain/rate-limit.js';
import type { Instant } from '../../domain/time.js';

/** Requests to count in one bucket together. */
export interface Charge {
  readonly bucketId: string;
  readonly cost: number;
}

/**
 * Fixed windows, counted on the storage's clock, so that replicas with clocks of their own agree. Counting
 * is one atomic statement and exact across processes; it need not survive a power failure.
 */
export interface RateWindowRepository {
  /** Counts; answers what each bucket's window holds afterwards. Each bucket stands in a batch once. */
  charge(charges: readonly Charge[]): Promise<readonly WindowCount[]>;
  /** What the buckets' windows hold, without counting. */
  read(bucketIds: readonly string[]): Promise<readonly WindowCount[]>;
  /** Deletes up to `limit` windows that ended before `now`; how many it deleted. */
  sweep(now: Instant, limit: number): Promise<number>;
}
