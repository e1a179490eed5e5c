import type { OperatorAlert } from '../../domain/alert.js';
import type { AlertId, ApplicationId, KeyId } from '../../domain/ids.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';

/** A worker's lease on a row. Its expiry uses only the storage's clock. */
export interface Lease {
  readonly token: string;
  readonly forMs: number;
}

/** A queue of alerts for the host. */
export interface AlertRepository {
  add(alerts: readonly OperatorAlert[]): Promise<void>;
  /** Leases alerts that no worker holds, oldest first. */
  claim(lease: Lease, limit: number): Promise<readonly OperatorAlert[]>;
  settle(ids: readonly AlertId[], token: string): Promise<void>;
}

/** A queue of résumés to download. */
export interface ResumeFileRepository {
  add(task: ResumeFileTask): Promise<void>;
  /** Leases tasks due by `now` that no worker holds, longest due first. */
  claim(lease: Lease, now: Instant, limit: number): Promise<readonly ResumeFileTask[]>;
  /** Leases at most one task per key, none of `keys`. A call may scan only some keys; the next continues. */
  claimOfOthers(
    lease: Lease,
    now: Instant,
    limit: number,
    keys: readonly KeyId[],
  ): Promise<readonly ResumeFileTask[]>;
  /** Returns false if the lease was lost: the caller must then record nothing. */
  finish(id: ApplicationId, token: string): Promise<boolean>;
  postpone(task: ResumeFileTask, token: string): Promise<boolean>;
}
