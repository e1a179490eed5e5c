import type { CompanyId } from '../../domain/ids.js';
import type { ListPage } from '../../ports/repositories/partners.js';
import type { HeldJob, JobSyncState } from './rules.js';

/** Which jobs become held, and which no longer are. */
export interface HeldChange {
  readonly added: readonly HeldJob[];
  readonly removed: readonly HeldJob[];
}

/** Stores the state of the syncs of jobs. */
export interface JobSyncRepository {
  find(): Promise<JobSyncState>;
  /** Locks the state until the transaction ends. */
  findForUpdate(): Promise<JobSyncState>;
  save(state: JobSyncState): Promise<void>;
  /** The jobs that the last held run has kept open, of one company or of all, by company and id. */
  listHeld(companyId: CompanyId | null, page: ListPage<HeldJob>): Promise<readonly HeldJob[]>;
  changeHeld(change: HeldChange): Promise<void>;
}
