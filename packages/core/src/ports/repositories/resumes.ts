import type { ApplicationId } from '../../domain/ids.js';
import type { ResumeTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';
import type { Lease } from './lease.js';

/** Résumés that are still to be fetched. */
export interface ResumeRepository {
  /** Adds a task to fetch one again. Those of submissions come with `add` of the submissions. */
  add(task: ResumeTask): Promise<void>;
  /**
   * Claims up to `limit` due tasks that nobody holds, the longest due first.
   *
   * @param beside - applications; what is due for the keys that these are of is left out.
   */
  claim(
    lease: Lease,
    now: Instant,
    limit: number,
    beside?: readonly ApplicationId[],
  ): Promise<readonly ResumeTask[]>;
  /** Ends a task for good. False if the lease was lost: then nothing may be recorded. */
  finish(id: ApplicationId, token: string): Promise<boolean>;
  /** Puts a task off to its next round. False if the lease was lost. */
  postpone(task: ResumeTask, token: string): Promise<boolean>;
}
