import type { Application, ApplicationRecord, ResumeState } from '../../domain/application.js';
import type { ApplicationId, CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { FeedPage, ListQuery } from '../../domain/page.js';

/** Stores applications. */
export interface ApplicationRepository {
  findOwned(
    pairs: readonly { readonly keyId: KeyId; readonly id: string }[],
  ): Promise<readonly (Application | null)[]>;
  findBySourceIds(
    pairs: readonly { readonly keyId: KeyId; readonly sourceApplicationId: string }[],
  ): Promise<readonly (Pick<Application, 'id'> | null)[]>;
  /** Does not wait for locks. */
  find(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** Locks the rows in ascending order of id until the transaction ends. */
  findForUpdate(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** Replaces status, stage and the three instants. */
  saveProgress(applications: readonly Application[]): Promise<void>;
  saveResume(id: ApplicationId, resume: ResumeState): Promise<void>;
  page(query: ListQuery): Promise<FeedPage<Application>>;
  /** Lists newest first. Null means any. */
  listRecent(filter: {
    readonly jobId: JobId | null;
    readonly companyId: CompanyId | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
}
