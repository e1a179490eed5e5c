import type { Instant } from '../../domain/time.js';

/** A worker's claim on something, until a moment. */
export interface Lease {
  readonly token: string;
  readonly until: Instant;
}
