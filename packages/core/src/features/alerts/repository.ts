import type { ClaimedAlert, NewAlert } from '../../domain/alert.js';
import type { AlertId } from '../../domain/ids.js';
import type { Lease } from '../../ports/repositories/claims.js';

/** A queue of alerts for the host. */
export interface AlertRepository {
  /**
   * Adds alerts, as `collectMessages` decides with the collecting alerts of their keys, which this locks. An alert that
   * a secret ends and one that collects messages wait until their `at`. A claimed one collects nothing more.
   */
  add(alerts: readonly NewAlert[]): Promise<void>;
  /**
   * Leases alerts that no worker holds, oldest first, in any deployment. Adds the partner of each alert's key, and its
   * contact. Says which of them are of another deployment.
   */
  claim(lease: Lease, limit: number): Promise<readonly ClaimedAlert[]>;
  settle(ids: readonly AlertId[], token: string): Promise<void>;
}
