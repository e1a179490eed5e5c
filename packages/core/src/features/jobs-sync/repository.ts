import type { JobSyncState } from './rules.js';

/** Stores the state of the syncs of jobs. */
export interface JobSyncRepository {
  find(): Promise<JobSyncState>;
  /** Locks the state until the transaction ends. */
  findForUpdate(): Promise<JobSyncState>;
  save(state: JobSyncState): Promise<void>;
}
