import type { Application, ApplicationRecord, ResumeState } from '../../domain/application.js';
import type { ApplicationId, CompanyId, JobId, KeyId } from '../../domain/ids.js';
import type { FeedPage, ListQuery } from '../../domain/page.js';

/** Stores applications. */
export interface ApplicationRepository {
  /** Returns the application of each pair, or null if it does not exist or belongs to another key. */
  findOwned(
    pairs: readonly { readonly keyId: KeyId; readonly id: string }[],
  ): Promise<readonly (Application | null)[]>;
  /** Returns the application with this source id of each pair, or null. */
  findBySourceIds(
    pairs: readonly { readonly keyId: KeyId; readonly sourceApplicationId: string }[],
  ): Promise<readonly (Pick<Application, 'id'> | null)[]>;
  /** Includes the fields that only the host may read. Does not wait for locks. */
  find(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** Like `find`, but locks the rows in ascending order of id until the transaction ends. */
  findForUpdate(ids: readonly ApplicationId[]): Promise<readonly (ApplicationRecord | null)[]>;
  /** Replaces status, stage, `submittedAt`, `lastStatusChangeAt` and `changedAt`. */
  saveProgress(applications: readonly Application[]): Promise<void>;
  /** Records the state of the résumé download. */
  saveResume(id: ApplicationId, resume: ResumeState): Promise<void>;
  /** Returns a page of a key's applications, in feed order. */
  page(query: ListQuery): Promise<FeedPage<Application>>;
  /** Lists the newest applications of a job or a company for the host. Null means any. */
  listRecent(filter: {
    readonly jobId: JobId | null;
    readonly companyId: CompanyId | null;
    readonly limit: number;
  }): Promise<readonly ApplicationRecord[]>;
}
