import type { AlertId, ApplicationId, KeyId } from '../../domain/ids.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import type { ClaimedAlert, NewAlert } from '../../features/alerts/rules.js';

/** A worker's lease on a row. It expires by the storage's clock alone. */
export interface Lease {
  readonly token: string;
  readonly forMs: number;
  /**
   * The deployment of the process. If the database belongs to another one, or is at another place, nothing is leased that
   * is sent outside. Undefined: none.
   */
  readonly deployment?: string | undefined;
}

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

/** A queue of résumés to download. */
export interface ResumeFileRepository {
  add(task: ResumeFileTask): Promise<void>;
  /** Leases tasks that are due by `now` and that no worker holds. The longest due come first. */
  claim(lease: Lease, now: Instant, limit: number): Promise<readonly ResumeFileTask[]>;
  /**
   * Leases at most one task per key, and no task of `keys`. A call may examine only some keys. The next call
   * continues.
   */
  claimOfOthers(
    lease: Lease,
    now: Instant,
    limit: number,
    keys: readonly KeyId[],
  ): Promise<readonly ResumeFileTask[]>;
  /** Returns false if the lease was lost. The caller must then record nothing. */
  finish(id: ApplicationId, token: string): Promise<boolean>;
  postpone(task: ResumeFileTask, token: string): Promise<boolean>;
}
