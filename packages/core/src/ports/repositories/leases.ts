import type { Lease } from './claims.js';

/** A lease on periodic work of the host. */
export interface NamedLease extends Lease {
  readonly name: string;
}

/** Stores which worker runs the host's periodic work, and when. The storage's clock decides. */
export interface LeaseRepository {
  /**
   * Takes the lease if no worker holds it and the last run began at least `everyMs` ago.
   * @returns null if this call took the lease. Otherwise how many milliseconds the lease will not be free, unless its
   *   holder releases it earlier.
   */
  take(lease: NamedLease, everyMs: number): Promise<number | null>;
  /** Returns false if the lease was lost. The run must then end. */
  renew(lease: NamedLease): Promise<boolean>;
  /** Ends a run that still holds the lease. A run that was broken off is due again at once. */
  release(name: string, token: string, end: 'done' | 'broken_off'): Promise<void>;
}
