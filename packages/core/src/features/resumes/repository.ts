import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { ResumeFileTask, ResumeRemoval } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import type { Lease } from '../../ports/repositories/claims.js';

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

/** How many résumés wait for their removal, up to 10,000. */
export interface WaitingRemovals {
  readonly waiting: number;
  /** When the first of their candidates was erased. Null if none waits. */
  readonly oldestErasedAt: Instant | null;
}

/** A queue of résumés to remove from the sink. */
export interface ResumeRemovalRepository {
  /** Adds removals. Replaces those of the same applications. */
  add(removals: readonly ResumeRemoval[]): Promise<void>;
  find(ids: readonly ApplicationId[]): Promise<readonly (ResumeRemoval | null)[]>;
  counts(): Promise<WaitingRemovals>;
  /** Leases removals that are due by `now` and that no worker holds. The longest due come first. */
  claim(lease: Lease, now: Instant, limit: number): Promise<readonly ResumeRemoval[]>;
  /** Deletes the removals that the lease still covers. */
  finish(ids: readonly ApplicationId[], token: string): Promise<void>;
  /** Ends the lease, with a new `attempts` and `dueAt`. */
  postpone(removals: readonly ResumeRemoval[], token: string): Promise<void>;
}
