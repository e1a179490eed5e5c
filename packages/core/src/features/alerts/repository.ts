import type { ClaimedAlert, NewAlert, SentAlert } from '../../domain/alert.js';
import type { AlertId } from '../../domain/ids.js';
import type { Instant } from '../../domain/time.js';
import type { Lease } from '../../ports/repositories/claims.js';
import type { ListPage } from '../../ports/repositories/partners.js';

/** The place of a sent alert in the list. */
export type SentPosition = Pick<SentAlert, 'sentAt' | 'id'>;

/** A queue of alerts for the host, and what was sent. */
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
  /** Records that the host has accepted alerts, some of which, `told`, had a message for the contact of their partner. */
  settle(ids: readonly AlertId[], token: string, told?: readonly AlertId[]): Promise<void>;
  /** Removes claimed alerts that nobody needs. */
  drop(ids: readonly AlertId[], token: string): Promise<void>;
  /** Lists the alerts that the host has accepted, the last one first. */
  listSent(page: ListPage<SentPosition>): Promise<readonly SentAlert[]>;
  /** Deletes alerts that were sent before `before`. */
  sweep(before: Instant, limit: number): Promise<number>;
}
