import type { OperatorAlert } from '../../domain/alert.js';
import type { AlertId } from '../../domain/ids.js';
import type { Lease } from './lease.js';

/** Alerts wait in the storage until they were handed over, so that a crash loses none. */
export interface AlertRepository {
  add(alerts: readonly OperatorAlert[]): Promise<void>;
  /** Claims up to `limit` alerts that nobody holds, oldest first. */
  claim(lease: Lease, limit: number): Promise<readonly OperatorAlert[]>;
  /** Removes alerts that were handed over. */
  settle(ids: readonly AlertId[], token: string): Promise<void>;
}
