import type { HighPay } from './high-pay.js';

/** The treatment of jobs that the source no longer has: `close`, `archive`, or `keep` as they are. */
export type MissingJobs = 'close' | 'archive' | 'keep';

/** The results of a run of a sync. */
export interface SyncCounts {
  /** Jobs that the run created. */
  readonly added: number;
  /** Open jobs that the run changed. */
  readonly updated: number;
  /** Jobs that were closed or archived, and are open again. */
  readonly reopened: number;
  /** Missing jobs that were closed or archived. */
  readonly closed: number;
  /**
   * Rows that changed nothing, or whose job another command changed during the run. The next run reads these jobs
   * again.
   */
  readonly unchanged: number;
  /** Rows that were not taken. */
  readonly refused: number;
  /** How many jobs the source no longer has; 0 until the source has ended. */
  readonly missing: number;
  /** How many open jobs the sync keeps in step, including the missing ones; 0 until the source has ended. */
  readonly open: number;
  /** Rows whose pay is probably not per hour; none until the source has ended. */
  readonly highPay: HighPay;
}

/** Returns how many jobs a run changed. Most runs find nothing to change. */
export function changesIn(counts: SyncCounts | null): number {
  return counts === null ? 0 : counts.added + counts.updated + counts.reopened + counts.closed;
}

export const NO_SYNC_COUNTS: SyncCounts = {
  added: 0,
  updated: 0,
  reopened: 0,
  closed: 0,
  unchanged: 0,
  refused: 0,
  missing: 0,
  open: 0,
  highPay: { jobs: 0, ids: [] },
};
