import type { OperatorAlert } from '../../domain/alert.js';
import type { AlertId, ApplicationId, KeyId } from '../../domain/ids.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';

/**
 * A worker's lease on a row. Only the storage's clock sets and checks its expiry, so that workers with different
 * clocks agree.
 */
export interface Lease {
  readonly token: string;
  /** The duration from now, in milliseconds. */
  readonly forMs: number;
}

/** A queue of alerts. An alert stays in it until the host has received it. */
export interface AlertRepository {
  add(alerts: readonly OperatorAlert[]): Promise<void>;
  /** Leases up to `limit` alerts that no worker holds, oldest first. */
  claim(lease: Lease, limit: number): Promise<readonly OperatorAlert[]>;
  /** Removes alerts that the host has received. */
  settle(ids: readonly AlertId[], token: string): Promise<void>;
}

/** A queue of résumés to download. */
export interface ResumeFileRepository {
  /** Adds a task that repeats a download. `SubmissionRepository.add` adds the first one. */
  add(task: ResumeFileTask): Promise<void>;
  /** Leases up to `limit` tasks due by `now` that no worker holds, longest due first. */
  claim(lease: Lease, now: Instant, limit: number): Promise<readonly ResumeFileTask[]>;
  /**
   * Like `claim`, but leases at most one task per key and skips `keys`. The cost does not grow with the tasks of one
   * key. With very many keys, a call may examine only some of them; the next call continues there.
   */
  claimOfOthers(
    lease: Lease,
    now: Instant,
    limit: number,
    keys: readonly KeyId[],
  ): Promise<readonly ResumeFileTask[]>;
  /** Ends a task. Returns false if the lease was lost; the caller must then record nothing. */
  finish(id: ApplicationId, token: string): Promise<boolean>;
  /** Reschedules a task. Returns false if the lease was lost. */
  postpone(task: ResumeFileTask, token: string): Promise<boolean>;
}
