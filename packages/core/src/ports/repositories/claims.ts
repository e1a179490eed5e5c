import type { OperatorAlert } from '../../domain/alert.js';
import type { AlertId, ApplicationId, KeyId } from '../../domain/ids.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import type { Instant } from '../../domain/time.js';

/**
 * A worker's claim on something, as it is asked for. When it ends is on the storage's clock alone, which takes, renews
 * and judges it: no process's own time says whether another's claim is over.
 */
export interface Lease {
  readonly token: string;
  /** How long from now on, in milliseconds. */
  readonly forMs: number;
}

/** Alerts wait in the storage until they were handed over, so that a crash loses none. */
export interface AlertRepository {
  add(alerts: readonly OperatorAlert[]): Promise<void>;
  /** Claims up to `limit` alerts that nobody holds, oldest first. */
  claim(lease: Lease, limit: number): Promise<readonly OperatorAlert[]>;
  /** Removes alerts that were handed over. */
  settle(ids: readonly AlertId[], token: string): Promise<void>;
}

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
