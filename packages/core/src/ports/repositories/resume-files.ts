import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import type { Lease } from './lease.js';

/** Résumés that are still to be fetched. */
export interface ResumeFileRepository {
  /** Adds a task to fetch one again. Those of submissions come with `add` of the submissions. */
  add(task: ResumeFileTask): Promise<void>;
  /** Claims up to `limit` tasks due by `now` that nobody holds, the longest due first. */
  claim(lease: Lease, now: Instant, limit: number): Promise<readonly ResumeFileTask[]>;
  /**
   * The same, but one of each key at most, and none of these keys. However much is due for one key, it costs as much as
   * one task; where very many keys have tasks, a call looks at some of them, and the next ones go on from there.
   */
  claimOfOthers(
    lease: Lease,
    now: Instant,
    limit: number,
    keys: readonly KeyId[],
  ): Promise<readonly ResumeFileTask[]>;
  /** Ends a task for good. False if the lease was lost: then nothing may be recorded. */
  finish(id: ApplicationId, token: string): Promise<boolean>;
  /** Puts a task off to its next round. False if the lease was lost. */
  postpone(task: ResumeFileTask, token: string): Promise<boolean>;
}
